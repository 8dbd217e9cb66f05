"""The near-best set: every combination meets the chosen one on the rows between them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from policy.calibration.near import JOINT_LEVEL, near_best
from policy.calibration.region import best, region
from policy.calibration.sweep import Axes, agreement, decided
from tests.policy.calibration.drawn import informed

AXES = Axes.even(10)


@pytest.mark.parametrize(("n", "level"), [(60, JOINT_LEVEL), (400, JOINT_LEVEL), (400, 0.05)])
def test_a_cell_is_kept_by_the_exact_binomial_on_the_rows_between(n: int, level: float) -> None:
    rows = informed(n)
    chosen = region(best(agreement(rows, AXES)), prefer=(5, 5, 3)).deepest
    kept = near_best(rows, AXES, chosen, level=level)
    right = {}
    for cell in np.ndindex(*AXES.shape):
        r, m, t = (step / 10 for step in cell)
        right[cell] = decided(rows, restriction=r, missing=m, match=t) == rows.labels
    for cell, hits in right.items():
        wins, losses = (right[chosen] & ~hits).sum(), (~right[chosen] & hits).sum()
        assert kept[cell] == (
            stats.binomtest(wins, wins + losses, alternative="greater").pvalue > level if wins else True
        )


def test_a_cell_that_is_better_than_the_chosen_one_is_kept() -> None:
    rows = informed(200)
    agreed = agreement(rows, AXES)
    kept = near_best(rows, AXES, (0, 0, 0), agreed=agreed)
    assert kept[best(agreed)].all()


def test_more_rows_separate_more() -> None:
    few, many = (near_best(informed(n), AXES, (5, 5, 5)).sum() for n in (60, 4000))
    assert many < few / 2
