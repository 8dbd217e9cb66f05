"""Asking a person about one call: the lane waits, and only the exact call that was approved is carried out, once."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db.models.functions import Now

from arena import ids
from arena.approvals import binding, ending
from arena.approvals.models import Approval
from arena.models import LaneState
from arena.runs.cancel import LaneCancel
from arena.runs.claims import Lease
from arena.runs.log import Draft, locked, storable
from arena.runs.recorder import Recorder

_LOOK_EVERY_S = 0.2
# The lease is prolonged for as long as a person may take, and for what comes after.
_SPARE_S = 5.0
CHANGED = "The call that was approved is not the one that was to be carried out."


@dataclass(frozen=True, slots=True)
class Question:
    """One call that needs a person: `rule` and `reason` say why, `measured` and `threshold` where a judge measured."""

    call: int
    tool: str
    effect: str
    arguments: Mapping[str, Any]
    rule: str
    reason: str
    measured: float | None = None
    threshold: float | None = None


@dataclass(frozen=True, slots=True)
class Approved:
    """The call may be carried out with exactly these arguments, once: the approval is used up by now."""

    approval: str
    digest: str
    arguments: Mapping[str, Any]
    waited_s: float


@dataclass(frozen=True, slots=True)
class NotApproved:
    """The call must not be carried out; `sentence` is for the agent and names the rule."""

    sentence: str
    waited_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Desk:
    """What a lane needs to ask a person. `attended` False: nobody is there, so every question is answered with no."""

    recorder: Recorder
    cancel: LaneCancel
    lease: Lease | None = None
    attended: bool = True


def require_approval(question: Question, desk: Desk) -> Approved | NotApproved:
    """Ask a person whether this call may be carried out, and wait for the answer.

    The wait ends after `APPROVAL_WITHIN_S` seconds by the database's clock, and at once with a stop of the run, a lost
    lease or a worker that leaves. Every end but an answer in time means no. The time waited is added to the lane's
    deadline and lease. Raises `LeaseLost` where the lane is somebody else's by now.
    """
    if not desk.attended:
        return NotApproved(_refusal(question, "nobody is asked in this run"))
    try:
        row = _ask(question, desk.recorder)
    except binding.Unbindable as wrong:
        return NotApproved(_refusal(question, str(wrong)))
    if desk.lease is not None:
        desk.lease.extend(settings.APPROVAL_WITHIN_S + _SPARE_S)
    began = time.monotonic()
    try:
        answered = _wait(row, desk.cancel)
    finally:
        waited = time.monotonic() - began
        desk.cancel.extend(waited)
    if answered == Approval.State.APPROVED:
        return _use(row, question, desk.recorder, waited)
    return _end(row, question, desk.recorder, waited)


def _ask(question: Question, recorder: Recorder) -> Approval:
    lane = recorder.lane
    approval = ids.approval_id()
    digest = binding.digest(lane.public_id, question.call, question.tool, question.arguments)
    why = {"rule": question.rule, "reason": question.reason}
    measured = {"measured": question.measured, "threshold": question.threshold}
    shown = storable(binding.shown(question.arguments))
    same = {"call": question.call, "tool": question.tool, "effect": question.effect, "digest": digest, **why}
    asked = {"approval": approval, **same, **measured, "arguments": shown, "within_s": settings.APPROVAL_WITHIN_S}
    sealed = binding.sealed(approval, question.arguments)
    # The card and the state in one transaction: no card without a lane that waits, no lane that waits unseen.
    with locked(lane.run_id):
        recorder.write(LaneState.ASKING, [Draft("approval.asked", asked)])
        return Approval.objects.create(
            public_id=approval,
            run_id=lane.run_id,
            lane=lane,
            owner=recorder.owner,
            sealed=sealed,
            shown=shown,
            asked_at=Now(),
            expires_at=Now() + timedelta(seconds=settings.APPROVAL_WITHIN_S),
            **same,
            **measured,
        )


def _wait(row: Approval, cancel: LaneCancel) -> str:
    """The state of the approval once it has been answered or cannot be any more."""
    while True:
        mine = Approval.objects.filter(pk=row.pk)
        state = mine.values_list("state", flat=True).get()
        if state != Approval.State.OPEN or cancel.broken_off() or mine.filter(expires_at__lte=Now()).exists():
            return state
        cancel.rest(_LOOK_EVERY_S)


def _use(row: Approval, question: Question, recorder: Recorder, waited: float) -> Approved | NotApproved:
    """Read the approval again, make its digest anew, and mark it used by one conditional update."""
    row.refresh_from_db()
    lane = recorder.lane
    try:
        arguments = binding.opened(row)
        given = binding.digest(lane.public_id, question.call, question.tool, question.arguments)
        kept = binding.digest(lane.public_id, row.call, row.tool, arguments)
    except binding.Unbindable:
        return _end(row, question, recorder, waited, message=CHANGED)
    if not (binding.same(given, row.digest) and binding.same(kept, row.digest)):
        return _end(row, question, recorder, waited, message=CHANGED)
    with locked(lane.run_id) as run:
        usable = Approval.objects.filter(
            pk=row.pk, state=Approval.State.APPROVED, digest=given, owner=recorder.owner, expires_at__gt=Now()
        )
        used = run.stop_requested_at is None and usable.update(state=Approval.State.USED, used_at=Now(), sealed="")
        if used:
            recorder.write(LaneState.CALLING, [ending.closed(row, Approval.State.USED)])
    if not used:
        return _end(row, question, recorder, waited)
    return Approved(row.public_id, given, arguments, waited)


def _end(
    row: Approval, question: Question, recorder: Recorder, waited: float, *, message: str = ending.LANE_ENDED
) -> NotApproved:
    """The call is not carried out; what is still open or approved ends here, and its arguments are erased."""
    lane = recorder.lane
    with locked(lane.run_id):
        late = Approval.objects.filter(pk=row.pk, expires_at__lte=Now()).exists()
        drafts: list[Draft]
        if late and message != CHANGED:
            drafts = ending.end(row, Approval.State.EXPIRED, ending.TIME_UP)
        else:
            drafts = ending.end(row, Approval.State.VOID, message)
        recorder.write(LaneState.CALLING, drafts)
    row.refresh_from_db()
    return NotApproved(_refusal(question, _why(row)), waited)


def _why(row: Approval) -> str:
    if row.state == Approval.State.DENIED:
        return "a person denied it"
    if row.state == Approval.State.EXPIRED:
        return f"nobody approved it within {settings.APPROVAL_WITHIN_S:g} s"
    return (row.message or ending.LANE_ENDED).rstrip(".").lower()


def _refusal(question: Question, why: str) -> str:
    return f"[jev] not approved, {why}. A person was to be asked by {question.rule}: {question.reason}"
