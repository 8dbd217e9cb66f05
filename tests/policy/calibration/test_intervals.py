"""Wilson's interval, against scipy."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from policy.calibration.intervals import wilson


@given(st.integers(1, 500), st.data())
def test_it_is_scipys_where_the_number_of_cases_is_whole(n: int, data: st.DataObject) -> None:
    hits = data.draw(st.integers(0, n))
    expected = stats.binomtest(hits, n).proportion_ci(method="wilson")
    assert wilson(hits / n, n) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_no_cases_know_nothing() -> None:
    assert wilson(0.5, 0) == (0.0, 1.0)
