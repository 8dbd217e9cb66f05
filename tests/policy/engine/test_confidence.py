"""The official confidence formulas, on recorded answers and at their ends."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy.engine import confidence
from policy.engine.answers import ChoiceAnswer, NoulAnswer, ScoreAnswer


def test_the_live_score_of_seed_001_agrees_within_rounding() -> None:
    shares = {"0": 0.01, "1": 0.23, "2": 0.66, "3": 0.1, "4": 0.0}
    assert confidence.computed(ScoreAnswer(1.85, shares, 0.71)) == pytest.approx(0.71, abs=0.02)


@pytest.mark.parametrize(
    ("shares", "expected"),
    [([1.0], 1), ([0.5, 0.5], 0), ([1.0, 0.0, 0.0], 1), ([0.5, 0.5, 0.0, 0.0], 1 / 3), ([0.7, 0.3], 0.4)],
)
def test_a_choice_is_as_sure_as_its_peak_stands_above_an_even_spread(shares: list[float], expected: float) -> None:
    probabilities = {f"label {place}": share for place, share in enumerate(shares)}
    assert confidence.computed(ChoiceAnswer("label 0", probabilities, 0.9)) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("shares", "expected"),
    [
        ([1.0], 1),
        ([0.0, 1.0, 0.0], 1),
        ([0.56, 0.05, 0.39], 0),
        ([0.0, 0.5, 0.5], 0.25),
        ([0.24, 0.76, 0.0, 0.0], 0.76),
    ],
)
def test_a_score_is_as_sure_as_its_levels_lie_close(shares: list[float], expected: float) -> None:
    assert confidence.of_score({str(level): share for level, share in enumerate(shares)}) == pytest.approx(expected)


def test_a_noul_has_no_confidence() -> None:
    assert confidence.computed(NoulAnswer(0.9)) is None


@given(st.lists(st.integers(0, 100), min_size=1, max_size=10).filter(any))
def test_a_computed_confidence_is_a_number_from_0_to_1(counts: list[int]) -> None:
    shares = {str(place): count / sum(counts) for place, count in enumerate(counts)}
    assert 0 <= confidence.of_choice(shares) <= 1
    assert 0 <= confidence.of_score(shares) <= 1
