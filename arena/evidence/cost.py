"""What the agent of a lane cost, under three models of the provider's prompt cache.

- as billed: what was reported; cached and newly cached tokens at prices of their own.
- no cache: every token of input at the plain price.
- perfect cache: whatever was sent before in this lane is read from the cache, all that is new is written to it.

The third needs the input of every single request; an agent that reports only a sum leaves it unknown. Unknown is
never 0: a price, a count or a split that nobody told leaves the figure open, with the reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

from arena.models import Event
from policy.model_prices import Rates

MILLION = Decimal(1_000_000)


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens of a lane; `input` has the cached and the newly cached ones in it. None is unknown."""

    input: int | None
    output: int | None
    cached: int | None = None
    cache_write: int | None = None


@dataclass(frozen=True, slots=True)
class Money:
    """USD; None is unknown, and then `reason` says why."""

    usd: Decimal | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Costs:
    """The same work under the three models; `source` names the table that the prices are from."""

    billed: Money
    uncached: Money
    perfect: Money
    source: str


def of(tokens: Tokens, requests: Sequence[int], rates: Rates | None, *, unpriced: str) -> Costs:
    """`requests` is the input of every request in order; `unpriced` says why there are no rates, if so."""
    if rates is None:
        return _alike(Money(None, unpriced), "")
    if rates.free:
        return _alike(Money(Decimal(0)), rates.source)
    if missing := _missing(tokens, rates):
        return _alike(Money(None, missing), rates.source)
    return Costs(_billed(tokens, rates), _uncached(tokens, rates), _perfect(tokens, requests, rates), rates.source)


def _alike(money: Money, source: str) -> Costs:
    return Costs(money, money, money, source)


def requests_of(events: Sequence[Event]) -> tuple[int, ...]:
    """The input tokens of every request of a lane, read off its running sums; empty where one of them is unknown."""
    sums = [event.payload["input_tokens"] for event in events if event.kind == "lane.usage"]
    if None in sums:
        return ()
    grown = [later - earlier for earlier, later in pairwise([0, *sums]) if later != earlier]
    return tuple(grown) if all(each > 0 for each in grown) else ()


def _missing(tokens: Tokens, rates: Rates) -> str:
    if tokens.input is None or tokens.output is None:
        return "the agent does not report its tokens"
    if rates.input is None or rates.output is None:
        return "the price of input or of output is unknown"
    return ""


def _billed(tokens: Tokens, rates: Rates) -> Money:
    assert tokens.input is not None
    assert tokens.output is not None
    parts: list[tuple[int, Decimal | None]] = [(tokens.output, rates.output)]
    plain = tokens.input
    for count, price, words in (
        (tokens.cached, rates.cached, "cached"),
        (tokens.cache_write, rates.cache_write, "newly cached"),
    ):
        if price is None:
            continue  # They are billed as plain input.
        if count is None:
            return Money(None, f"the agent does not report its {words} tokens")
        plain -= count
        parts.append((count, price))
    if plain < 0:
        return Money(None, "more cached tokens are reported than input")
    return Money(_sum([(plain, rates.input), *parts]))


def _uncached(tokens: Tokens, rates: Rates) -> Money:
    return Money(_sum([(tokens.input, rates.input), (tokens.output, rates.output)]))


def _perfect(tokens: Tokens, requests: Sequence[int], rates: Rates) -> Money:
    if rates.cached is None:
        return Money(None, "the price of cached input is unknown")
    if not requests or sum(requests) != tokens.input:
        return Money(None, "the agent reports no single requests") if tokens.input else Money(Decimal(0))
    before = (0, *requests[:-1])
    again = sum(min(earlier, later) for earlier, later in zip(before, requests, strict=True))
    new = sum(requests) - again
    write = rates.input if rates.cache_write is None else rates.cache_write
    return Money(_sum([(again, rates.cached), (new, write), (tokens.output, rates.output)]))


def _sum(parts: Sequence[tuple[int | None, Decimal | None]]) -> Decimal:
    return sum((price * count for count, price in parts if count and price is not None), Decimal(0)) / MILLION
