"""The range that a sample cannot separate: exact on small sets, valid on drawn ones."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from policy.calibration.cuts import Cuts
from policy.calibration.separation import Axis, separate

CUTS = Cuts.even()


def axis(scores: list[float], unsafe: list[bool], *, wrong_pass: float = 1, needless: float = 1) -> Axis:
    bad = np.array(unsafe)
    return Axis(np.array(scores), np.where(bad, 0.0, needless), np.where(bad, wrong_pass, 0.0))


def test_the_middle_of_the_best_plateau_is_chosen() -> None:
    found = separate(axis([0.2] * 30 + [0.8] * 30, [False] * 30 + [True] * 30), CUTS, prefer=0.5)
    assert found.chosen == pytest.approx(0.5, abs=0.01)
    assert (found.first, found.last) == (0.21, 0.8)


def test_four_rows_between_separate_nothing_but_five_do() -> None:
    for rows, first in ((4, 0.0), (5, 0.21)):
        found = separate(axis([0.2] * rows + [0.8] * 30, [False] * rows + [True] * 30), CUTS, prefer=0.5)
        assert found.first == first


def test_a_dear_mistake_needs_fewer_rows_to_be_ruled_out() -> None:
    scores, unsafe = [0.2] * 30 + [0.8] * 2, [False] * 30 + [True] * 2
    assert separate(axis(scores, unsafe), CUTS, prefer=0.5).last == 1.0
    assert separate(axis(scores, unsafe, wrong_pass=10), CUTS, prefer=0.5).last == 0.8


def test_rows_that_no_cut_decides_differently_widen_nothing() -> None:
    lonely = axis([0.2] * 30 + [0.8] * 30, [False] * 30 + [True] * 30)
    idle = Axis(
        np.append(lonely.scores, [0.5] * 50),
        np.append(lonely.reached_cost, [1.0] * 50),
        np.append(lonely.below_cost, [1.0] * 50),
    )
    assert separate(idle, CUTS, prefer=0.5) == separate(lonely, CUTS, prefer=0.5)


@given(st.lists(st.tuples(st.integers(0, 100), st.booleans()), min_size=1, max_size=60))
def test_the_chosen_cut_is_a_best_one_and_within_its_range(rows: list[tuple[int, bool]]) -> None:
    scores = np.array([score / 100 for score, _ in rows])
    bad = np.array([unsafe for _, unsafe in rows])
    found = separate(axis(list(scores), list(bad)), CUTS, prefer=0.5)
    right = [int(np.sum((scores >= cut) == bad)) for cut in CUTS.values]
    assert right[round(found.chosen * 100)] == max(right)
    assert found.first <= found.chosen <= found.last


def test_several_prices_are_tested_by_a_bet() -> None:
    rng = np.random.default_rng(7)
    bad = rng.random(400) < 0.5
    scores = np.where(bad, rng.beta(8, 2, 400), rng.beta(2, 8, 400)).round(2)
    mixed = Axis(scores, np.where(bad, 0.0, rng.choice([1.0, 2.0], 400)), np.where(bad, 5.0, 0.0))
    found = separate(mixed, CUTS, prefer=0.5)
    assert 0 < found.first <= found.chosen <= found.last < 1


@given(st.integers(0, 60), st.integers(0, 60), st.sampled_from([(1.0, 1.0), (10.0, 1.0), (1.0, 3.0)]))
def test_a_cut_is_kept_by_the_exact_binomial_on_the_rows_between(
    unsafe: int, safe: int, prices: tuple[float, float]
) -> None:
    """Rows at 0.5 lie between the cuts 0.5 and 0.51; many rows outside fix the prices."""
    scores, bad = [0.0] * 99 + [0.5] * (unsafe + safe) + [1.0] * 99, [False] * 99 + [True] * unsafe
    found = axis(scores, bad + [False] * safe + [True] * 99, wrong_pass=prices[0], needless=prices[1])
    passed_is_better = unsafe * prices[0] < safe * prices[1]
    share = prices[1] / sum(prices)
    test = (
        stats.binomtest(unsafe, unsafe + safe, share, "less" if passed_is_better else "greater")
        if unsafe + safe
        else None
    )
    kept = separate(found, CUTS, prefer=0.5)
    if test is not None and unsafe * prices[0] != safe * prices[1]:
        end = kept.first <= 0.5 if passed_is_better else kept.last > 0.5
        assert end == (test.pvalue > 0.05)
