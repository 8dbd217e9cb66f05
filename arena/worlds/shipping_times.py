"""How long parcels travel: working days by country, freight for arc lamps (the shop's paper on shipping times)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

_TRAVEL_DAYS = {"DE": (1, 3), "AT": (2, 4), "NL": (2, 4), "FR": (3, 5), "CH": (3, 5), "GB": (4, 7), "IE": (4, 7)}
_FREIGHT_PREFIX = "LMP-ARC"
_FREIGHT_DAYS = 2
_GRACE_DAYS = 2
_SATURDAY, _SUNDAY = 5, 6


@dataclass(frozen=True, slots=True)
class Window:
    """First and last usual day of arrival; after `late_after` the parcel counts as late."""

    earliest: date
    latest: date
    late_after: date


def window(country: str, items: Sequence[Mapping[str, Any]], shipped: date) -> Window | None:
    """When a parcel that left on this day should arrive; None for a country without known times."""
    if country not in _TRAVEL_DAYS:
        return None
    extra = _FREIGHT_DAYS if by_freight(items) else 0
    least, most = (days + extra for days in _TRAVEL_DAYS[country])
    latest = working_days_after(shipped, most)
    return Window(working_days_after(shipped, least), latest, working_days_after(latest, _GRACE_DAYS))


def by_freight(items: Sequence[Mapping[str, Any]]) -> bool:
    return any(item["sku"].startswith(_FREIGHT_PREFIX) for item in items)


def next_packing_day(day: date) -> date:
    """The day after, or Monday: the warehouse packs from Monday to Saturday."""
    following = day + timedelta(days=1)
    return following + timedelta(days=1) if following.weekday() == _SUNDAY else following


def working_days_after(day: date, count: int) -> date:
    """The day on which `count` days from Monday to Friday have passed."""
    while count:
        day += timedelta(days=1)
        count -= day.weekday() < _SATURDAY
    return day
