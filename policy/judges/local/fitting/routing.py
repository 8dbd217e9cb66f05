"""How a selection over all training tools would end under several profiles: what the thresholds of picks are set by."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from policy.engine.profile import Thresholds
from policy.engine.selection.menu import Menu, arrange
from policy.engine.selection.plan import offers, plan
from policy.engine.selection.questions import NONE
from policy.engine.selection.records import Candidate, Pick
from policy.judges.local.choice import answer_choice
from policy.judges.local.constants import Constants
from policy.judges.local.fitting import training as data
from policy.judges.local.fitting.training import Tool, Training
from policy.judges.local.nouls import answer_noul
from policy.judges.local.reading import Comparer, Reading

# A menu is worth its right tool: among these, the setting with the best recall whose menus stay this small on average.
# Catalogs with larger categories give larger menus than this one, so there is room left below the cap.
RELEVANCES = (0.5, 0.6)
CONFIDENCES = (0.3, 0.7, 0.9)
CAPS = (12, 15)
MEAN_MENU = 10.5


@dataclass(frozen=True, slots=True)
class Routed:
    """One task over the whole catalog: per category its relevance and its pick."""

    acceptable: frozenset[str]
    categories: Mapping[str, tuple[float, Pick]]


@dataclass(frozen=True, slots=True)
class Setting:
    """One way to read picks, with the share of tasks that kept every right tool and the mean size of the menu."""

    relevance: float
    confidence: float
    cap: int
    recall: float
    size: float


def route(known: Training, *, comparer: Comparer | None, constants: Constants) -> list[Routed]:
    """Every training task that has a right tool, put to all tools at once."""
    groups: dict[str, list[Tool]] = {}
    for tool in known.tools.values():
        groups.setdefault(tool.category, []).append(tool)
    found = []
    for case in known.cases:
        if case.acceptable:
            reading = Reading.of({"task": case.task}, comparer=comparer, centre=constants.centre, deadline=math.inf)
            told = {name: _category(name, known.categories[name], groups[name], reading, constants) for name in groups}
            found.append(Routed(case.acceptable, told))
    return found


def settings(routed: Sequence[Routed], known: Training) -> list[Setting]:
    """What each setting keeps, with the other thresholds at their defaults."""
    menu = arrange([Candidate(tool.id, (tool.category,), tool.description) for tool in known.tools.values()], ())
    found = []
    for relevance, confidence, cap in product(RELEVANCES, CONFIDENCES, CAPS):
        cuts = Thresholds(relevance=relevance, confidence=confidence)
        kept = [_kept(each, cuts, menu, cap) for each in routed]
        recall = sum(each.acceptable <= shown for each, shown in zip(routed, kept, strict=True)) / len(routed)
        size = round(sum(map(len, kept)) / len(kept), 1)
        found.append(Setting(relevance, confidence, cap, round(recall, 3), size))
    return found


def best(found: Sequence[Setting]) -> Setting:
    """The best recall with menus of at most `MEAN_MENU` on average; the smaller menu where two are equal."""
    return max((each for each in found if each.size <= MEAN_MENU), key=lambda each: (each.recall, -each.size))


def _category(
    name: str, description: str, tools: list[Tool], reading: Reading, constants: Constants
) -> tuple[float, Pick]:
    relevance = answer_noul(data.relevance(name, description, tools, listed=True), reading, constants)["noul"]
    answer = answer_choice(data.pick(name, tools), reading, constants)
    shares: Mapping[str, float] = answer["probabilities"]
    chosen: str = answer["choice"]
    pick = Pick(
        choice=chosen,
        tool=None if chosen == NONE else chosen,
        probability=shares[chosen],
        confidence=answer["confidence"],
        probabilities=shares,
        tools={tool.id: shares[tool.id] for tool in tools},
    )
    return relevance, pick


def _kept(routed: Routed, cuts: Thresholds, menu: Menu, cap: int) -> set[str]:
    put_forward = [
        offer
        for name, (relevance, pick) in routed.categories.items()
        if relevance >= cuts.relevance
        for offer in offers(name, pick, cuts)
    ]
    return {offer.chosen.id for offer in plan(put_forward, menu, cap=cap).kept}
