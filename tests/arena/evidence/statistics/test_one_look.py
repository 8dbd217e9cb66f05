from __future__ import annotations

import math

import pytest

from arena.evidence.statistics import fixed, totals
from arena.evidence.statistics.pairs import CaseRecord, Pair
from tests.arena.evidence.statistics.conftest import series


def test_mcnemar_by_hand() -> None:
    # Two-sided, 12 : 2 of 14: 2 (1 + 14 + 91) / 2^14.
    found = fixed.one_look(series([1] * 12 + [-1] * 2 + [0] * 26))
    assert (found.wins, found.losses, found.ties) == (12, 2, 26)
    assert found.p == pytest.approx(2 * (1 + 14 + 91) / 2**14)
    assert found.test == "exact McNemar"


def test_with_repeats_it_is_the_sign_test() -> None:
    assert fixed.one_look(series([0.4, -0.2])).test == "sign test on case means"


def test_the_t_interval_by_hand() -> None:
    # Mean 0.25, sd 0.5, n = 4, t(3) = 3.182446.
    assert fixed.t_interval((0.0, 0.0, 0.0, 1.0)) == pytest.approx((0.25 - 3.182446 * 0.25, 0.25 + 3.182446 * 0.25))


def test_without_a_discordant_pair_there_is_no_t_interval() -> None:
    found = fixed.one_look(series([0, 0, 0]))
    assert (found.t, found.p) == (None, 1.0)


def test_the_bootstrap_says_how_it_was_drawn_and_repeats_itself() -> None:
    first, again = (fixed.one_look(series([1, 0, 0, -1, 1]), draws=200) for _ in range(2))
    assert first == again
    assert first.to_json()["generator"].startswith("numpy.random.Generator(PCG64")
    assert first.bootstrap is not None
    assert first.bootstrap[0] <= 0.2 <= first.bootstrap[1]


def test_the_total_ratio_and_its_interval_by_hand() -> None:
    low, high, reason = totals.fieller([1.0, 2.0, 3.0], [1.0, 1.0, 2.0])
    assert reason == "the baseline's total is not surely above 0"
    a, b = [9.0, 10.0, 11.0, 10.0], [5.0, 5.0, 6.0, 5.0]
    low, high, reason = totals.fieller(a, b)
    assert low is not None
    assert high is not None
    for end in (low, high):
        gaps = [y - end * x for x, y in zip(a, b, strict=True)]
        mean = sum(gaps) / 4
        error = math.sqrt(sum((gap - mean) ** 2 for gap in gaps) / 3 / 4)
        assert abs(mean) == pytest.approx(3.182446305284263 * error)
    assert low < 21 / 40 < high


def test_totals_count_pairs_with_both_numbers_only() -> None:
    records = [
        CaseRecord("x", (Pair(100, 50), Pair(100, None)), 2),
        CaseRecord("y", (Pair(300, 150),)),
        CaseRecord("open", (), 1),
        CaseRecord("z", (Pair(1, 1),)),
    ]
    found = totals.totals(records)
    assert (found.cases, found.missing, found.ratio) == (("x", "y"), 1, 0.5)


def test_one_case_has_no_interval_and_says_so() -> None:
    found = totals.totals([CaseRecord("x", (Pair(0, 50),))])
    assert (found.ratio, found.low, found.reason) == (None, None, "fewer than two cases have both numbers")
