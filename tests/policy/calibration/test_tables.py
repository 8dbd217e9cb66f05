"""Tables of right and wrong by case, for the kinds that are decided case by case."""

from __future__ import annotations

import numpy as np
import pytest

from policy.calibration.cuts import Cuts
from policy.calibration.measured_choices import ROUTE, MeasuredRoute, cases
from policy.calibration.separation import Axis, separate
from policy.calibration.tables import TableChoice, coarse, separate_table, table, table_sides
from policy.calibration.unseen import unseen
from policy.engine.answers import ChoiceAnswer

CUTS = Cuts.even()


def drawn(n: int = 120, seed: int = 4) -> list[MeasuredRoute]:
    rng = np.random.default_rng(seed)
    wanted = rng.random(n) < 0.5
    shares = np.round(np.where(wanted, rng.beta(6, 2, n), rng.beta(3, 5, n)), 2)
    return [
        MeasuredRoute(ChoiceAnswer("fast", {"fast": float(share)}, 0.5), "fast" if right else None, frozenset({"fast"}))
        for share, right in zip(shares, wanted, strict=True)
    ]


def plain(routes: list[MeasuredRoute]) -> Axis:
    scores = np.array([each.answer.probabilities["fast"] for each in routes])
    wanted = np.array([each.expected is not None for each in routes])
    return Axis(scores, np.where(wanted, 0.0, 1.0), np.where(wanted, 1.0, 0.0))


def test_the_range_is_that_of_one_threshold() -> None:
    routes = drawn()
    right = table(cases(routes, ROUTE), [CUTS])
    assert separate_table(right, CUTS, prefer=0.4) == separate(plain(routes), CUTS, prefer=0.4)


def test_the_sides_are_those_that_should_reach_the_threshold_and_those_that_should_not() -> None:
    routes, axis = drawn(), plain(drawn())
    positive, negative = table_sides(table(cases(routes, ROUTE), [CUTS]), CUTS)
    assert sorted(positive) == pytest.approx(sorted(axis.scores[axis.gains() > 0]))
    assert sorted(negative) == pytest.approx(sorted(axis.scores[axis.gains() < 0]))


def test_unseen_agreement_is_below_the_one_on_the_same_cases() -> None:
    judged = cases(drawn(60), ROUTE)
    axes = coarse(judged, 1)
    problem = TableChoice(table(judged, axes), axes, [0.4], np.zeros(60, dtype=np.int8))
    found = unseen(problem, draws=200)
    assert found.mean < found.in_sample
    assert problem.right(np.ones((1, 60), dtype=np.int64)).sum() == problem.right_at.sum(axis=0).max()
