"""Settling: when every lane has come to its end, the checks run, the figures are taken, the run gets its last state."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace

from django.db.models.functions import Now
from django.utils import timezone

from arena.catalogs.menus import recall_at_menu
from arena.evidence import bill, checks, cost, lane_record, menu_pays, metrics, searching
from arena.evidence.gate import gate_metrics
from arena.models import LANE_FINAL, RUN_FINAL, Arm, Event, Lane, LaneState, Run, RunState
from arena.runs import broken, claims, inputs, served
from arena.runs.inputs import Inputs
from arena.runs.log import Draft, append, locked
from arena.runs.waiting import BY_A_PERSON
from policy import prices
from policy.engine.selection import Outcome

logger = logging.getLogger("jev.runs")
BROKE = "Settling broke in our own code; what the lanes did is kept, the log of the worker says where."
WITHIN_S = 120


def settle_if_done(run_pk: int) -> None:
    """Settle the run if all its lanes are final and nobody else is at it; harmless to call at any time."""
    run = Run.objects.get(pk=run_pk)
    if run.state in RUN_FINAL or run.lanes.exclude(state__in=LANE_FINAL).exists():
        return
    free = Run.objects.filter(pk=run_pk, state__in=[RunState.RUNNING, RunState.STOPPING, RunState.SETTLING], owner="")
    owner = claims.claim(free, state=RunState.SETTLING)
    if owner is None:
        return
    append(run_pk, [Draft("run.state", {"state": RunState.SETTLING.value})])
    with claims.held(Run, run_pk, owner, at_most_s=WITHIN_S):
        try:
            _settle(run_pk, owner)
        except Exception:
            # The process edge: a check that breaks must not leave the run settling, nor end the reaper.
            logger.exception("settling broke", extra={"run": run.public_id})
            broken.end(run_pk, owner, BROKE)


def _settle(run_pk: int, owner: str) -> None:
    run = Run.objects.select_related("case_snapshot", "world_snapshot", "catalog_snapshot").get(pk=run_pk)
    given = inputs.of(run)
    lanes = list(run.lanes.all())
    events = list(run.events.all())
    judge = metrics.judge_usage(events)
    drafts = [draft for lane in lanes for draft in _measure(lane, events, given, judge, run.outcome)]
    _price(lanes, events, given)
    state, message = last_state(run, lanes)
    with locked(run_pk) as row:
        if row.owner != owner:
            return
        for lane in lanes:
            lane.save(update_fields=["metrics", "check_result", "passed"])
        Run.objects.filter(pk=run_pk).update(state=state, message=message, settled_at=Now(), owner="", lease_until=None)
        said = {"message": message} if message else {}
        append(run_pk, [*drafts, Draft("run.state", {"state": state.value, **said})])


def _measure(
    lane: Lane, events: Sequence[Event], given: Inputs, judge: metrics.JudgeUsage, outcome: str
) -> list[Draft]:
    own = [event for event in events if event.lane_id == lane.pk]
    record = lane_record.evidence(lane, own, world=given.world, outcome=outcome)
    drafts = []
    if _did_something(lane):
        result = checks.check(given.case, record)
        if result.items:
            lane.check_result, lane.passed = result.to_json(), result.passed
            drafts.append(Draft("lane.checked", result.to_json(), lane=lane.pk))
    recall = None
    if lane.menu is not None and not given.case.beyond_its_question:
        recall = recall_at_menu(
            given.case, given.catalog, [entry["id"] for entry in lane.menu if entry["role"] != "joined"]
        )
    lane.metrics = {**lane_record.last_usage(own), **lane.metrics}
    taken = metrics.lane_metrics(lane, record.calls, judge, recall=recall, passed=lane.passed)
    taken |= gate_metrics(lane, own)
    if given.case.beyond_its_question:
        why = "the case does not know what the answer needs"
        taken["recall_at_menu"] = replace(taken["recall_at_menu"], reason=why)
    lane.metrics["measured"] = {name: metric.to_json() for name, metric in taken.items()}
    return drafts


def _price(lanes: Sequence[Lane], events: Sequence[Event], given: Inputs) -> None:
    """What every lane cost at the prices of today, kept with where they are from: a later price changes no old run."""
    table, today = prices.in_force(), timezone.now().date()
    judge = bill.of_judge(events, given.setup.model, table, day=today)
    requests = {}
    for lane in lanes:
        own = [event for event in events if event.lane_id == lane.pk]
        requests[lane.position] = cost.requests_of(own)
        found = bill.of(lane, own, served.of(given.setup), judge, table, day=today)
        lane.metrics["measured"] |= {name: each.to_json() for name, each in bill.metrics(found, lane).items()}
        lane.metrics["measured"] |= {name: each.to_json() for name, each in searching.metrics(lane, own).items()}
        lane.metrics["measured"]["menu_tokens"] = served.menu_tokens(lane, given).to_json()
        lane.metrics["prices"] = {"agent": found.agent.source, "judge": found.judge_source}
    chosen = next((lane for lane in lanes if lane.arm == Arm.SELECTED), None)
    if chosen is not None:
        rates = bill.rates(served.of(given.setup), str(chosen.metrics.get("model") or ""), table, today)
        chosen.metrics["pays"] = menu_pays.of(lanes, requests, rates)


def _did_something(lane: Lane) -> bool:
    """Whether there is something to check: not where a person stopped the lane or its worker was lost.

    Nor where a control was withheld: it has judged nothing, so it has not asked or declined by that.
    """
    if lane.state == LaneState.WITHHELD:
        return not Arm(lane.arm).is_control
    return lane.state not in (LaneState.STOPPED, LaneState.ABANDONED)


def last_state(run: Run, lanes: Sequence[Lane]) -> tuple[RunState, str]:
    """The last state of a run and why, from its lanes' states and the selection's outcome (design, States)."""
    states = [LaneState(lane.state) for lane in lanes]
    withheld_for_a_failure = LaneState.WITHHELD in states and run.outcome == Outcome.UNAVAILABLE.value
    if run.stop_requested_at is not None and LaneState.STOPPED in states:
        return RunState.STOPPED, BY_A_PERSON
    good = [state in (LaneState.COMPLETED, LaneState.WITHHELD) for state in states]
    if all(good) and not withheld_for_a_failure:
        return RunState.COMPLETE, ""
    worst = next((lane for lane, fine in zip(lanes, good, strict=True) if not fine), None)
    message = f"{worst.letter}: {worst.message}" if worst else "no usable judgment"
    if LaneState.COMPLETED in states:
        return RunState.PARTIAL, message
    return (RunState.ABANDONED if LaneState.ABANDONED in states else RunState.FAILED), message
