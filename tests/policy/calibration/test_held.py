"""One threshold with the others held: the rows that it decides, and what they cost."""

from __future__ import annotations

from typing import TypedDict

import numpy as np
import pytest
from hypothesis import given

from policy.calibration.cuts import Cuts
from policy.calibration.held import THRESHOLDS, USUAL, Threshold, held, sides
from policy.calibration.separation import separate
from policy.calibration.sweep import Axes, Rows, sweep
from tests.policy.calibration.drawn import ROWS, informed


class Held(TypedDict):
    restriction: float
    missing: float
    match: float


AT = Held(restriction=0.5, missing=0.6, match=0.3)


@pytest.mark.parametrize("threshold", THRESHOLDS)
@given(ROWS)
def test_moving_one_threshold_costs_what_the_sweep_says(threshold: Threshold, rows: Rows) -> None:
    cuts = Cuts.even(10)
    fixed = [Cuts.of([value]) for value in (0.5, 0.6, 0.3)]
    axes = Axes(*(cuts if name == threshold else one for name, one in zip(THRESHOLDS, fixed, strict=True)))
    costs = sweep(rows, axes).cost(USUAL).ravel()
    axis = held(rows, threshold, **AT, prices=USUAL)
    for cut, cost in zip(cuts.values, costs, strict=True):
        assert np.where(axis.scores >= cut, axis.reached_cost, axis.below_cost).sum() == pytest.approx(cost)


def test_rows_that_the_other_thresholds_decide_are_on_no_side() -> None:
    rows = informed(200)
    positive, negative = sides(held(rows, "task_match", **AT))
    free = (rows.violates < 0.5) & (rows.missing < 0.6)
    assert len(positive) == (free & (rows.labels == 2)).sum()
    assert len(negative) == (free & (rows.labels == 1)).sum()


def test_dear_mistakes_pull_the_threshold_to_the_safe_side() -> None:
    rows = informed(600, sharp=3)
    plain = separate(held(rows, "restriction", **AT), Cuts.even(), prefer=0.5).chosen
    dear = separate(held(rows, "restriction", **AT, prices=USUAL), Cuts.even(), prefer=0.5).chosen
    assert dear < plain
