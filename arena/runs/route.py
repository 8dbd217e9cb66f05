"""Routing: once per run, before the lanes. The judge is asked, the menus are laid out, the lanes are released."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.db.models.functions import Now

from arena.models import Arm, Lane, LaneState, Run, RunState
from arena.runs import broken, claims, dispatch, inputs, judging, keeping, menus, settle
from arena.runs.log import Draft, LeaseLost, append, locked
from arena.runs.waiting import stop_waiting
from policy.engine.selectors import SelectorResult

logger = logging.getLogger("jev.runs")

BROKE = "Routing broke in our own code; the log of the worker says where. Start the run again."
# What a routing may take beside the judge's budget.
SPARE_S = 30


def route(run_pk: int) -> None:
    """Claim a queued run and carry it to the point where its lanes can be claimed; a second caller does nothing."""
    owner = claims.claim(
        Run.objects.filter(pk=run_pk, state=RunState.QUEUED, owner=""), state=RunState.ROUTING, started_at=Now()
    )
    if owner is None:
        return
    run = Run.objects.select_related("case_snapshot", "world_snapshot", "catalog_snapshot", "continues").get(pk=run_pk)
    append(run.pk, [Draft("run.state", {"state": RunState.ROUTING.value})])
    budget_s = run.setup["profile"]["limits"]["budgetMs"] / 1000
    with claims.held(Run, run.pk, owner, at_most_s=budget_s + SPARE_S) as lease:
        try:
            _route(run, owner, lease.lost.is_set)
        except LeaseLost:
            logger.warning("routing lost its lease", extra={"run": run.public_id})
        except Exception:
            # The process edge: what nobody foresaw must end the run with a word, not leave it routing for ever.
            logger.exception("routing broke", extra={"run": run.public_id})
            broken.end(run.pk, owner, BROKE)
    settle.settle_if_done(run.pk)


def _route(run: Run, owner: str, lost: Callable[[], bool]) -> None:
    given = inputs.of(run)
    selection, receipt = None, None
    before = keeping.kept(run, given)
    if given.setup.needs_judge and before is None:

        def cancelled() -> bool:
            return lost() or Run.objects.filter(pk=run.pk, stop_requested_at__isnull=False).exists()

        selection, receipt = judging.select(run, owner, given, cancelled=cancelled)
    decision, decided = before or (menus.decide(selection, given), None)
    # Vectors of a control may take a while: never inside the transaction that lets the lanes go.
    laid = {arm: menus.lay(Arm(arm), given, decision) for arm in given.setup.arms}
    drafts = [Draft("routing.decided", decided)] if decided else _decided(decision, selection, receipt)
    _release(run, owner, given, drafts, decision.outcome, laid, receipt)


def _decided(decision: menus.Decision, selection: SelectorResult | None, receipt: dict[str, Any] | None) -> list[Draft]:
    if selection is None or receipt is None:
        return []
    decided = {"outcome": decision.outcome, "rule": decision.rule, "selection": selection.to_json()}
    return [Draft("routing.decided", decided | {"receipt": receipt["digest"], "blocked": list(decision.blocked)})]


def _release(
    run: Run,
    owner: str,
    given: inputs.Inputs,
    decided: Sequence[Draft],
    outcome: str,
    laid: Mapping[str, menus.Laid],
    receipt: dict[str, Any] | None,
) -> None:
    """Write the decision and every lane's menu, then let the lanes go; a stopped run's lanes stop instead."""
    with locked(run.pk) as row:
        if row.owner != owner:
            raise LeaseLost(run.public_id)
        drafts = list(decided)
        stopped = row.stop_requested_at is not None
        if not stopped:
            for lane in Lane.objects.filter(run=row):
                drafts += _open(lane, laid[lane.arm], of=given.menu.size)
            drafts.append(Draft("run.state", {"state": RunState.RUNNING.value}))
        Run.objects.filter(pk=row.pk).update(
            selection=receipt,
            outcome=outcome,
            owner="",
            lease_until=None,
            state=RunState.STOPPING if stopped else RunState.RUNNING,
        )
        append(row.pk, drafts + (stop_waiting(row) if stopped else []))


def _open(lane: Lane, laid: menus.Laid, *, of: int) -> list[Draft]:
    """Give a lane its menu and wake a worker for it, or withhold it."""
    if laid.withheld:
        Lane.objects.filter(pk=lane.pk).update(
            state=LaneState.WITHHELD, message=laid.withheld, menu=[], ending=LaneState.WITHHELD.value, finished_at=Now()
        )
        return [
            Draft("lane.menu", {"tools": [], "of": of}, lane=lane.pk),
            Draft("lane.state", {"state": LaneState.WITHHELD.value, "message": laid.withheld}, lane=lane.pk),
        ]
    menu = [entry.to_json() for entry in laid.entries]
    Lane.objects.filter(pk=lane.pk).update(menu=menu, queued_at=Now())
    dispatch.publish("lane", lane.pk)
    return [Draft("lane.menu", {"tools": menu, "of": of}, lane=lane.pk)]
