"""Every feature of every training case, computed once by the judge's own code and weighed many times."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from policy.engine.questions import Choice
from policy.judges.local.choice import offered
from policy.judges.local.fitting import training as data
from policy.judges.local.fitting.training import Case, Training
from policy.judges.local.nouls import relevance_features
from policy.judges.local.reading import Comparer, Reading

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
    """One case: the whole menu as one choice, and its categories."""

    options: list[Features]
    wanted: list[bool]
    groups: list[Group]


def measure(training: Training, *, comparer: Comparer | None, centre: Sequence[float]) -> list[Measured]:
    """One entry per case, in order; without `comparer` the features of words only are other than 0."""
    return [_measure(case, training.categories, comparer, centre) for case in training.cases]


def _measure(case: Case, categories: Mapping[str, str], comparer: Comparer | None, centre: Sequence[float]) -> Measured:
    reading = Reading.of({"task": case.task}, comparer=comparer, centre=centre, deadline=math.inf)
    groups = []
    for category, tools in case.groups().items():
        listed, bare = (
            data.relevance(category, categories[category], tools, listed=listed) for listed in (True, False)
        )
        groups.append(
            Group(
                options=_options(data.pick(category, tools), reading),
                wanted=[tool.id in case.acceptable for tool in tools],
                listed=relevance_features(listed, reading),
                bare=relevance_features(bare, reading),
            )
        )
    return Measured(
        options=_options(data.menu_choice(case.menu), reading),
        wanted=[tool.id in case.acceptable for tool in case.menu],
        groups=groups,
    )


def _options(question: Choice, reading: Reading) -> list[Features]:
    return [match.features() for match in offered(question, reading).values()]
