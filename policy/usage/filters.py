"""Which rows of the ledger are meant: everything that a page shows is said by its address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from urllib.parse import urlencode

from django.db.models import Case, CharField, F, Q, QuerySet, When

from policy.models import LedgerEntry, Origin

DAYS = 14
MOST_DAYS = 366
GROUPS = {"judge": "judge", "model": "model", "day": "day", "origin": "origin"}
UNITS = {"tokens": "input tokens", "calls": "logical calls", "cost": "known cost, USD"}
STATUSES = {"answered": "answered", "failed": "failed", "sent": "no answer yet", "stored": "answered from the store"}
NO_MODEL = "-"

# The model that answered; where none did, the one that was asked for.
MODEL = Case(When(answered_model="", then=F("requested_model")), default=F("answered_model"), output_field=CharField())
ASKED = Q(cached_at__isnull=True)


class Unusable(ValueError):
    """An address that means nothing; the text names the part and what it may be."""


@dataclass(frozen=True, slots=True)
class Filter:
    """`first` and `last` are days in UTC, both included. Blank is any; `model` may be `-`: none is known."""

    first: date
    last: date
    judge: str = ""
    model: str = ""
    origin: str = ""
    status: str = ""
    unit: str = "tokens"
    by: str = "judge"
    dated: bool = False

    @classmethod
    def of(cls, given: Mapping[str, str], *, today: date) -> Filter:
        """Read an address; raises `Unusable`. Without days it is the last fortnight."""
        last = _day(given, "to") or today
        first = _day(given, "from") or min(last, today) - timedelta(days=DAYS - 1)
        if not first <= last <= first + timedelta(days=MOST_DAYS - 1):
            raise Unusable(f"from {first} to {last} is no range of 1 to {MOST_DAYS} days.")
        texts = {name: given.get(name, "")[:120].replace("\x00", "") for name in ("judge", "model", "origin")}
        return cls(
            first,
            last,
            **texts,
            status=_among(given, "status", ("", *STATUSES)),
            unit=_among(given, "unit", tuple(UNITS)),
            by=_among(given, "by", tuple(GROUPS)),
            dated=bool(given.get("from") or given.get("to")),
        )

    def days(self) -> list[date]:
        return [self.first + timedelta(days=count) for count in range((self.last - self.first).days + 1)]

    def rows(self) -> QuerySet[Any]:
        """The rows that are meant, with their `model`, for sums."""
        return self._among(Q(day__range=(self.first, self.last)))

    def newest(self) -> QuerySet[Any]:
        """The same rows, newest first: read along the index of their times, as far as somebody looks."""
        begin = datetime.combine(self.first, time.min, UTC)
        end = datetime.combine(self.last + timedelta(days=1), time.min, UTC)
        return self._among(Q(at__gte=begin, at__lt=end)).order_by("-at", "-pk")

    def _among(self, when: Q) -> QuerySet[Any]:
        rows = LedgerEntry.objects.order_by().annotate(model=MODEL).filter(when)
        if self.judge:
            rows = rows.filter(judge=self.judge)
        if self.model:
            rows = rows.filter(model="" if self.model == NO_MODEL else self.model)
        if self.origin:
            rows = rows.filter(origin=self.origin)
        if self.status == "stored":
            return rows.exclude(ASKED)
        return rows.filter(ASKED, status=self.status) if self.status else rows

    @property
    def narrowed(self) -> bool:
        return bool(self.judge or self.model or self.origin or self.status)

    def address(self, **changed: str) -> str:
        """The query of this filter with some parts changed; defaults are left out. `date=""` drops both days."""
        parts = {"judge": self.judge, "model": self.model, "origin": self.origin, "status": self.status}
        parts |= {"unit": "" if self.unit == "tokens" else self.unit, "by": "" if self.by == "judge" else self.by}
        if self.dated and changed.get("date", "kept"):
            parts |= {"from": self.first.isoformat(), "to": self.last.isoformat()}
        parts |= {name: value for name, value in changed.items() if name != "date"}
        return "?" + urlencode({name: value for name, value in parts.items() if value})


def origin_word(origin: str) -> str:
    """What people call an origin; one that is not known is called by its own name."""
    return Origin(origin).label if origin in Origin.values else origin


def span(first: date, last: date) -> str:
    """17 to 30 Nov; 28 Nov to 3 Dec; with the year where it is not the same."""
    if first == last:
        return f"{last.day} {last:%b %Y}"
    if first.year != last.year:
        return f"{first.day} {first:%b %Y} to {last.day} {last:%b %Y}"
    head = f"{first.day}" if first.month == last.month else f"{first.day} {first:%b}"
    return f"{head} to {last.day} {last:%b}"


def _day(given: Mapping[str, str], name: str) -> date | None:
    text = given.get(name, "")
    try:
        found = date.fromisoformat(text) if text else None
    except ValueError:
        found = date.min
    if found is not None and not 2000 <= found.year <= 9000:
        raise Unusable(f"{name} is {text!r:.40}; it must be a day such as 2026-11-30.")
    return found


def _among(given: Mapping[str, str], name: str, allowed: tuple[str, ...]) -> str:
    value = given.get(name, "") or allowed[0]
    if value not in allowed:
        raise Unusable(f"{name} is {value!r:.40}; it must be one of: {', '.join(filter(None, allowed))}.")
    return value
