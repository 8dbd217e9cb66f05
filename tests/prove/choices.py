"""Populations of selections, skill routings and model routings: two-decimal scores, independent given what is right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from policy.calibration.boxes import Case
from policy.calibration.cuts import Floats
from policy.calibration.measured_choices import (
    ROUTE,
    SELECTION,
    SKILL,
    Measured,
    MeasuredRoute,
    MeasuredSelection,
    MeasuredSkill,
    cases,
)
from policy.engine.answers import ChoiceAnswer
from policy.engine.selection import CategoryResult, Pick, Status
from tests.prove.shapes import SCORES, beta
from tests.prove.triples import reaches


@dataclass(frozen=True)
class Behind:
    """A share of the cases: whether the tool, skill or class that was picked is the right one, and how it scores."""

    share: float
    right: bool
    scores: tuple[Floats, ...]


@dataclass(frozen=True)
class Population:
    """Every case has one pick, taken where all of its scores reach their thresholds."""

    name: str
    thresholds: tuple[str, ...]
    make: Callable[[Sequence[float], bool], Measured]
    parts: tuple[Behind, ...]

    def drawn(self, n: int, rng: np.random.Generator) -> list[Case]:
        made: list[Measured] = []
        for place in rng.choice(len(self.parts), n, p=[part.share for part in self.parts]):
            part = self.parts[place]
            scores = [float(rng.choice(SCORES, p=chances)) for chances in part.scores]
            made.append(self.make(scores, part.right))
        return cases(made, self.thresholds)

    @property
    def agreement(self) -> Floats:
        """The share of cases that each combination of two-decimal thresholds decides as labelled."""
        whole = np.zeros((len(SCORES),) * len(self.thresholds))
        for part in self.parts:
            taken = np.ones(())
            for chances in part.scores:
                taken = np.multiply.outer(taken, reaches(chances, SCORES))
            whole += part.share * (taken if part.right else 1 - taken)
        return whole


def selection(scores: Sequence[float], right: bool) -> MeasuredSelection:
    relevance, share = scores
    pick = Pick("a", "a", share, share, {"a": share, "__none__": 1 - share}, {"a": share})
    wanted = frozenset({"a"} if right else ())
    return MeasuredSelection(
        (CategoryResult("x", relevance, True, (pick,)),), Status.SELECTED if right else Status.ABSTAINED, wanted
    )


def skill(scores: Sequence[float], right: bool) -> MeasuredSkill:
    needs, share, confidence = scores
    return MeasuredSkill(needs, ChoiceAnswer("s", {"s": share}, confidence), "s" if right else None)


def route(scores: Sequence[float], right: bool) -> MeasuredRoute:
    return MeasuredRoute(ChoiceAnswer("fast", {"fast": scores[0]}, 0.5), "fast" if right else None, frozenset({"fast"}))


def selections(name: str, high: Floats, low: Floats) -> Population:
    """A right tool, a category that does not matter, a wrong tool of one that does."""
    parts = Behind(0.5, True, (high, high)), Behind(0.25, False, (low, high)), Behind(0.25, False, (high, low))
    return Population(f"selection, {name}", SELECTION, selection, parts)


def skills(name: str, high: Floats, low: Floats) -> Population:
    """A right skill, no need of any, and one that is picked with a small share or little confidence."""
    parts = (
        Behind(0.5, True, (high, high, high)),
        Behind(0.2, False, (low, high, high)),
        Behind(0.15, False, (high, low, low)),
        Behind(0.15, False, (low, low, high)),
    )
    return Population(f"skill, {name}", SKILL, skill, parts)


def routes(name: str, high: Floats, low: Floats) -> Population:
    return Population(f"model route, {name}", ROUTE, route, (Behind(0.5, True, (high,)), Behind(0.5, False, (low,))))


SCORED = (
    ("sharp", beta(8, 2), beta(2, 8)),
    ("medium", beta(4, 2), beta(2, 4)),
    ("weak", beta(3, 2.4), beta(2.4, 3)),
)
POPULATIONS = tuple(kind(*scored) for kind in (selections, skills, routes) for scored in SCORED)
