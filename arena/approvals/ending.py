"""Ends that no person gives: time is up, the run was stopped, the worker that waited is gone."""

from __future__ import annotations

from django.db.models.functions import Now

from arena.approvals.models import PENDING, Approval
from arena.runs.log import Draft, append, locked

TIME_UP = "Nobody answered in time."
LANE_ENDED = "The lane came to its end while the call waited."
NOT_CARRIED_OUT = "It was approved and not carried out in time."


def closed(row: Approval, state: Approval.State, message: str = "") -> Draft:
    """The event of an end."""
    said = {"approval": row.public_id, "call": row.call, "state": state.value}
    return Draft("approval.closed", said | ({"message": message} if message else {}), lane=row.lane_id)


def end(row: Approval, state: Approval.State, message: str) -> list[Draft]:
    """End a pending approval and erase its arguments; nothing where it has ended already.

    Call it with the run's row locked, and append what it returns.
    """
    pending = Approval.objects.filter(pk=row.pk, state__in=PENDING)
    ended = pending.update(state=state, message=message, sealed="")
    return [closed(row, state, message)] if ended else []


def void(lane: int, message: str) -> list[Draft]:
    """End all that a lane still waits for; call it with the run's row locked, and append what it returns."""
    pending = Approval.objects.filter(lane_id=lane, state__in=PENDING)
    return [draft for row in pending for draft in end(row, Approval.State.VOID, message)]


def expire() -> int:
    """End what nobody answered, or nobody carried out, in time; by the database's clock. Returns how many."""
    overdue = Approval.objects.filter(state__in=PENDING, expires_at__lte=Now())
    expired = 0
    for pk, run in list(overdue.values_list("pk", "run_id")):
        with locked(run):
            row = overdue.filter(pk=pk).first()
            if row is None:
                continue
            why = TIME_UP if row.state == Approval.State.OPEN else NOT_CARRIED_OUT
            append(run, end(row, Approval.State.EXPIRED, why))
            expired += 1
    return expired
