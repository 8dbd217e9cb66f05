from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.evidence.statistics.verdicts import Verdict, Word, verdict
from tests.arena.evidence.statistics.conftest import series

VALUES = st.lists(st.integers(-3, 3).map(lambda number: number / 3), max_size=60)
# Mostly one direction, so that words are reached.
LEANING = st.lists(st.sampled_from([1.0, 1.0, 1.0, 1.0, 0.0, -1.0]), min_size=1, max_size=60)
FLIPPED = {Word.BETTER: Word.WORSE, Word.WORSE: Word.BETTER}


def test_eight_straight_wins_are_better() -> None:
    found = verdict(series([1] * 8))
    assert (found.word, found.at) == (Word.BETTER, 8)
    assert found.p == pytest.approx(9 / 256)
    assert found.low is not None
    assert found.low > 0
    assert found.high == 1.0


def test_seven_are_inconclusive() -> None:
    assert verdict(series([1] * 7)).word == Word.INCONCLUSIVE


def test_many_ties_are_no_difference_within_ten_points() -> None:
    found = verdict(series([0] * 100))
    assert found.word == Word.SAME
    assert found.at is not None
    assert found.at < 60
    assert found.p == 1.0


def test_a_narrower_margin_takes_longer() -> None:
    wide, narrow = (verdict(series([0] * 200), margin=margin) for margin in (0.10, 0.05))
    assert wide.at is not None
    assert narrow.at is not None
    assert wide.at < narrow.at


def test_nothing_is_inconclusive_with_every_mean_left() -> None:
    found = verdict(series([]))
    assert (found.word, found.mean, found.low, found.high, found.p) == (Word.INCONCLUSIVE, None, -1.0, 1.0, 1.0)


def test_of_amounts_less_is_better_and_the_figure_is_a_ratio() -> None:
    found = verdict(series([-0.5] * 30), direction="lower", scale="ratio")
    middle, low, high = found.shown()
    assert found.word == Word.BETTER
    assert middle == pytest.approx(0.5)
    assert low is not None
    assert high is not None
    assert low < 0.5 < high < 1


def test_a_margin_outside_its_range_is_refused() -> None:
    with pytest.raises(ValueError, match="margin"):
        verdict(series([0]), margin=1.5)


@given(VALUES | LEANING)
def test_swapping_the_arms_flips_the_word_and_mirrors_the_interval(values: list[float]) -> None:
    one, other = verdict(series(values)), verdict(series([-value for value in values]))
    assert other.word == FLIPPED.get(one.word, one.word)
    assert other.at == one.at
    assert other.p == pytest.approx(one.p)
    assert other.p_same == pytest.approx(one.p_same)
    if one.low is not None and one.high is not None:
        assert other.low == pytest.approx(-one.high, abs=1e-8)
        assert other.high == pytest.approx(-one.low, abs=1e-8)


@given(VALUES | LEANING, st.sampled_from([-1.0, -1 / 3, 0.0, 1.0]))
def test_one_more_case_never_takes_a_word_back(values: list[float], added: float) -> None:
    before, after = verdict(series(values)), verdict(series([*values, added]))
    if before.word != Word.INCONCLUSIVE:
        assert (after.word, after.at) == (before.word, before.at)
    assert after.p <= before.p
    assert after.p_same <= before.p_same


@given(VALUES | LEANING)
def test_number_and_word_never_contradict_each_other(values: list[float]) -> None:
    found = verdict(series(values))
    excluded = found.low is not None and found.high is not None and (found.low > 0 or found.high < 0)
    empty = found.low is None
    assert (found.p <= 0.05) == (excluded or empty)
    assert found.word not in (Word.BETTER, Word.WORSE) or found.p <= 0.05
    assert found.word == Word.INCONCLUSIVE or found.at is not None


@given(LEANING)
def test_the_ends_are_where_the_wealth_reaches_twenty(values: list[float]) -> None:
    found: Verdict = verdict(series(values))
    from arena.evidence.statistics import betting

    for end in (found.low, found.high):
        if end is not None and abs(end) < 1:
            assert betting.log_wealth(values, end).max() == pytest.approx(math.log(20), abs=1e-6)
