"""Curves over all thresholds, against counting row by row."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from policy.calibration.curves import hits, risk

ROWS = st.lists(st.tuples(st.integers(0, 20), st.booleans()), min_size=1, max_size=40)


@given(ROWS)
def test_each_threshold_counts_the_rows_that_reach_it(rows: list[tuple[int, bool]]) -> None:
    stated, true = np.array([value / 20 for value, _ in rows]), np.array([it for _, it in rows])
    found = hits(stated, true)
    for place, cut in enumerate(found.thresholds):
        assert found.hits[place] == (true & (stated >= cut)).sum()
        assert found.alarms[place] == (~true & (stated >= cut)).sum()
        assert found.precision[place] == true[stated >= cut].mean()
    assert (found.hits[-1], found.alarms[-1]) == (found.positive, found.negative)


@given(ROWS)
def test_the_area_is_the_statistic_of_mann_and_whitney(rows: list[tuple[int, bool]]) -> None:
    stated, true = np.array([value / 20 for value, _ in rows]), np.array([it for _, it in rows])
    found = hits(stated, true)
    if not found.positive or not found.negative:
        assert found.area is None
    else:
        pairs = found.positive * found.negative
        assert found.area == pytest.approx(stats.mannwhitneyu(stated[true], stated[~true]).statistic / pairs)


def test_nothing_is_known_of_a_side_without_rows() -> None:
    found = hits(np.array([0.2, 0.9]), np.array([True, True]))
    assert np.isnan(found.alarm_rate).all()
    assert found.recall.tolist() == [0.5, 1]


def test_handling_fewer_rows_risks_less() -> None:
    found = risk(np.array([0.9, 0.9, 0.6, 0.2]), np.array([True, True, True, False]))
    assert found.coverage.tolist() == [0.5, 0.75, 1]
    assert found.risk.tolist() == [0, 0, 0.25]
