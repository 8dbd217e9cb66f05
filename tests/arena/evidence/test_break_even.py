"""Break-even under prompt caching: the worked table of the method, and rules that hold for every talk."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.evidence.break_even import CachePrices, Talk, anew, break_even_share, break_even_turn, full, ways

USUAL = CachePrices(1.25, 0.1)
NONE = CachePrices(1.0, 1.0)
talks = st.builds(Talk, st.floats(100, 50_000), st.floats(0, 10_000), st.floats(0, 3_000))
shares = st.floats(0.01, 1)
prices = st.builds(CachePrices, st.floats(1, 2), st.floats(0, 1))


@pytest.mark.parametrize(("turns", "share"), [(3, 0.483), (10, 0.215), (20, 0.158), (50, 0.123)])
def test_a_prompt_that_is_nothing_but_the_menu(turns: int, share: float) -> None:
    assert break_even_share(Talk(20_000), turns, USUAL) == pytest.approx(share, abs=0.0006)
    assert break_even_share(Talk(20_000), turns, USUAL) == pytest.approx((1.25 + 0.1 * (turns - 1)) / turns)


@pytest.mark.parametrize(
    ("growth", "at_3", "at_10", "at_50"),
    [(0, 0.432, 0.137, 0.035), (200, 0.425, 0.099, None), (1_000, 0.399, None, None)],
)
def test_with_a_history_the_share_falls_and_may_be_below_nothing(
    growth: int, at_3: float | None, at_10: float | None, at_50: float | None
) -> None:
    talk = Talk(20_000, 2_000, growth)
    for turns, share in ((3, at_3), (10, at_10), (50, at_50)):
        found = break_even_share(talk, turns, USUAL)
        assert found < 0 if share is None else found == pytest.approx(share, abs=0.0006)


def test_selected_once_and_kept_beats_every_change() -> None:
    found = ways(Talk(20_000, 2_000, 1_000), 0.2, 10, USUAL)
    assert (round(found.kept, 2), round(found.changed_once, 2)) == (0.47, 0.64)
    assert (round(found.anew_uncached, 2), round(found.anew_written, 2)) == (1.79, 2.24)


def test_the_selectors_bill_lowers_the_share_by_its_size_over_the_menus() -> None:
    talk = Talk(20_000, 2_000, 200)
    free, paid = (break_even_share(talk, 3, USUAL, selector=tokens) for tokens in (0, 1_000))
    assert free - paid == pytest.approx(0.05)


@given(talks, st.integers(1, 40), prices)
def test_at_the_break_even_share_both_sides_cost_the_same(talk: Talk, turns: int, given_prices: CachePrices) -> None:
    share = break_even_share(talk, turns, given_prices)
    assert anew(talk, share, turns) == pytest.approx(full(talk, turns, given_prices), rel=1e-9, abs=1e-6)


@given(talks, shares, prices)
def test_up_to_the_break_even_turn_it_pays_and_after_it_does_not(
    talk: Talk, share: float, given_prices: CachePrices
) -> None:
    turn = break_even_turn(talk, share, given_prices)
    if turn is None:
        return
    slack = 1e-9 * full(talk, turn + 1, given_prices)
    assert turn == 0 or anew(talk, share, turn) <= full(talk, turn, given_prices) + slack
    assert anew(talk, share, turn + 1) >= full(talk, turn + 1, given_prices) - slack


@given(talks, shares)
def test_without_a_cache_a_smaller_menu_always_pays(talk: Talk, share: float) -> None:
    if share < 0.999:
        assert break_even_turn(talk, share, NONE) is None
    assert break_even_share(talk, 7, NONE) == pytest.approx(1)
