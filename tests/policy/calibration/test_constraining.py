"""A case constrains where the best set would be another one without it."""

from __future__ import annotations

import numpy as np
from hypothesis import given

from policy.calibration.constraining import constrains
from policy.calibration.cuts import Cuts
from policy.calibration.region import best
from policy.calibration.sweep import Axes, Rows, agreement
from tests.policy.calibration.drawn import ROWS, informed

AXES = Axes(Cuts.even(20), Cuts.even(19), Cuts.of([0.07, 0.3, 0.5, 0.93]))


def without(rows: Rows, row: int) -> Rows:
    return rows.taken(np.delete(np.arange(len(rows)), row))


def left_out(rows: Rows, axes: Axes) -> list[bool]:
    whole = best(agreement(rows, axes))
    return [not np.array_equal(best(agreement(without(rows, row), axes)), whole) for row in range(len(rows))]


@given(ROWS)
def test_it_is_what_leaving_each_row_out_shows(rows: Rows) -> None:
    assert constrains(rows, AXES, agreement(rows, AXES)).tolist() == left_out(rows, AXES)


def test_most_cases_of_a_large_set_hold_nothing_in_place() -> None:
    rows = informed(80)
    found = constrains(rows, Axes.even(), agreement(rows, Axes.even()))
    assert found.tolist() == left_out(rows, Axes.even())
    assert 0 < found.sum() < 80
