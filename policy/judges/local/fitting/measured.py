"""Every feature of every training case, computed once by the judge's own code and weighed many times."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from policy.engine.questions import Choice
from policy.judges.local.choice import offered
from policy.judges.local.fitting import training as data
from policy.judges.local.fitting.training import Case, Tool, Training
from policy.judges.local.nouls import relevance_features
from policy.judges.local.reading import Comparer, Reading
from policy.judges.local.vectors import Centres

Features = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Group:
    """One category of one case: its options, which of them are right, and the features of its relevance question.

    `listed` are those of the question that lists the members, `bare` those of the question that does not.
    """

    options: list[Features]
    wanted: list[bool]
    listed: Features
    bare: Features


@dataclass(frozen=True, slots=True)
class Measured:
    """One case: its menu as one choice, the categories of its menu, and those of all tools.

    `catalog` is empty for a case whose right tool was left out of the menu: among all tools it would be there.
    """

    options: list[Features]
    wanted: list[bool]
    groups: list[Group]
    catalog: list[Group]


def measure(training: Training, *, comparer: Comparer | None, centre: Centres) -> list[Measured]:
    """One entry per case, in order; without `comparer` the features of words only are other than 0."""
    return [_measure(case, training, comparer, centre) for case in training.cases]


def _measure(case: Case, training: Training, comparer: Comparer | None, centre: Centres) -> Measured:
    reading = Reading.of({"task": case.task}, comparer=comparer, centre=centre, deadline=math.inf)

    def groups(tools: Iterable[Tool]) -> list[Group]:
        by_category = data.by_category(tools).items()
        return [_group(name, training.categories[name], members, case, reading) for name, members in by_category]

    return Measured(
        options=_options(data.menu_choice(case.menu), reading),
        wanted=[tool.id in case.acceptable for tool in case.menu],
        groups=groups(case.menu),
        catalog=[] if case.absent else groups(training.tools.values()),
    )


def _group(category: str, description: str, tools: list[Tool], case: Case, reading: Reading) -> Group:
    listed, bare = (data.relevance(category, description, tools, listed=listed) for listed in (True, False))
    return Group(
        options=_options(data.pick(category, tools), reading),
        wanted=[tool.id in case.acceptable for tool in tools],
        listed=relevance_features(listed, reading),
        bare=relevance_features(bare, reading),
    )


def _options(question: Choice, reading: Reading) -> list[Features]:
    return [match.features() for match in offered(question, reading).values()]
