"""How a selection over all training tools would end under several profiles: what the thresholds of picks are set by."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from statistics import fmean

from policy.engine.profile import Thresholds
from policy.engine.selection.menu import Menu, arrange
from policy.engine.selection.plan import Standing, offers, plan
from policy.engine.selection.questions import NONE
from policy.engine.selection.records import Candidate, Pick
from policy.judges.local.choice import answer_choice
from policy.judges.local.constants import Constants
from policy.judges.local.fitting import training as data
from policy.judges.local.fitting.training import Case, Tool, Training
from policy.judges.local.nouls import answer_noul
from policy.judges.local.reading import Comparer, Reading

# A menu is worth its right tool: among these, the setting with the best recall whose menus stay this small on average.
RELEVANCES = (0.2, 0.25, 0.3, 0.4, 0.5)
SELECTIONS = (0.2, 0.35)
CONFIDENCES = (0.9,)
CHUNKS = (5, 6, 40)
CAPS = (15, 20)
# Fifteen tools at most on average, less what prerequisites add; a single unclear task may have more.
MEAN_MENU = 14.0
CATALOG = 120


@dataclass(frozen=True, slots=True)
class Routed:
    """One task over a catalog of `CATALOG` tools: per category its relevance, and its picks for each of `CHUNKS`.

    Categories below the lowest of `RELEVANCES` are left out. No `acceptable` tool: nothing in the catalog fits.
    """

    acceptable: frozenset[str]
    categories: Mapping[str, tuple[float, Mapping[int, list[Pick]]]]


@dataclass(frozen=True, slots=True)
class Setting:
    """One way to read answers, with what it does to the training tasks.

    `chunk` is how many tools one pick offers. `recall` is the share of tasks that kept every right tool, `size` the
    mean of their menus, `needless` the share of tasks without a right tool that got a menu nevertheless.
    """

    relevance: float
    selection: float
    confidence: float
    chunk: int
    cap: int
    recall: float
    size: float
    needless: float


def route(known: Training, *, comparer: Comparer | None, constants: Constants, seed: int) -> list[Routed]:
    """Every training task put to a catalog at once; those whose right tool was left out of their menu are not.

    `seed` chooses the categories that join those of the right tools.
    """
    groups = data.by_category(known.tools.values())
    found = []
    for case in known.cases:
        if not case.absent:
            reading = Reading.of({"task": case.task}, comparer=comparer, centre=constants.centre, deadline=math.inf)
            catalog = _catalog(case, groups, seed=f"{seed} {case.id}")
            found.append(Routed(case.acceptable, dict(_categories(catalog, known, reading, constants))))
    return found


def _catalog(case: Case, groups: Mapping[str, list[Tool]], *, seed: str) -> dict[str, list[Tool]]:
    """The categories of the right tools and others, whole ones, until there are `CATALOG` tools or more."""
    order = sorted(groups)
    random.Random(seed).shuffle(order)
    order.sort(key=lambda name: not any(tool.id in case.acceptable for tool in groups[name]))
    taken: dict[str, list[Tool]] = {}
    for name in order:
        if sum(map(len, taken.values())) >= CATALOG:
            break
        taken[name] = groups[name]
    return taken


def settings(routed: Sequence[Routed], known: Training) -> list[Setting]:
    """What each setting keeps, with the other thresholds at their defaults."""
    menu = arrange([Candidate(tool.id, (tool.category,), tool.description) for tool in known.tools.values()], ())
    return [
        _setting(routed, menu, Thresholds(relevance=relevance, selection=selection, confidence=confidence), chunk, cap)
        for relevance, selection, confidence, chunk, cap in product(RELEVANCES, SELECTIONS, CONFIDENCES, CHUNKS, CAPS)
    ]


def best(found: Sequence[Setting]) -> Setting:
    """The best recall with menus of at most `MEAN_MENU` on average; where two are equal, fewer needless menus."""
    small = [each for each in found if each.size <= MEAN_MENU]
    return max(small, key=lambda each: (each.recall, -each.needless, -each.size))


def _categories(
    groups: Mapping[str, list[Tool]], known: Training, reading: Reading, constants: Constants
) -> Iterator[tuple[str, tuple[float, Mapping[int, list[Pick]]]]]:
    for name, tools in groups.items():
        question = data.relevance(name, known.categories[name], tools, listed=True)
        relevance = answer_noul(question, reading, constants)["noul"]
        if relevance >= min(RELEVANCES):
            yield name, (relevance, {chunk: _picks(name, tools, chunk, reading, constants) for chunk in CHUNKS})


def _picks(name: str, tools: list[Tool], chunk: int, reading: Reading, constants: Constants) -> list[Pick]:
    # The engine offers the tools of a category in the order of their ids.
    ordered = sorted(tools, key=lambda tool: tool.id)
    parts = [ordered[start : start + chunk] for start in range(0, len(ordered), chunk)]
    return [_pick(name, part, reading, constants) for part in parts]


def _pick(name: str, tools: list[Tool], reading: Reading, constants: Constants) -> Pick:
    answer = answer_choice(data.pick(name, tools), reading, constants)
    shares: Mapping[str, float] = answer["probabilities"]
    chosen: str = answer["choice"]
    return Pick(
        choice=chosen,
        tool=None if chosen == NONE else chosen,
        probability=shares[chosen],
        confidence=answer["confidence"],
        probabilities=shares,
        tools={tool.id: shares[tool.id] for tool in tools},
    )


def _setting(routed: Sequence[Routed], menu: Menu, cuts: Thresholds, chunk: int, cap: int) -> Setting:
    fitting = [(each.acceptable, _kept(each, cuts, menu, chunk, cap)) for each in routed if each.acceptable]
    idle = [_kept(each, cuts, menu, chunk, cap) for each in routed if not each.acceptable]
    return Setting(
        relevance=cuts.relevance,
        selection=cuts.selection,
        confidence=cuts.confidence,
        chunk=chunk,
        cap=cap,
        recall=round(fmean(wanted <= shown for wanted, shown in fitting), 3),
        size=round(fmean(len(shown) for _, shown in fitting), 1),
        needless=round(fmean(bool(shown) for shown in idle), 3),
    )


def _kept(routed: Routed, cuts: Thresholds, menu: Menu, chunk: int, cap: int) -> set[str]:
    """The tools of the menu; none where no pick has a winner, since a host then withholds."""
    put_forward = [
        offer
        for name, (relevance, picks) in routed.categories.items()
        if relevance >= cuts.relevance
        for pick in picks[chunk]
        for offer in offers(name, pick, cuts)
    ]
    made = plan(put_forward, menu, cap=cap)
    return {offer.chosen.id for offer in made.kept} if made.chosen(Standing.WINNER) else set()
