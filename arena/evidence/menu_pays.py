"""Whether the selected menu of a run pays under a prompt cache, told in the terms of the run's own sizes and prices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena.evidence.break_even import CachePrices, Talk, break_even_share, break_even_turn, ways
from arena.models import Arm, Lane
from policy.model_prices import Rates

TURNS = 10
"""The length of the talk that is told; the break-even turn does not depend on it."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """What two lanes of a run were sent: the whole menu and the selected one, and the requests of the first."""

    whole: float
    selected: float
    requests: tuple[int, ...]


def of(lanes: Sequence[Lane], requests: Mapping[int, Sequence[int]], rates: Rates | None) -> dict[str, Any] | None:
    """The figures of a run as JSON, None where it has no lane with the whole menu beside a selected one.

    `requests` holds the input of every request by the lane's position. Prices that are unknown, or nothing, are taken
    as the commonest ones; `assumed` says so. The judge's own bill is a row of the run, and not in here.
    """
    found = _sizes(lanes, requests)
    if found is None:
        return None
    prices = _relative(rates)
    talk, share = _talk(found), found.selected / found.whole
    told = ways(talk, share, TURNS, prices or CachePrices())
    return {
        "share": share,
        "turns": TURNS,
        "kept": told.kept,
        "changed_once": told.changed_once,
        "anew_uncached": told.anew_uncached,
        "anew_written": told.anew_written,
        "break_even_share": break_even_share(talk, TURNS, prices or CachePrices()),
        "break_even_turn": break_even_turn(talk, share, prices or CachePrices()),
        "assumed": prices is None,
    }


def _sizes(lanes: Sequence[Lane], requests: Mapping[int, Sequence[int]]) -> Sizes | None:
    whole = next((lane for lane in lanes if Arm(lane.arm).sees_everything and requests.get(lane.position)), None)
    small = next((lane for lane in lanes if lane.arm == Arm.SELECTED and lane.menu), None)
    if whole is None or small is None:
        return None
    sizes = [lane.metrics["measured"].get("menu_tokens", {}).get("value") for lane in (whole, small)]
    if None in sizes or not sizes[0]:
        return None
    return Sizes(sizes[0], sizes[1], tuple(requests[whole.position]))


def _talk(sizes: Sizes) -> Talk:
    """The whole menu, the rest of the first request behind it, and what a request grew by in the middle."""
    first, last = sizes.requests[0], sizes.requests[-1]
    growth = (last - first) / (len(sizes.requests) - 1) if len(sizes.requests) > 1 else 0
    return Talk(sizes.whole, max(first - sizes.whole - growth, 0), max(growth, 0))


def _relative(rates: Rates | None) -> CachePrices | None:
    if rates is None or not rates.input or rates.cached is None:
        return None
    write = rates.input if rates.cache_write is None else rates.cache_write
    return CachePrices(float(write / rates.input), float(rates.cached / rates.input))
