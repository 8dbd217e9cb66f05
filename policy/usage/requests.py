"""The ledger as a list: newest first, one page after the other by number."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q

from policy.models import LedgerEntry
from policy.usage.filters import Filter

PAGE = 50
_BULKY = ("request", "raw_reply", "body", "diagnostic")


@dataclass(frozen=True, slots=True)
class Page:
    """`older` is where the next page begins, None on the last one."""

    rows: tuple[LedgerEntry, ...]
    older: int | None


def page(chosen: Filter, *, before: int | None) -> Page:
    """Rows without their requests and replies, those that came before a row; one query, two with `before`."""
    rows = chosen.newest().select_related("user").defer(*_BULKY)
    mark = None if before is None else LedgerEntry.objects.filter(pk=before).values_list("at", flat=True).first()
    if mark is not None:
        rows = rows.filter(Q(at__lt=mark) | Q(at=mark, pk__lt=before))
    found = list(rows[: PAGE + 1])
    return Page(tuple(found[:PAGE]), found[PAGE - 1].pk if len(found) > PAGE else None)


def one(pk: int) -> LedgerEntry | None:
    """One row with everything that was kept of it."""
    return LedgerEntry.objects.select_related("user").filter(pk=pk).first()
