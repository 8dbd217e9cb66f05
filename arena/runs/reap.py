"""The reaper: what was queued and never claimed is published again, what a dead worker held is ended with a word.

One pass is harmless at any time and in several processes: every change is a conditional update.
"""

from __future__ import annotations

import logging
from datetime import timedelta

from django.conf import settings
from django.db.models import Q
from django.db.models.functions import Now

from arena.approvals import ending as approvals
from arena.models import LANE_FINAL, Lane, LaneState, Run, RunState
from arena.runs import dispatch, settle
from arena.runs.log import Draft, append, locked
from arena.runs.waiting import BY_A_PERSON, stop_waiting

logger = logging.getLogger("jev.reaper")

WORKER_LOST = "The worker was lost in mid-run; what it had done is kept, the rest was not run again."
ROUTER_LOST = "The worker was lost while the judge was asked; a request may have been paid for, so it is not repeated."
STOP_OVERDUE = "The worker did not confirm the stop in time."
_EXPIRED = Q(lease_until__lt=Now())
_ATTEMPTS = 3
TOO_OFTEN = f"Its worker was lost {_ATTEMPTS} times before the first step; the log of the worker may say why."


def reap() -> int:
    """One pass over leases, the queue and overdue stops; returns how many rows it had to touch."""
    touched = _free_lanes() + _abandon_lanes() + _free_or_abandon_routes() + _end_overdue_stops()
    return touched + _settle_the_rest() + _publish_again()


def _free_lanes() -> int:
    """A lane whose worker was lost before the agent's first step goes back into the queue."""
    lost = Lane.objects.filter(_EXPIRED, began=False).exclude(owner="").exclude(state__in=LANE_FINAL)
    freed = 0
    for pk, run in list(lost.values_list("pk", "run_id")):
        with locked(run) as row:
            lane = lost.filter(pk=pk).first()
            if lane is None:
                continue
            freed += 1
            if row.stop_requested_at is not None:
                lost.filter(pk=pk).update(owner="", lease_until=None)
                append(run, stop_waiting(row))
            elif lane.attempt >= _ATTEMPTS:
                _end_lane(pk, run, LaneState.FAILED, TOO_OFTEN)
            else:
                lost.filter(pk=pk).update(state=LaneState.WAITING, owner="", lease_until=None, queued_at=Now())
                payload = {"state": LaneState.WAITING.value, "message": "The worker was lost before the first step."}
                append(run, [*approvals.void(pk, WORKER_LOST), Draft("lane.state", payload, lane=pk)])
                dispatch.publish("lane", pk)
    return freed


def _abandon_lanes() -> int:
    """A lane that had begun is never run again by itself: it may have spent money, and repeating biases the figure."""
    lost = Lane.objects.filter(_EXPIRED, began=True).exclude(owner="").exclude(state__in=LANE_FINAL)
    abandoned = 0
    for pk, run in list(lost.values_list("pk", "run_id")):
        with locked(run):
            if lost.filter(pk=pk).exists():
                _end_lane(pk, run, LaneState.ABANDONED, WORKER_LOST)
                abandoned += 1
    return abandoned


def _end_lane(pk: int, run: int, state: LaneState, message: str) -> None:
    """End a lane in its worker's place; call it with the run's row locked."""
    Lane.objects.filter(pk=pk).update(state=state, message=message, owner="", lease_until=None, finished_at=Now())
    ended = Draft("lane.state", {"state": state.value, "message": message}, lane=pk)
    append(run, [*approvals.void(pk, message), ended])
    logger.warning("lane ended by the reaper", extra={"lane": pk, "run": run, "state": state.value})


def _free_or_abandon_routes() -> int:
    """A run whose router was lost is queued again if no request had left, else abandoned."""
    lost = Run.objects.filter(_EXPIRED, state__in=[RunState.ROUTING, RunState.STOPPING]).exclude(owner="")
    touched = 0
    for pk in list(lost.values_list("pk", flat=True)):
        with locked(pk) as run:
            if not lost.filter(pk=pk).exists():
                continue
            asked = run.events.filter(kind="judge.asked").exists()
            if asked or run.attempt >= _ATTEMPTS or run.stop_requested_at is not None:
                _end_route(run)
            else:
                Run.objects.filter(pk=pk).update(state=RunState.QUEUED, owner="", lease_until=None, queued_at=Now())
                append(pk, [Draft("run.state", {"state": RunState.QUEUED.value})])
                dispatch.publish("route", pk)
            touched += 1
    return touched


def _end_route(run: Run) -> None:
    state = RunState.ABANDONED if run.stop_requested_at is None else RunState.STOPPED
    message = ROUTER_LOST if run.stop_requested_at is None else BY_A_PERSON
    Run.objects.filter(pk=run.pk).update(state=state, message=message, owner="", lease_until=None, settled_at=Now())
    append(run.pk, [*stop_waiting(run), Draft("run.state", {"state": state.value, "message": message})])


def _end_overdue_stops() -> int:
    """Past a stop's deadline what no worker has confirmed ends here; late events of a lane are refused by its token."""
    deadline = Now() - timedelta(seconds=settings.STOP_WITHIN_S)
    overdue = Run.objects.filter(state=RunState.STOPPING, stop_requested_at__lt=deadline)
    touched = 0
    for pk in list(overdue.values_list("pk", flat=True)):
        with locked(pk) as run:
            if not overdue.filter(pk=pk).exists():
                continue
            if run.owner:
                _end_route(run)
                touched += 1
                continue
            unfinished = Lane.objects.filter(run=run).exclude(state__in=LANE_FINAL)
            for lane in unfinished.exclude(owner=""):
                _end_lane(lane.pk, pk, LaneState.ABANDONED, STOP_OVERDUE)
                touched += 1
            stopped = stop_waiting(run)
            if stopped:
                append(pk, stopped)
                touched += len(stopped)
    return touched


def _settle_the_rest() -> int:
    """A worker that died between a lane's end and the settling leaves a run with nothing but final lanes."""
    Run.objects.filter(_EXPIRED, state=RunState.SETTLING).update(owner="", lease_until=None)
    active = Run.objects.filter(state__in=[RunState.RUNNING, RunState.STOPPING, RunState.SETTLING], owner="")
    done = active.exclude(lanes__in=Lane.objects.exclude(state__in=LANE_FINAL))
    runs = list(done.values_list("pk", flat=True))
    for pk in runs:
        settle.settle_if_done(pk)
    return len(runs)


def _publish_again() -> int:
    """What nobody has claimed for a while: the message was lost, or the process died between commit and publish."""
    old = Now() - timedelta(seconds=settings.REPUBLISH_AFTER_S)
    runs = Run.objects.filter(state=RunState.QUEUED, owner="", queued_at__lt=old)
    lanes = Lane.objects.filter(state=LaneState.WAITING, owner="", queued_at__lt=old, run__state=RunState.RUNNING)
    for pk in list(runs.values_list("pk", flat=True)):
        dispatch.publish("route", pk)
    for pk in list(lanes.values_list("pk", flat=True)):
        dispatch.publish("lane", pk)
    # Counted from now on again, so that a long queue is not published anew at every pass.
    return runs.update(queued_at=Now()) + lanes.update(queued_at=Now())
