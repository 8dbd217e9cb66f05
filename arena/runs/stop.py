"""Stopping a run: asked for by a person, confirmed by the workers."""

from __future__ import annotations

from django.db.models.functions import Now

from arena.errors import Conflict
from arena.models import RUN_FINAL, Run, RunState
from arena.runs import settle
from arena.runs.log import Draft, append, locked
from arena.runs.waiting import stop_waiting
from policy.people.models import Role, User
from policy.people.services import require


def stop(run: Run, *, by: User) -> Run:
    """Ask a run to stop. Lanes that no worker holds stop at once, the others when their worker has noticed.

    Asking again is harmless. Raises `Conflict` for a run that has come to its end.
    """
    require(Role.MEMBER, by=by)
    with locked(run.pk) as row:
        if row.state in RUN_FINAL:
            raise Conflict(f"Run {row.number} is {row.state} already; there is nothing to stop.")
        if row.stop_requested_at is None and row.state != RunState.SETTLING:
            unowned = row.state == RunState.QUEUED and not row.owner
            Run.objects.filter(pk=row.pk).update(state=RunState.STOPPING, stop_requested_at=Now())
            drafts = [
                Draft("run.stop_requested", {"by": by.username}),
                Draft("run.state", {"state": RunState.STOPPING.value}),
            ]
            append(row.pk, drafts + (stop_waiting(row) if unowned or row.state == RunState.RUNNING else []))
    settle.settle_if_done(run.pk)
    run.refresh_from_db()
    return run
