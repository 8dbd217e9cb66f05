"""Distributions as they are reported."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy.judges.local.numbers import choice_confidence, logistic, score_confidence, six_decimals, softmax

logits = st.lists(st.floats(-50, 50), min_size=1, max_size=40)


@given(logits)
def test_six_decimals_add_up_to_exactly_one_million_millionths(values: list[float]) -> None:
    reported = six_decimals(softmax(values))
    assert sum(round(share * 1_000_000) for share in reported) == 1_000_000
    assert all(share == round(share, 6) for share in reported)


@given(logits)
def test_rounding_never_turns_two_options_around(values: list[float]) -> None:
    exact = softmax(values)
    pairs = sorted(zip(exact, six_decimals(exact), strict=True))
    assert all(low[1] <= high[1] for low, high in pairwise(pairs))


@given(logits)
def test_confidences_lie_between_zero_and_one(values: list[float]) -> None:
    distribution = softmax(values)
    assert 0 <= choice_confidence(distribution) <= 1
    assert 0 <= score_confidence(distribution) <= 1


def test_an_even_spread_has_no_confidence_and_a_peak_has_all() -> None:
    assert choice_confidence([0.25] * 4) == 0
    assert choice_confidence([0.0, 1.0]) == score_confidence([0.0, 1.0, 0.0]) == 1


def test_a_score_torn_between_the_ends_has_no_confidence() -> None:
    assert score_confidence([0.5, 0.0, 0.5]) == 0


@pytest.mark.parametrize(("log_odds", "expected"), [(0.0, 0.5), (800.0, 1.0), (-800.0, 0.0)])
def test_the_logistic_does_not_overflow(log_odds: float, expected: float) -> None:
    assert logistic(log_odds) == expected
