"""When a smaller menu pays under prompt caching: shares and turns at which both sides cost the same.

Prices are relative to plain input: `write` for tokens that go into the cache, `read` for those that come from it. The
menu stands before the history, so a menu that changes breaks the cache of everything behind it. A `Talk` has a menu,
a history before the first answer (prompt, task) and a growth with every turn; all in tokens.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WRITE, READ = 1.25, 0.1
"""What is assumed where a model's own cache prices are unknown: the commonest ones of the day."""
MOST_TURNS = 1_000


@dataclass(frozen=True, slots=True)
class CachePrices:
    """Relative to plain input. Without a cache both are 1."""

    write: float = WRITE
    read: float = READ


@dataclass(frozen=True, slots=True)
class Talk:
    """Tokens: the whole menu, what stands behind it at first, and what every turn adds."""

    menu: float
    history: float = 0.0
    growth: float = 0.0


def cached(talk: Talk, menus: Sequence[float], prices: CachePrices) -> float:
    """Plain-input tokens that turns with these menus cost; a turn whose menu differs from the last writes all anew."""
    total, last = 0.0, None
    for turn, menu in enumerate(menus, start=1):
        behind = talk.history + talk.growth * turn
        if menu == last:
            total += prices.read * (menu + behind - talk.growth) + prices.write * talk.growth
        else:
            total += prices.write * (menu + behind)
        last = menu
    return total


def full(talk: Talk, turns: int, prices: CachePrices) -> float:
    """The whole menu, kept."""
    return cached(talk, [talk.menu] * turns, prices)


def anew(talk: Talk, share: float, turns: int) -> float:
    """A share of the menu, selected anew every turn, so that nothing can come from the cache."""
    return sum(share * talk.menu + talk.history + talk.growth * turn for turn in range(1, turns + 1))


def break_even_share(talk: Talk, turns: int, prices: CachePrices, *, selector: float = 0.0) -> float:
    """The share of the menu at which selecting anew every turn costs as much as the whole menu kept.

    Below 0 no selection per turn pays, however small. `selector` is what one selection costs, in plain input tokens of
    the agent; it is paid every turn.
    """
    behind = sum(talk.history + talk.growth * turn for turn in range(1, turns + 1))
    return (full(talk, turns, prices) - behind) / (talk.menu * turns) - selector / talk.menu


def break_even_turn(talk: Talk, share: float, prices: CachePrices, *, selector: float = 0.0) -> int | None:
    """The last turn up to which selecting anew every turn is no dearer than the whole menu kept.

    0 where it is dearer from the first turn on, None where it still pays after a thousand turns.
    """
    kept = changed = 0.0
    for turn in range(1, MOST_TURNS + 1):
        behind = talk.history + talk.growth * turn
        if turn == 1:
            kept += prices.write * (talk.menu + behind)
        else:
            kept += prices.read * (talk.menu + behind - talk.growth) + prices.write * talk.growth
        changed += share * talk.menu + behind + selector
        if changed > kept:
            return turn - 1
    return None


@dataclass(frozen=True, slots=True)
class Ways:
    """Four ways to serve a smaller menu, as shares of the whole menu kept in the cache."""

    kept: float
    changed_once: float
    anew_uncached: float
    anew_written: float


def ways(talk: Talk, share: float, turns: int, prices: CachePrices, *, selector: float = 0.0) -> Ways:
    """Selected once and kept, changed once half-way, anew every turn without the cache, and anew with writes."""
    whole = full(talk, turns, prices)
    small = share * talk.menu
    half = max(turns // 2 - 1, 1)
    # Of the same size, yet another one: a hair's breadth makes it differ.
    changed = [small] * half + [small * (1 + 1e-12)] * (turns - half)
    each = selector * turns
    return Ways(
        kept=(cached(talk, [small] * turns, prices) + selector) / whole,
        changed_once=(cached(talk, changed, prices) + 2 * selector) / whole,
        anew_uncached=(anew(talk, share, turns) + each) / whole,
        anew_written=(prices.write * anew(talk, share, turns) + each) / whole,
    )
