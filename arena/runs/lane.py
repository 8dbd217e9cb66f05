"""The work of one lane: claim it, let the agent work with its menu, write how it ended."""

from __future__ import annotations

import logging
import time
from collections.abc import Generator, Mapping, Sequence
from typing import Any

from django.db import Error as DatabaseFault
from django.db.models.functions import Now

from arena import arms
from arena.agents.agent import (
    AgentEvent,
    AgentResult,
    Brief,
    Ending,
    Limits,
    Progress,
    Rejected,
    Said,
    Thinking,
    Usage,
    Waiting,
)
from arena.approvals import ending as approvals
from arena.models import Lane, LaneState, Run, RunState
from arena.runs import cancel as cancelling
from arena.runs import claims, escape, inputs, seats, settle
from arena.runs.approving import Desk
from arena.runs.cancel import LaneCancel
from arena.runs.gatekeeping import Gatekeeper, gate_counts
from arena.runs.log import Draft, LeaseLost, locked
from arena.runs.recorder import Recorder
from arena.runs.toolbox import LaneToolbox
from arena.runs.waiting import BY_A_PERSON
from arena.servers.lane import LaneServers
from policy.engine.mode import Mode

logger = logging.getLogger("jev.runs")
BROKE = "The lane broke in our own code; the log of the worker says where."
NO_DATABASE = "The database could not be written in mid-run; what the lane had done is kept."
TIME_UP = "The time of a lane was up."
# Beyond an agent's own limit: to notice it and to write the end.
SPARE_S = 30
SITE_STOPPED = "The site was stopped in mid-run; what the lane had done is kept, the rest was not run again."


def work(lane_pk: int) -> None:
    """Claim a released lane and carry it to its end; a second caller does nothing."""
    lane = Lane.objects.filter(pk=lane_pk).first()
    owner = None if lane is None else _claim(lane)
    if lane is None or owner is None:
        return
    recorder = Recorder(lane, owner)
    try:
        with claims.held(Lane, lane.pk, owner, at_most_s=Limits().time_s + SPARE_S) as lease:
            recorder.write(LaneState.STARTING)
            _work(recorder, lease)
    except LeaseLost:
        logger.warning("lane lost its lease", extra={"lane": lane.public_id})
    except DatabaseFault:
        logger.exception("lane lost the database", extra={"lane": lane.public_id})
        _finish(recorder, LaneState.ABANDONED, NO_DATABASE)
    except seats.NoSeat as missing:
        why = {"fault": "host", "code": "not_set_up", "message": str(missing)}
        _finish(recorder, LaneState.FAILED, str(missing), [Draft("agent.failed", why)])
    except Exception:
        # The process edge: an agent that breaks fails its lane, with a word, and never the run.
        logger.exception("lane broke", extra={"lane": lane.public_id})
        _finish(recorder, LaneState.FAILED, BROKE)
    settle.settle_if_done(lane.run_id)


def _claim(lane: Lane) -> str | None:
    """Take the lane under its run's lock: PostgreSQL checks a joined condition no second time after a wait."""
    with locked(lane.run_id) as run:
        if run.state != RunState.RUNNING:
            return None
        free = Lane.objects.filter(pk=lane.pk, state=LaneState.WAITING, owner="", queued_at__isnull=False)
        return claims.claim(free, started_at=Now())


def _work(recorder: Recorder, lease: claims.Lease) -> None:
    lane = recorder.lane
    run = Run.objects.select_related("case_snapshot", "world_snapshot", "catalog_snapshot").get(pk=lane.run_id)
    given = inputs.of(run)
    entries = arms.from_json(lane.menu or [])
    menu = tuple(given.catalog.tool(entry.id) for entry in entries)
    way_out = escape.Escape(given, entries) if escape.offered(lane, given) else None
    menu += () if way_out is None else (escape.FIND_TOOL,)
    brief = Brief(
        task=given.case.told,
        questions=tuple(turn.question for turn in given.case.turns),
        menu=menu,
        values=given.case.values,
        restrictions=given.case.restrictions,
        limits=Limits(max_steps=given.setup.max_steps, max_tokens=given.setup.max_tokens),
        pause_s=given.setup.pause_s,
        seed=given.setup.seed,
    )
    agent = seats.take(given.setup, by=run.by)
    cancel = LaneCancel(run.pk, lost=lease.lost, time_s=brief.limits.time_s)
    began = time.monotonic()
    setup = given.setup
    gatekeeper = Gatekeeper(run, given, recorder, cancel, Mode(lane.gate))
    with LaneServers(setup.own_catalog, allowed=lane.arm in setup.real_arms, cancelled=cancel.requested) as servers:
        desk = Desk(recorder, cancel, lease, attended=setup.attended)
        toolbox = LaneToolbox(
            recorder, menu, given.world, servers=servers, gatekeeper=gatekeeper, desk=desk, escape=way_out
        )
        result = _drive(agent.run(brief, toolbox, cancel), recorder, gatekeeper)
    if lease.lost.is_set():
        raise LeaseLost(lane.public_id)
    if cancelling.leaving.is_set() and not recorder.step and _give_back(recorder):
        return
    gated = gate_counts(toolbox.executed, gatekeeper.seen) if gatekeeper.mode is not Mode.OFF else {}
    _end(recorder, result, cancel, took_s=time.monotonic() - began, gated=gated)


def _give_back(recorder: Recorder) -> bool:
    """Nothing has been spent yet, so another worker may begin the lane; not where a person has asked to stop."""
    with locked(recorder.lane.run_id) as run:
        if run.stop_requested_at is not None:
            return False
        recorder.write(LaneState.WAITING, owner="", lease_until=None, queued_at=Now())
        return True


def _drive(work: Generator[AgentEvent, None, AgentResult], recorder: Recorder, gatekeeper: Gatekeeper) -> AgentResult:
    while True:
        try:
            event = next(work)
        except StopIteration as done:
            result: AgentResult = done.value
            return result
        _record(recorder, event)
        if isinstance(event, Thinking):
            gatekeeper.begin_step()


def _record(recorder: Recorder, event: AgentEvent) -> None:
    match event:
        case Thinking():
            recorder.think(event.note, event.candidates)
        case Said():
            recorder.say(event)
        case Waiting():
            recorder.wait(event)
        case Rejected():
            recorder.reject(event)
        case Progress():
            recorder.write(recorder.state, [_usage(event.usage)])


def _usage(usage: Usage) -> Draft:
    return Draft("lane.usage", usage.to_json())


def _end(
    recorder: Recorder,
    result: AgentResult,
    cancel: LaneCancel,
    *,
    took_s: float,
    gated: Mapping[str, int] | None = None,
) -> None:
    """Write the agent's last words, or why it could not go on, its usage and the lane's final state."""
    times = _times(result, cancel, took_s=took_s)
    metrics = {"usage": result.usage.to_json(), "model": result.model, "steps": result.steps, **times}
    metrics |= {"gate": dict(gated)} if gated else {}
    more = {"steps": result.steps} | ({} if result.model is None else {"model": result.model})
    if result.ending is Ending.FAILED:
        why = {"fault": result.fault or "host", "code": result.code, "message": result.text}
        recorder.write(recorder.state, [Draft("agent.failed", why | more), _usage(result.usage)], metrics=metrics)
    else:
        said = {"ending": result.ending.value, "text": result.text, "stop_reason": result.stop_reason}
        kept: dict[str, Any] = {"answer": result.text, "ending": result.ending.value, "metrics": metrics}
        recorder.write(LaneState.ANSWERING, [Draft("lane.answered", said | more), _usage(result.usage)], **kept)
    _finish(recorder, *_last_state(result, cancel))


def _times(result: AgentResult, cancel: LaneCancel, *, took_s: float) -> dict[str, float | None]:
    """In ms. A pause for people who watch, a provider's rate limit and a person's answer are waiting, not working."""
    parts = {
        "paused_ms": cancel.paused_s * 1000,
        "provider_wait_ms": result.waiting_ms or 0.0,
        "person_wait_ms": cancel.extended_s * 1000,
    }
    waiting = sum(parts.values())
    whole = {"working_ms": max(took_s * 1000 - waiting, 0.0), "waiting_ms": waiting}
    first = {"first_token_ms": result.first_token_ms, "first_tool_ms": result.first_tool_ms}
    times = {**whole, **parts, **first}
    return {name: None if value is None else round(value, 1) for name, value in times.items()}


def _last_state(result: AgentResult, cancel: LaneCancel) -> tuple[LaneState, str]:
    if result.ending is Ending.FAILED:
        return LaneState.FAILED, result.text
    if result.ending is not Ending.STOPPED:
        return LaneState.COMPLETED, ""
    if cancel.timed_out:
        return LaneState.FAILED, TIME_UP
    cancel.look()
    return (LaneState.STOPPED, BY_A_PERSON) if cancel.stopped else (LaneState.ABANDONED, SITE_STOPPED)


def _finish(recorder: Recorder, state: LaneState, message: str, drafts: Sequence[Draft] = ()) -> None:
    try:
        with locked(recorder.lane.run_id):
            waited_for = approvals.void(recorder.lane.pk, approvals.LANE_ENDED)
            recorder.write(
                state, [*drafts, *waited_for], message=message, finished_at=Now(), owner="", lease_until=None
            )
    except LeaseLost:
        logger.warning("lane ended after its lease", extra={"lane": recorder.lane.public_id})
