"""How a run ends when our own code breaks: with a word, never in a state that waits for nobody."""

from __future__ import annotations

from django.db.models.functions import Now

from arena.models import Run, RunState
from arena.runs.log import Draft, append, locked
from arena.runs.waiting import stop_waiting


def end(run: int, owner: str, message: str) -> None:
    """Fail the run for its owner; whoever has lost it meanwhile changes nothing."""
    with locked(run) as row:
        if row.owner != owner:
            return
        Run.objects.filter(pk=run).update(
            state=RunState.FAILED, message=message, owner="", lease_until=None, settled_at=Now()
        )
        ended = Draft("run.state", {"state": RunState.FAILED.value, "message": message})
        append(run, [*stop_waiting(row), ended])
