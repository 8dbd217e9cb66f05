"""What a person does: looks what is open, approves or denies. One answer counts, the first one in time."""

from __future__ import annotations

from django.db.models import QuerySet
from django.db.models.functions import Now

from arena.approvals import binding
from arena.approvals.models import Approval
from arena.errors import Conflict, Invalid, Unknown
from arena.runs.log import Draft, append, locked
from policy.people.models import Role, User
from policy.people.services import NotAllowed, require

NUL = "\x00"


def waiting(*, by: User) -> QuerySet[Approval]:
    """What waits for an answer of this person now, the oldest first; for an operator that of everybody."""
    rows = Approval.objects.filter(state=Approval.State.OPEN, expires_at__gt=Now()).select_related("run", "lane")
    return rows if by.role == Role.OPERATOR else rows.filter(run__by=by)


def find(public_id: str) -> Approval:
    """The approval of this id; raises `Unknown`."""
    rows = Approval.objects.select_related("run__by", "lane", "answered_by")
    row = None if NUL in public_id else rows.filter(public_id=public_id).first()
    if row is None:
        raise Unknown(f"There is no approval {public_id[:40]!r}. The page of the run shows what waits for an answer.")
    return row


def answer(public_id: str, *, approve: bool, digest: str, by: User) -> Approval:
    """Approve or deny one call. `digest` is that of the call as the person saw it.

    Only the person of the run and operators may. Raises `Conflict` where it was answered before, has expired, or the
    run was stopped: nothing is carried out then. Approving is no promise: the lane still has to be there for it.
    """
    require(Role.MEMBER, by=by)
    row = find(public_id)
    if by.pk != row.run.by_id and by.role != Role.OPERATOR:
        raise NotAllowed(f"Run {row.run.number} is {row.run.by.username}’s: that person or an operator answers here.")
    if not binding.same(row.digest, digest):
        raise Invalid("The answer names another call than the one that waits; load the page again and look at it.")
    given = Approval.State.APPROVED if approve else Approval.State.DENIED
    with locked(row.run_id) as run:
        unanswered = Approval.objects.filter(pk=row.pk, state=Approval.State.OPEN, expires_at__gt=Now())
        # A denied call is never carried out, so nothing of it need be kept.
        erased = {} if approve else {"sealed": ""}
        changes = {"state": given, "answered_at": Now(), "answered_by": by, **erased}
        if run.stop_requested_at is not None or not unanswered.update(**changes):
            row.refresh_from_db()
            raise Conflict(_too_late(row, stopped=run.stop_requested_at is not None))
        said = {"approval": row.public_id, "call": row.call, "answer": given.value, "by": by.username}
        append(row.run_id, [Draft("approval.answered", said, lane=row.lane_id)])
    return find(public_id)


def _too_late(row: Approval, *, stopped: bool) -> str:
    nothing = "Nothing was changed by this answer."
    if row.state in (Approval.State.APPROVED, Approval.State.USED, Approval.State.DENIED):
        who = f" by {row.answered_by.username}" if row.answered_by else ""
        word = "denied" if row.state == Approval.State.DENIED else "approved"
        return f"This call was {word}{who} already. {nothing}"
    if row.state == Approval.State.VOID:
        return f"This call no longer waits: {row.message} {nothing}"
    return f"The run was stopped. {nothing}" if stopped else f"The time to answer is up. {nothing}"
