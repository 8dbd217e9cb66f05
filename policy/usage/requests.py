"""The ledger as a list: newest first, one page after the other by number."""

from __future__ import annotations

from dataclasses import dataclass

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
    """Rows without their requests and replies; one query."""
    rows = chosen.rows().select_related("user").defer(*_BULKY).order_by("-pk")
    if before is not None:
        rows = rows.filter(pk__lt=before)
    found = list(rows[: PAGE + 1])
    return Page(tuple(found[:PAGE]), found[PAGE - 1].pk if len(found) > PAGE else None)


def one(pk: int) -> LedgerEntry | None:
    """One row with everything that was kept of it."""
    return LedgerEntry.objects.select_related("user").filter(pk=pk).first()
