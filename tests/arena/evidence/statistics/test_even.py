from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.evidence.statistics import betting
from arena.evidence.statistics.even import even
from tests.arena.evidence.statistics.conftest import series

TENTHS = st.lists(st.integers(-10, 10).map(lambda number: number / 10), min_size=1, max_size=40)


def test_eight_cases_leave_out_what_lies_beyond_all_of_them() -> None:
    # Above the largest and below the smallest of eight all signs agree, and eight straight wins are evidence.
    found = even(series([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]))
    assert found.low == pytest.approx(0.1)
    assert found.high == pytest.approx(0.8)
    assert found.at == pytest.approx(0.45)


def test_seven_leave_everything() -> None:
    found = even(series([0.1] * 7))
    assert (found.low, found.high) == (-1.0, 1.0)


def test_one_case_that_is_a_hundred_times_as_dear_moves_nothing() -> None:
    usual = [-0.5, -0.4, -0.3, -0.45, -0.35] * 4
    assert even(series([*usual, 1.0])).at == pytest.approx(-0.4)


@given(TENTHS)
def test_the_ends_are_those_of_every_point_that_stands(values: list[float]) -> None:
    found = even(series(values))
    grid = np.arange(-99, 100) / 100

    def stands(point: float) -> bool:
        signs = np.sign(np.round(np.array(values) - point, 9))
        return float(betting.log_wealth_of_signs((signs > 0).cumsum(), (signs < 0).cumsum()).max()) < math.log(20)

    standing = [point for point in grid if stands(float(point))]
    if found.low is None or found.high is None:
        assert not standing
        return
    assert all(found.low - 1e-9 <= point <= found.high + 1e-9 for point in standing)
    assert not standing or found.low >= min(standing) - 0.11


def test_without_a_case_nothing_is_known() -> None:
    assert even(series([])).at is None
