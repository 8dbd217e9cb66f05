"""The cost of a lane under three models of the cache, worked out by hand, and what is unknown."""

from __future__ import annotations

import socket
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.evidence import cost
from arena.evidence.cost import Tokens
from arena.models import Event
from policy import model_prices
from policy.model_prices import Rates

RATES = Rates(Decimal(3), Decimal(15), Decimal("0.30"), Decimal("3.75"), "a table")
NO_WRITES = Rates(Decimal("0.25"), Decimal(2), Decimal("0.025"), None, "a table")
TALK = Tokens(input=30_000, output=1_000, cached=17_000, cache_write=11_000)
REQUESTS = (8_000, 10_000, 12_000)


def of(tokens: Tokens, rates: Rates | None = RATES, requests: tuple[int, ...] = REQUESTS) -> cost.Costs:
    return cost.of(tokens, requests, rates, unpriced="no price is known")


def test_as_billed_every_token_is_paid_once_at_its_own_price() -> None:
    # 2,000 plain at 3, 17,000 cached at 0.30, 11,000 written at 3.75, 1,000 out at 15, per million.
    assert of(TALK).billed.usd == Decimal("0.00600") + Decimal("0.00510") + Decimal("0.04125") + Decimal("0.01500")


def test_without_a_cache_all_input_is_plain() -> None:
    assert of(TALK).uncached.usd == Decimal("0.09") + Decimal("0.015")


def test_a_perfect_cache_reads_what_was_sent_before_and_writes_what_is_new() -> None:
    # Read again: 8,000 and 10,000; new: 8,000, 2,000 and 2,000.
    assert of(TALK).perfect.usd == Decimal("0.0054") + Decimal("0.045") + Decimal("0.015")


def test_where_writing_costs_nothing_more_it_is_plain_input() -> None:
    found = of(Tokens(17_903, 100, cached=17_817), NO_WRITES, (17_903,))
    # 86 plain and 17,817 cached are 17,903: nothing is counted twice.
    expected = (86 * Decimal("0.25") + 17_817 * Decimal("0.025") + 100 * Decimal(2)) / 1_000_000
    assert found.billed.usd == expected
    assert found.perfect.usd == (17_903 * Decimal("0.25") + 100 * Decimal(2)) / 1_000_000


@pytest.mark.parametrize(
    ("tokens", "rates", "which", "reason"),
    [
        (TALK, None, "billed", "no price is known"),
        (Tokens(None, 10), RATES, "uncached", "the agent does not report its tokens"),
        (Tokens(10, 10, None, 0), RATES, "billed", "the agent does not report its cached tokens"),
        (Tokens(10, 10, 0, None), RATES, "billed", "the agent does not report its newly cached tokens"),
        (Tokens(10, 10, 20, 0), RATES, "billed", "more cached tokens are reported than input"),
        (Tokens(10, 10, 0, 0), RATES, "perfect", "the agent reports no single requests"),
        (TALK, Rates(Decimal(3), None, None, None, ""), "billed", "the price of input or of output is unknown"),
        (TALK, Rates(Decimal(3), Decimal(15), None, None, ""), "perfect", "the price of cached input is unknown"),
    ],
)
def test_what_nobody_told_is_unknown_with_its_reason(
    tokens: Tokens, rates: Rates | None, which: str, reason: str
) -> None:
    money = getattr(of(tokens, rates), which)
    assert (money.usd, money.reason) == (None, reason)


def test_what_is_free_costs_nothing_even_where_no_token_is_told() -> None:
    free = Rates(Decimal(0), Decimal(0), None, None, "no model, no cost")
    assert [each.usd for each in (of(Tokens(None, None), free).billed, of(TALK, free).perfect)] == [0, 0]


@given(st.lists(st.integers(1, 50_000), min_size=1, max_size=12), st.integers(0, 9_000))
def test_a_perfect_cache_is_between_all_read_and_all_written(sizes: list[int], output: int) -> None:
    total = sum(sizes)
    found = cost.of(Tokens(total, output, 0, 0), tuple(sizes), RATES, unpriced="").perfect.usd
    assert found is not None
    paid = output * Decimal(15)
    assert total * Decimal("0.30") + paid <= found * 1_000_000 <= total * Decimal("3.75") + paid


@given(st.integers(0, 10**6), st.integers(0, 10**6), st.integers(0, 10**6), st.integers(0, 10**5))
def test_the_parts_of_a_bill_are_its_sum(plain: int, cached: int, written: int, output: int) -> None:
    tokens = Tokens(plain + cached + written, output, cached, written)
    parts = plain * Decimal(3) + cached * Decimal("0.30") + written * Decimal("3.75") + output * Decimal(15)
    assert cost.of(tokens, (), RATES, unpriced="").billed.usd == parts / 1_000_000


def used(*sums: int | None) -> list[Event]:
    return [Event(seq=n, kind="lane.usage", payload={"input_tokens": each}) for n, each in enumerate(sums)]


@pytest.mark.parametrize(
    ("sums", "requests"),
    [((100, 250, 250, 430), (100, 150, 180)), ((), ()), ((100, None, 300), ()), ((300, 200), ())],
)
def test_single_requests_are_read_off_the_running_sums(sums: tuple[int | None, ...], requests: tuple[int, ...]) -> None:
    assert cost.requests_of(used(*sums)) == requests


def test_the_bundled_table_knows_models_and_nothing_is_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("a price must not be looked up over the network")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    found = model_prices.bundled("anthropic", "claude-sonnet-4-5", day=date(2026, 11, 1))
    assert found is not None
    assert (found.input, found.output) == (Decimal(3), Decimal(15))
    assert (found.cached, found.cache_write) == (Decimal("0.3"), Decimal("3.75"))
    assert found.up_to == 200_000
    assert found.source.startswith("genai-prices ")


def test_a_model_that_the_table_does_not_know_has_no_price() -> None:
    assert model_prices.bundled("openai", "our-own-model", day=date(2026, 11, 1)) is None
    assert model_prices.bundled("our-own-host", "gpt-5-mini", day=date(2026, 11, 1)) is None
