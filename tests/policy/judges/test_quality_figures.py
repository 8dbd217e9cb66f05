"""The figures of a quality report, against what is known by hand."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy.judges.quality import calibration
from policy.judges.quality.asking import Answered, Ranked, Stated
from policy.judges.quality.figures import auc, figures
from policy.judges.quality.intervals import rate, resampled

scored = st.lists(st.tuples(st.sampled_from([0.1, 0.3, 0.5, 0.9]), st.booleans()), min_size=1, max_size=30)


def test_a_rate_has_wilsons_interval() -> None:
    found = rate([True] * 8 + [False] * 2)
    assert (found.value, found.n) == (0.8, 10)
    assert [found.low, found.high] == pytest.approx([0.4902, 0.9433], abs=1e-4)


def test_a_rate_of_nothing_is_unknown_and_not_zero() -> None:
    assert rate([]).to_json() == {"value": None, "low": None, "high": None, "n": 0}


@given(scored)
def test_auc_counts_the_pairs_that_stand_right(pairs: list[tuple[float, bool]]) -> None:
    yes, no = ([value for value, label in pairs if label is wanted] for wanted in (True, False))
    expected = sum((high > low) + (high == low) / 2 for high in yes for low in no)
    found = auc(pairs)
    assert found is None if not yes or not no else found == pytest.approx(expected / (len(yes) * len(no)))


@given(scored)
def test_the_interval_holds_and_comes_out_again(pairs: list[tuple[float, bool]]) -> None:
    first, again = (resampled(pairs, calibration.brier) for _ in range(2))
    assert first == again
    assert first.low is not None
    assert first.high is not None
    assert 0 <= first.low <= first.high <= 1


def test_true_probabilities_have_no_error_beyond_chance() -> None:
    true = [(0.2, n % 5 == 0) for n in range(100)] + [(0.8, n % 5 != 0) for n in range(100)]
    found = calibration.error(true)
    assert found["value"] == found["low"] == 0
    assert found["plug_in"] <= found["chance"]["p95"]


def test_too_sure_probabilities_are_seen() -> None:
    found = calibration.error([(0.95, n % 2 == 0) for n in range(100)])
    assert found["value"] == pytest.approx(0.45, abs=0.02)
    assert found["low"] > 0.3
    assert found["plug_in"] > found["chance"]["p95"]


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=200))
def test_bins_hold_every_answer_once_and_equal_ones_together(pairs: list[tuple[float, bool]]) -> None:
    groups = calibration._groups(pairs)
    assert sorted(pair for group in groups for pair in group) == sorted(pairs)
    edges = [{p for p, _ in group} for group in groups]
    assert all(not one & other for one, other in itertools.pairwise(edges))


def test_ranks_and_the_none_label_are_counted_apart() -> None:
    answers: list[Answered] = [
        Ranked("en", 10, 0.0, 0.1, 0.8, True),
        Ranked("en", 10, 2.0, 0.2, 0.5, False),
        Ranked("de", 30, None, 0.9, 0.9, True),
        Stated("matches_task", "en", 0.7, True),
    ]
    found = figures(answers)
    assert (found["n"], found["top1"]["value"], found["top3"]["value"]) == (4, 0.5, 1.0)
    assert found["mrr"]["value"] == pytest.approx(2 / 3, abs=1e-4)
    assert (found["none_auc"]["value"], found["none_auc"]["n"]) == (1.0, 3)
    assert found["auc"]["matches_task"] == {"value": None, "low": None, "high": None, "n": 1}
