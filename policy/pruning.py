"""Keeping the ledger within an age and a size; what runs and measurements show keeps its figures."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import BigIntegerField, F, Q, Sum, Value
from django.db.models.functions import Cast, Coalesce
from django.utils import timezone

from policy.models import LedgerEntry, Origin, StoredAnswer

# Their rows are part of a result that is still shown: they lose request and reply, never a figure.
STAYING = (Origin.RUN.value, Origin.MEASUREMENT.value)
ANSWERS_STAY = timedelta(days=30)
BATCH = 500
MEGABYTE = 1_000_000

SIZE = Cast(F("request_bytes"), BigIntegerField()) + Coalesce(F("response_bytes"), Value(0))
_UNTOUCHED = Q(pruned_at__isnull=True)


@dataclass(frozen=True, slots=True)
class Limits:
    """Days and megabytes (1,000,000 bytes of requests and replies) that the ledger keeps; 0 is no limit."""

    days: float
    megabytes: float


@dataclass(frozen=True, slots=True)
class Pruned:
    """Rows that went, rows that lost request and reply, the bytes of both, and stored answers that went."""

    deleted: int = 0
    emptied: int = 0
    freed: int = 0
    answers: int = 0


def limits() -> Limits:
    """What the operator set."""
    return Limits(settings.LEDGER_KEEP_DAYS, settings.LEDGER_KEEP_MB)


def prune(kept: Limits, *, dry_run: bool = False, now: datetime | None = None) -> Pruned:
    """Oldest first, in short transactions; may be cut off anywhere and done by several at once. `dry_run` only counts.

    Rows of runs and measurements are emptied, all others deleted.
    """
    now = now or timezone.now()
    oldest = now - timedelta(days=kept.days) if kept.days else None
    left = LedgerEntry.objects.filter(_UNTOUCHED).aggregate(size=Sum(SIZE, default=0))["size"]
    most = kept.megabytes * MEGABYTE if kept.megabytes else left
    done = Pruned()
    last: _Row | None = None
    while batch := _after(last):
        doomed = []
        for row in batch:
            if left <= most and (oldest is None or row.at >= oldest):
                break
            doomed.append(row)
            left -= row.size
        if doomed and not dry_run:
            _carry_out(doomed, now)
        done = _counted(done, doomed)
        if len(doomed) < len(batch):
            break
        last = batch[-1]
    return replace(done, answers=_drop_answers(now, dry_run=dry_run))


@dataclass(frozen=True, slots=True)
class _Row:
    pk: int
    at: datetime
    origin: str
    size: int

    @property
    def stays(self) -> bool:
        return self.origin in STAYING


def _after(last: _Row | None) -> list[_Row]:
    """The next rows that can lose something, by age."""
    rows = LedgerEntry.objects.filter(_UNTOUCHED).annotate(size=SIZE)
    if last is not None:
        rows = rows.filter(Q(at__gt=last.at) | Q(at=last.at, pk__gt=last.pk))
    return [_Row(*row) for row in rows.order_by("at", "pk").values_list("pk", "at", "origin", "size")[:BATCH]]


def _carry_out(doomed: list[_Row], now: datetime) -> None:
    with transaction.atomic():
        LedgerEntry.objects.filter(pk__in=[row.pk for row in doomed if not row.stays]).delete()
        LedgerEntry.objects.filter(pk__in=[row.pk for row in doomed if row.stays]).update(
            request={}, raw_reply="", body="", diagnostic=None, pruned_at=now
        )


def _counted(done: Pruned, doomed: list[_Row]) -> Pruned:
    emptied = sum(row.stays for row in doomed)
    freed = done.freed + sum(row.size for row in doomed)
    return Pruned(done.deleted + len(doomed) - emptied, done.emptied + emptied, freed)


def _drop_answers(now: datetime, *, dry_run: bool) -> int:
    old = StoredAnswer.objects.filter(at__lt=now - ANSWERS_STAY)
    return old.count() if dry_run else old.delete()[0]
