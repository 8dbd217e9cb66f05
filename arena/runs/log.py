"""Writing events: rows first, numbered under the run row's lock, never from a lane that lost its lease."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from arena import events
from arena.events import Emitter
from arena.live import doorbell
from arena.models import Event, Lane, Run


class LeaseLost(Exception):
    """The row belongs to another worker now, or is final: whoever sees this stops at once and writes nothing."""


@dataclass(frozen=True, slots=True)
class Draft:
    """An event that is not numbered yet."""

    kind: str
    payload: Mapping[str, Any] = field(default_factory=dict)
    lane: int | None = None


@contextmanager
def locked(run: int) -> Iterator[Run]:
    """A transaction that holds the run's row. Lock order everywhere: the run, then its lanes."""
    with transaction.atomic():
        yield Run.objects.select_for_update().get(pk=run)


def append(run: int, drafts: Sequence[Draft], *, emitter: Emitter = Emitter.HOST) -> int:
    """Store the events in order and ring; returns the last number. Call it in `locked` when rows change with it.

    The number comes from an update of the run's row in the same transaction: a cursor over table ids
    would lose events on PostgreSQL, where a later id can become visible first.
    """
    for draft in drafts:
        if problem := events.problem(draft.kind, draft.payload, emitter):
            raise ValueError(problem)
    with transaction.atomic():
        Run.objects.filter(pk=run).update(seq=F("seq") + len(drafts))
        last: int = Run.objects.values_list("seq", flat=True).get(pk=run)
        first = last - len(drafts) + 1
        now = timezone.now()
        Event.objects.bulk_create(
            Event(
                run_id=run, seq=first + n, lane_id=draft.lane, kind=draft.kind, at=now, payload=storable(draft.payload)
            )
            for n, draft in enumerate(drafts)
        )
        doorbell.ring(run)
    return last


def append_for(run: Run, owner: str, drafts: Sequence[Draft]) -> None:
    """Store a run's events for the worker that routes it; `LeaseLost` if `owner` no longer owns the run."""
    with locked(run.pk) as row:
        if row.owner != owner:
            raise LeaseLost(run.public_id)
        append(run.pk, drafts, emitter=Emitter.ROUTER)


def append_as(lane: Lane, owner: str, drafts: Sequence[Draft], changes: Mapping[str, Any] | None = None) -> None:
    """Store a lane's events and changes of its row, both or neither; `LeaseLost` if `owner` no longer owns the lane."""
    with locked(lane.run_id):
        owned = Lane.objects.filter(pk=lane.pk, owner=owner)
        if not (owned.update(**changes) if changes else owned.exists()):
            raise LeaseLost(lane.public_id)
        append(lane.run_id, drafts, emitter=Emitter.LANE)


def storable(value: Any) -> Any:
    """The payload without NUL and lone surrogates: foreign text may carry them, PostgreSQL's JSON may not."""
    if isinstance(value, str):
        return value.replace("\x00", "\ufffd").encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, Mapping):
        return {storable(key): storable(item) for key, item in value.items()}
    return [storable(item) for item in value] if isinstance(value, list | tuple) else value
