"""Plane by plane gives what the whole grid gives."""

from __future__ import annotations

import numpy as np
from hypothesis import given

from policy.calibration import stream
from policy.calibration.choosing import AssessmentChoice
from policy.calibration.cuts import Cuts
from policy.calibration.region import best, region
from policy.calibration.sweep import Axes, Rows, agreement
from tests.policy.calibration.drawn import ROWS, informed, seeded

COARSE = Axes(Cuts.even(20), Cuts.of([0.07, 0.29, 0.93]), Cuts.even(19))


@given(ROWS)
def test_the_best_combinations_are_those_of_the_grid(rows: Rows) -> None:
    agreed = agreement(rows, COARSE)
    whole = region(best(agreed), prefer=(10, 1, 7))
    found = stream.best(rows, COARSE, prefer=(10, 1, 7))
    assert (found.agreed, found.combinations, found.ranges) == (agreed.max(), whole.size, whole.ranges)
    assert found.region == whole
    assert agreed[found.first] == found.agreed


def test_crowded_levels_are_added_together() -> None:
    rows = informed(3000)
    found = stream.best(rows, Axes.even(20), prefer=(10, 10, 7))
    agreed = agreement(rows, Axes.even(20))
    assert (found.agreed, found.combinations) == (agreed.max(), (agreed == agreed.max()).sum())


def test_more_break_points_than_a_grid_holds_are_exact() -> None:
    rows = informed(300)
    jitter = np.random.default_rng(5).random((3, 300)) / 1000
    violates, missing, matches = np.clip(np.stack([rows.violates, rows.missing, rows.matches]) + jitter, 0, 1)
    fine = Rows(violates, missing, matches, rows.labels)
    axes = stream.fine_axes(fine)
    assert min(axes.shape) > 256
    found = stream.best(fine, axes, prefer=(0, 0, 0))
    assert found.agreed >= agreement(fine, Axes.even()).max()
    weights = np.ones((1, 300), dtype=np.int64)
    assert AssessmentChoice(fine, (0.5, 0.5, 0.35)).right(weights).sum() <= found.agreed


def test_beyond_a_thousand_break_points_thresholds_have_three_decimals() -> None:
    rows = seeded(3000, decimals=6)
    assert stream.fine_axes(rows).shape == (1001, 1001, 1001)
    assert stream.fine_axes(seeded(3000, decimals=2)).shape == (101, 101, 101)
