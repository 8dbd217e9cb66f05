"""What is fetched of runs: never more than a page, never a transcript where a row will do."""

from __future__ import annotations

from django.db.models import Count, Prefetch, QuerySet

from arena.errors import Unknown
from arena.models import Event, Lane, Run

NUL = "\x00"


def find(public_id: str) -> Run:
    """The run of this id with its lanes; raises `Unknown`."""
    # PostgreSQL refuses to look for a NUL; nothing has one.
    run = None if NUL in public_id else _with_lanes(Run.objects.filter(public_id=public_id)).first()
    if run is None:
        raise Unknown(f"There is no run {public_id[:40]!r}. The list of runs shows what there is.")
    return run


def latest() -> Run | None:
    """The newest run that has settled."""
    return _with_lanes(Run.objects.filter(settled_at__isnull=False)).first()


def events(run: Run, *, after: int = 0, limit: int | None = None) -> list[Event]:
    """The run's events with a number above `after`, in order."""
    rows = Event.objects.filter(run=run, seq__gt=after).select_related("lane").order_by("seq")
    return list(rows if limit is None else rows[:limit])


def counts_by_case() -> dict[str, int]:
    """How many runs each case has."""
    rows = Run.objects.order_by().values("case_id").annotate(runs=Count("pk"))
    return {row["case_id"]: row["runs"] for row in rows}


def _with_lanes(rows: QuerySet[Run]) -> QuerySet[Run]:
    rows = rows.select_related("by", "continues", "continued_by")
    return rows.prefetch_related(Prefetch("lanes", Lane.objects.order_by("position")))
