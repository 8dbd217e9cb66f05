"""What a story is told from, kept in memory: events are append-only, snapshots never change, so each is read once.

Everything is kept by the run's public id, which is never used twice.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field

from arena.cases.case import Case
from arena.catalogs.catalog import Catalog
from arena.models import Event, Run

RUNS_KEPT = 16
EVENTS_KEPT = 5_000
"""A run longer than this is read anew each time rather than held in memory."""


@dataclass(frozen=True, slots=True)
class Snapshots:
    """The inputs as the run keeps them."""

    case: Case
    catalog: Catalog


@dataclass(slots=True)
class _Kept:
    snapshots: Snapshots
    events: list[Event] = field(default_factory=list)


_lock = threading.Lock()
_kept: OrderedDict[str, _Kept] = OrderedDict()


def of(run: Run) -> tuple[Snapshots, Sequence[Event]]:
    """The run's snapshots and its events up to the last one that its row knows of, in order."""
    with _lock:
        kept = _kept.get(run.public_id)
        known = kept.events if kept else []
    kept = kept or _Kept(_snapshots(run))
    if known and known[-1].seq >= run.seq:
        return kept.snapshots, known[: run.seq]
    last = known[-1].seq if known else 0
    together = [*known, *run.events.filter(seq__gt=last, seq__lte=run.seq).order_by("seq")]
    _keep(run.public_id, _Kept(kept.snapshots, together))
    return kept.snapshots, together


def _snapshots(run: Run) -> Snapshots:
    return Snapshots(Case.from_json(run.case_snapshot.content), Catalog.from_json(run.catalog_snapshot.content))


def _keep(public_id: str, kept: _Kept) -> None:
    if len(kept.events) > EVENTS_KEPT:
        kept = _Kept(kept.snapshots)
    with _lock:
        _kept[public_id] = kept
        _kept.move_to_end(public_id)
        while len(_kept) > RUNS_KEPT:
            _kept.popitem(last=False)
