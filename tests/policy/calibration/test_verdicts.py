"""When a recommendation is refused, provisional or ok, and a question that reads backwards."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from policy.calibration.verdicts import Standing, judge_sample, polarity

RNG = np.random.default_rng(1)
HIGH, LOW = RNG.beta(8, 2, 300), RNG.beta(2, 8, 300)


@pytest.mark.parametrize(
    ("positive", "negative", "width", "standing"),
    [
        (24, 25, 0.1, Standing.REFUSED),
        (25, 25, 0.1, Standing.PROVISIONAL),
        (14, 200, 0.1, Standing.REFUSED),
        (15, 200, 0.1, Standing.PROVISIONAL),
        (100, 99, 0.1, Standing.PROVISIONAL),
        (49, 200, 0.1, Standing.PROVISIONAL),
        (100, 100, 0.26, Standing.PROVISIONAL),
        (100, 100, 0.25, Standing.OK),
        (200, 50, 0.1, Standing.OK),
    ],
)
def test_the_edges(positive: int, negative: int, width: float, standing: Standing) -> None:
    verdict = judge_sample(positive=HIGH[:positive], negative=LOW[:negative], width=width)
    assert verdict.standing is standing
    assert bool(verdict.reasons) is (standing is not Standing.OK)


def test_rows_of_the_kind_that_are_on_no_side_count_for_its_size() -> None:
    assert judge_sample(positive=HIGH[:60], negative=LOW[:60], width=0.1, rows=200).standing is Standing.OK


def test_a_question_that_reads_backwards_is_refused_with_its_number() -> None:
    verdict = judge_sample(positive=LOW, negative=HIGH, width=0.1)
    assert verdict.standing is Standing.REFUSED
    assert "backwards" in verdict.reasons[0]


def test_a_question_that_says_nothing_is_refused() -> None:
    assert "no signal" in judge_sample(positive=HIGH[:150], negative=HIGH[150:], width=0.1).reasons[0]
    assert polarity(np.full(40, 0.5), np.full(40, 0.5)) == 0
    assert polarity(HIGH, np.array([])) is None


@given(st.lists(st.integers(0, 20), min_size=2, max_size=30), st.lists(st.integers(0, 20), min_size=2, max_size=30))
def test_polarity_is_the_normal_form_of_mann_and_whitney(ones: list[int], others: list[int]) -> None:
    z = polarity(np.array(ones) / 20, np.array(others) / 20)
    assert z is not None
    if len({*ones, *others}) > 1:
        test = stats.mannwhitneyu(ones, others, alternative="greater", method="asymptotic", use_continuity=False)
        assert stats.norm.sf(z) == pytest.approx(test.pvalue)


@pytest.mark.parametrize(("n", "least"), [(20, 0.45), (50, 0.9)])
def test_reversed_questions_are_caught_as_often_as_stated(n: int, least: float) -> None:
    """AUC 0.2: positive rows one and a fifth standard deviations lower."""
    rng = np.random.default_rng(9)
    caught = 0
    for _ in range(300):
        half = n // 2
        z = polarity(rng.normal(-1.19, 1, half), rng.normal(0, 1, half))
        caught += z is not None and z < -2.33
    assert caught / 300 >= least
