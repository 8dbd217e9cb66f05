"""Drift: Fisher's exact test on both samples, and when there is too little to say."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from policy.calibration.drift import Drift, check, rows_for, seen


@given(st.integers(1, 60), st.integers(1, 60), st.data())
def test_the_chance_is_fishers(size: int, rows: int, data: st.DataObject) -> None:
    before, now = data.draw(st.integers(0, size)), data.draw(st.integers(0, rows))
    table = np.array([[now, rows - now], [before, size - before]])
    assert check((before, size), (now, rows)).p == pytest.approx(stats.fisher_exact(table, alternative="less").pvalue)


@pytest.mark.parametrize(
    ("recorded", "fresh", "verdict"),
    [
        ((380, 400), (170, 200), Drift.DRIFTED),
        ((380, 400), (190, 200), Drift.STABLE),
        ((114, 120), (57, 60), Drift.UNKNOWN),
        ((380, 400), (0, 0), Drift.UNKNOWN),
        ((0, 0), (50, 50), Drift.UNKNOWN),
    ],
)
def test_stable_is_said_only_where_a_drop_would_have_been_seen(
    recorded: tuple[int, int], fresh: tuple[int, int], verdict: Drift
) -> None:
    assert check(recorded, fresh).verdict is verdict


@pytest.mark.parametrize(("size", "rows", "power"), [(120, 60, 0.49), (400, 100, 0.84), (400, 200, 0.97)])
def test_a_fall_from_95_to_85_is_seen_as_often_as_stated(size: int, rows: int, power: float) -> None:
    found = 0.0
    for right in range(round(0.85 * size), size + 1):
        found += float(stats.binom.pmf(right, size, 0.95)) * seen((right, size), rows, drop=right / size - 0.85)
    assert found == pytest.approx(power, abs=0.02)


def test_the_rows_to_measure_are_the_fewest_that_do() -> None:
    rows = rows_for((380, 400))
    assert rows is not None
    assert seen((380, 400), rows) >= 0.8
    assert rows_for((10, 12)) is None


@pytest.mark.parametrize("size", [60, 120, 400])
def test_without_drift_the_alarm_is_rare(size: int) -> None:
    """Both samples from one accuracy of 0.95: the exact chance of an alarm, over all outcomes."""
    alarm = 0.0
    for before in range(size + 1):
        weight = float(stats.binom.pmf(before, size, 0.95))
        if weight > 1e-6:
            alarm += weight * seen((before, size), size, drop=before / size - 0.95)
    assert alarm <= 0.025
