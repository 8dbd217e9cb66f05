from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import Invalid
from arena.evidence.statistics import pairs
from arena.evidence.statistics.pairs import CaseRecord, Pair, Void

Started = Callable[..., list[CaseRecord]]


def test_a_case_enters_once_as_the_mean_of_its_repeats(started: Started) -> None:
    found = pairs.successes(started("01 01 11", "10 00 00", "11"))
    assert found.values == pytest.approx((2 / 3, -1 / 3, 0.0))
    assert not found.ternary


def test_only_the_row_up_to_the_first_open_case_counts(started: Started) -> None:
    records = [*started("01", "01"), CaseRecord("open", (), 1), CaseRecord("done", (Pair(1, 0),), 1)]
    found = pairs.successes(records)
    assert found.cases == ("case-1", "case-2")
    assert found.waiting == ("open", "done")


def test_a_case_with_a_repeat_to_come_is_open(started: Started) -> None:
    assert pairs.prefix(started("01 01", planned=3)) == []


@given(st.lists(st.text(min_size=1), unique=True, max_size=30), st.integers(0, 10**9), st.randoms())
def test_the_order_depends_on_the_seed_alone(names: list[str], seed: int, chance: object) -> None:
    mixed = list(names)
    chance.shuffle(mixed)  # type: ignore[attr-defined]
    assert pairs.shuffled(mixed, seed) == pairs.shuffled(names, seed)
    assert sorted(pairs.shuffled(names, seed)) == sorted(names)


def test_seeds_differ_and_a_case_named_twice_is_refused() -> None:
    names = [f"case-{number}" for number in range(20)]
    assert pairs.shuffled(names, 1) != pairs.shuffled(names, 2)
    with pytest.raises(Invalid, match="'case-3' is named twice"):
        pairs.shuffled([*names, "case-3"], 1)


def test_a_void_pair_leaves_and_is_told_with_its_reason() -> None:
    records = [CaseRecord("x", (Pair(1, None, Void("b", "provider answered 500")), Pair(0, 1)), 2)]
    found = pairs.successes(records)
    assert found.values == (1.0,)
    assert found.left == (pairs.Left("x", 1, "provider answered 500", "b"),)
    assert found.voids() == {"b": 1}


def test_counted_as_a_failure_a_void_pair_is_the_loss_of_the_arm_that_broke() -> None:
    records = [
        CaseRecord("b broke", (Pair(1, None, Void("b", "500")),)),
        CaseRecord("a broke", (Pair(None, 1, Void("a", "500")),)),
        CaseRecord("both broke", (Pair(None, None, Void("both", "500")),)),
        CaseRecord("not checked", (Pair(1, None),)),
    ]
    assert pairs.successes(records).values == ()
    assert pairs.successes_with_voids_as_failures(records).values == (-1.0, 1.0, 0.0, -1.0)


def test_an_unknown_number_is_never_zero() -> None:
    found = pairs.log_ratios([CaseRecord("x", (Pair(100, None),)), CaseRecord("y", (Pair(100, 50),))])
    assert found.cases == ("y",)
    assert found.left == (pairs.Left("x", 1, "no number for B"),)
    assert found.voids() == {}


def test_a_ratio_is_clipped_at_four_and_zeros_are_beyond_it() -> None:
    numbers = [(100, 200), (100, 50), (100, 900), (0, 0), (0, 5), (5, 0)]
    records = [CaseRecord(str(place), (Pair(a, b),)) for place, (a, b) in enumerate(numbers)]
    assert pairs.log_ratios(records).values == pytest.approx((0.5, -0.5, 1.0, 0.0, 1.0, -1.0))
    assert pairs.ratio(0.5) == pytest.approx(2.0)


@pytest.mark.parametrize("value", [0.5, 1.7, math.nan, -1.0])
def test_half_a_success_is_none_and_is_refused_by_name(value: float) -> None:
    with pytest.raises(Invalid, match=r"Repeat 2 of case 'x': a success of"):
        pairs.successes([CaseRecord("x", (Pair(1, 1), Pair(1, value)), 2)])


@pytest.mark.parametrize("value", [-3.0, math.inf, math.nan])
def test_an_amount_that_is_none_is_refused(value: float) -> None:
    with pytest.raises(Invalid, match="is no amount"):
        pairs.log_ratios([CaseRecord("x", (Pair(1, value),))])


def test_doubled_cases_and_surplus_pairs_are_refused(started: Started) -> None:
    with pytest.raises(Invalid, match="'case-1' was started twice"):
        pairs.prefix(started("01") + started("01"))
    with pytest.raises(Invalid, match="has 2 pairs where 1 were planned"):
        pairs.prefix(started("01 01", planned=1))
