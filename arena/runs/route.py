"""Routing: once per run, before the lanes. The judge is asked, the menus are laid out, the lanes are released."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any

from django.db.models.functions import Now

from arena import arms
from arena.models import Lane, LaneState, Run, RunState
from arena.runs import broken, claims, dispatch, inputs, judging, settle
from arena.runs.log import Draft, LeaseLost, append, locked
from arena.runs.waiting import stop_waiting
from policy.engine.selection import Outcome
from policy.engine.selectors import SelectorResult

logger = logging.getLogger("jev.runs")

BROKE = "Routing broke in our own code; the log of the worker says where. Start the run again."
BLOCKED = "selection.prerequisite-blocked"
# What a routing may take beside the judge's budget.
SPARE_S = 30
WITHHELD = {
    Outcome.NEEDS_CLARIFICATION: "The judge finds the task open: a question comes before any tool.",
    Outcome.NO_MATCH: "The judge finds no tool of the menu that fits the task.",
    Outcome.UNAVAILABLE: "There is no usable judgment, and without one no menu: the full menu is never the fallback.",
}


def route(run_pk: int) -> None:
    """Claim a queued run and carry it to the point where its lanes can be claimed; a second caller does nothing."""
    owner = claims.claim(
        Run.objects.filter(pk=run_pk, state=RunState.QUEUED, owner=""), state=RunState.ROUTING, started_at=Now()
    )
    if owner is None:
        return
    run = Run.objects.select_related("case_snapshot", "world_snapshot", "catalog_snapshot").get(pk=run_pk)
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
    if given.setup.needs_judge:

        def cancelled() -> bool:
            return lost() or Run.objects.filter(pk=run.pk, stop_requested_at__isnull=False).exists()

        selection, receipt = judging.select(run, owner, given, cancelled=cancelled)
    _release(run, owner, given, selection, receipt)


def _release(
    run: Run, owner: str, given: inputs.Inputs, selection: SelectorResult | None, receipt: dict[str, Any] | None
) -> None:
    """Write the decision and every lane's menu, then let the lanes go; a stopped run's lanes stop instead."""
    with locked(run.pk) as row:
        if row.owner != owner:
            raise LeaseLost(run.public_id)
        drafts: list[Draft] = []
        picked: tuple[arms.MenuEntry, ...] = ()
        blocked: tuple[str, ...] = ()
        outcome, rule = "", ""
        if selection is not None and receipt is not None:
            picked, blocked = arms.selected(selection, given.catalog, given.menu, given.case.forbids)
            outcome, rule = selection.outcome.value, selection.rule
            if blocked and outcome == Outcome.SELECTED.value:
                # `two-stage` knows no prerequisites; `top-k` has said by a rule of its own that one is blocked.
                outcome, rule = Outcome.UNAVAILABLE.value, BLOCKED
            blocked = blocked if outcome == Outcome.UNAVAILABLE.value else ()
            decided = {"outcome": outcome, "rule": rule, "selection": selection.to_json()}
            more = {"receipt": receipt["digest"], "blocked": list(blocked)}
            drafts.append(Draft("routing.decided", decided | more))
        stopped = row.stop_requested_at is not None
        if not stopped:
            for lane in Lane.objects.filter(run=row):
                drafts += _open(lane, given, picked, outcome, blocked)
            drafts.append(Draft("run.state", {"state": RunState.RUNNING.value}))
        Run.objects.filter(pk=row.pk).update(
            selection=receipt,
            outcome=outcome,
            owner="",
            lease_until=None,
            state=RunState.STOPPING if stopped else RunState.RUNNING,
        )
        append(row.pk, drafts + (stop_waiting(row) if stopped else []))


def _open(
    lane: Lane, given: inputs.Inputs, picked: tuple[arms.MenuEntry, ...], outcome: str, blocked: Sequence[str]
) -> list[Draft]:
    """Give a lane its menu and wake a worker for it, or withhold it."""
    if not arms.sees_everything(lane.arm) and outcome != Outcome.SELECTED.value:
        message = _blocked(blocked) if blocked else WITHHELD[Outcome(outcome)]
        Lane.objects.filter(pk=lane.pk).update(
            state=LaneState.WITHHELD, message=message, menu=[], ending=LaneState.WITHHELD.value, finished_at=Now()
        )
        return [
            Draft("lane.menu", {"tools": [], "of": given.menu.size}, lane=lane.pk),
            Draft("lane.state", {"state": LaneState.WITHHELD.value, "message": message}, lane=lane.pk),
        ]
    entries = arms.full(given.menu) if arms.sees_everything(lane.arm) else picked
    menu = [entry.to_json() for entry in entries]
    Lane.objects.filter(pk=lane.pk).update(menu=menu, queued_at=Now())
    dispatch.publish("lane", lane.pk)
    return [Draft("lane.menu", {"tools": menu, "of": given.menu.size}, lane=lane.pk)]


def _blocked(tools: Sequence[str]) -> str:
    return f"What was selected needs {', '.join(tools)}, which this lane may not have; so the whole menu is withheld."
