"""Runs made in bulk: rows as a settled comparison leaves them, without the work."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from arena.models import Event, Lane, LaneState, Run, RunState
from arena.runs import start
from policy.people.models import User


@pytest.fixture
def pattern(owner: User, unpublished: list[tuple[str, int]]) -> Run:
    """A real run whose snapshots and setup the others share."""
    run = start.start("read", by=owner, origin="page")
    Run.objects.filter(pk=run.pk).update(state=RunState.COMPLETE, settled_at=timezone.now())
    run.refresh_from_db()
    return run


@pytest.fixture
def many(pattern: Run) -> Callable[..., list[Run]]:
    """So many further runs with two lanes and so many events each."""

    def make(count: int, *, events: int = 4, **fields: Any) -> list[Run]:
        copied = ("by", "origin", "case_snapshot", "world_snapshot", "catalog_snapshot", "setup", "setup_digest")
        base = {name: getattr(pattern, name) for name in copied}
        base |= {"case_id": "read", "case_title": "Read", "state": RunState.COMPLETE, "queued_at": timezone.now()}
        rows = Run.objects.bulk_create([Run(**(base | fields), seq=events) for _ in range(count)])
        lanes = [Lane(run=run, position=n, arm=arm) for run in rows for n, arm in enumerate(("full", "selected"))]
        for lane in lanes:
            lane.state, lane.passed = LaneState.COMPLETED, True
        Lane.objects.bulk_create(lanes)
        at = timezone.now() - timedelta(minutes=1)
        states = {1: "run.created", events: "run.state"}
        payload = {"state": "complete", "case": "read", "arms": ["full", "selected"], "by": "local", "origin": "page"}
        Event.objects.bulk_create(
            Event(run=run, seq=n, kind=states.get(n, "step.thinking"), at=at, payload=payload | {"step": n})
            for run in rows
            for n in range(1, events + 1)
        )
        return rows

    return make
