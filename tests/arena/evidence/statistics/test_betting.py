from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.evidence.statistics import betting

FIFTHS = st.integers(-5, 5).map(lambda number: number / 5)
BAR = math.log(20)


def test_eight_straight_wins_are_evidence_and_seven_are_not() -> None:
    wealth = np.exp(betting.log_wealth([1.0] * 8, 0.0))
    assert wealth[7] == pytest.approx(256 / 9, rel=1e-12)
    assert wealth[6] == pytest.approx(128 / 8, rel=1e-12)
    assert betting.reached(np.log(wealth), 0.05) == 8


def test_twelve_wins_and_two_losses_are_twelve() -> None:
    assert math.exp(float(betting.log_wealth_of_signs(12, 2))) == pytest.approx(2**14 / (15 * math.comb(14, 2)))


def test_one_sided_wealth_by_hand() -> None:
    # The mean over u in (0, 1) of 1 + u (d - m) / (1 + m), for d = 1 and m = -0.1: 1 + 1.1 / 0.9 / 2.
    assert math.exp(betting.log_wealth([1.0], -0.1, side="above")[-1]) == pytest.approx(1 + 1.1 / 0.9 / 2, rel=1e-12)
    assert math.exp(betting.log_wealth([1.0], -0.1, side="below")[-1]) == pytest.approx(0.5, rel=1e-12)


@given(st.lists(st.sampled_from([-1.0, 0.0, 1.0]), min_size=1, max_size=200))
def test_the_sum_over_stakes_is_the_closed_form(values: list[float]) -> None:
    numbers = np.array(values)
    closed = betting.log_wealth_of_signs(np.cumsum(numbers > 0), np.cumsum(numbers < 0))
    assert betting.log_wealth(numbers, 0.0) == pytest.approx(closed, abs=1e-11)


@given(st.lists(FIFTHS, min_size=1, max_size=60), st.floats(-0.95, 0.95), st.sampled_from(["both", "above", "below"]))
def test_counts_say_what_the_row_says(values: list[float], mean: float, side: betting.Side) -> None:
    seen, counts = np.unique(values, return_counts=True)
    row = betting.log_wealth(values, mean, side=side)[-1]
    assert float(betting.log_wealth_of_counts(seen, counts, mean, side=side)) == pytest.approx(row, abs=1e-9)


@given(FIFTHS, FIFTHS, st.floats(0.01, 0.99), st.floats(-0.9, 0.9))
def test_a_fair_bet_wins_nothing_on_average(low: float, high: float, share: float, mean: float) -> None:
    # Two values with chances that make `mean` the true mean.
    if not min(low, high) <= mean <= max(low, high) or low == high:
        return
    chance = (mean - low) / (high - low)
    average = sum(
        weight * math.exp(betting.log_wealth([value], mean)[-1])
        for value, weight in ((high, chance), (low, 1 - chance))
    )
    assert average == pytest.approx(1.0, abs=1e-12)


@given(st.lists(FIFTHS, min_size=1, max_size=40))
def test_the_interval_is_what_no_look_has_ruled_out(values: list[float]) -> None:
    found = betting.interval(values)
    for mean in np.linspace(-0.99, 0.99, 23):
        left = betting.log_wealth(values, float(mean)).max() < BAR
        assert left == (found is not None and found[0] < mean < found[1])


def test_the_widths_at_equal_wins() -> None:
    # Half the width with 10, 20 and 30 % discordant, as published beside the method.
    for pairs, discordant, half in ((20, 0.1, 0.30), (40, 0.2, 0.24), (100, 0.3, 0.17), (400, 0.1, 0.05)):
        one = round(pairs * discordant / 2)
        low, high = half - 0.006, half + 0.006
        logs = [
            float(betting.log_wealth_of_counts([-1, 0, 1], [one, pairs - 2 * one, one], mean)) for mean in (low, high)
        ]
        assert logs[0] < BAR < logs[1]


def test_without_a_case_every_mean_is_left() -> None:
    assert betting.interval([]) == (-1.0, 1.0)
    assert betting.chance(betting.log_wealth([], 0.0)) == 1.0


def test_cases_at_odds_with_any_one_mean_leave_none() -> None:
    assert betting.interval([1.0] * 60 + [-1.0] * 300) is None


@pytest.mark.parametrize("value", [1.2, -7.0, math.nan])
def test_a_difference_outside_its_range_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="outside"):
        betting.log_wealth([0.0, value], 0.0)


@pytest.mark.parametrize("mean", [1.0, -1.0, 2.0])
def test_the_edge_itself_cannot_be_bet_against(mean: float) -> None:
    with pytest.raises(ValueError, match="between"):
        betting.log_wealth([0.0], mean)
