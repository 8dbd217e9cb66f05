"""The life of a run, played by the real workers' code in this process."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import OperationalError, connection

from arena.models import Lane, LaneState, Run, RunState
from arena.runs import history, lane, menus, route, start, stop
from policy.engine import receipts
from policy.engine.failures import Failure, FailureCode
from policy.engine.profile import Profile, Thresholds
from policy.engine.selection import Outcome
from policy.judges.scripted import Script, ScriptedJudge
from policy.models import LedgerEntry
from policy.people.models import User

Compare = Callable[..., Run]
Published = list[tuple[str, int]]


def menu(lane: Lane) -> set[str]:
    return {entry["id"] for entry in lane.menu or []}


def kinds(run: Run) -> list[str]:
    return [event.kind for event in history.events(run)]


def test_a_comparison_comes_to_its_end_with_both_lanes_checked(compare: Compare) -> None:
    run = compare("patch")
    assert run.state == RunState.COMPLETE
    assert [each.state for each in run.lanes.all()] == [LaneState.COMPLETED] * 2
    assert all((each.check_result or {})["items"] for each in run.lanes.all())


def test_the_full_lane_sees_the_menu_and_the_selected_one_what_the_judge_left(compare: Compare) -> None:
    full, selected = compare("patch", menu_size=40).lanes.all()
    assert len(menu(full)) == 40
    assert 0 < len(menu(selected)) <= 21
    assert menu(selected) < menu(full)


def test_every_request_to_the_judge_is_a_row_of_the_ledger_and_two_events(compare: Compare) -> None:
    run = compare("patch")
    rows = LedgerEntry.objects.filter(origin="run", origin_id=run.public_id)
    assert rows.count() == kinds(run).count("judge.asked") == kinds(run).count("judge.answered") > 0
    assert all(row.status == "answered" and row.input_tokens and row.token_source == "estimated" for row in rows)


def test_the_receipt_of_a_run_replays_to_the_same_decision_without_a_judge(compare: Compare) -> None:
    run = compare("patch")
    assert receipts.replay(run.selection).verdict is receipts.Verdict.SAME
    decided = next(event for event in history.events(run) if event.kind == "routing.decided")
    assert decided.payload["receipt"] == (run.selection or {})["digest"]


def test_no_judge_is_asked_for_a_run_with_full_menus_only(compare: Compare) -> None:
    run = compare("patch", arms=["full"])
    assert "judge.asked" not in kinds(run)
    assert run.selection is None


def test_the_shadow_lane_sees_everything_and_the_selection_is_recorded(compare: Compare) -> None:
    run = compare("patch", arms=["shadow"], menu_size=20)
    shadow = run.lanes.get()
    assert len(menu(shadow)) == 20
    assert run.outcome == "selected"
    assert shadow.metrics["measured"]["judge_input_tokens"]["value"] > 0


def test_selected_totals_include_the_judge(compare: Compare) -> None:
    measured = compare("patch").lanes.get(arm="selected").metrics["measured"]
    parts = measured["agent_input_tokens"]["value"] + measured["judge_input_tokens"]["value"]
    assert measured["input_tokens"]["value"] == parts
    assert measured["input_tokens"]["source"] == "estimated"


def test_a_vague_task_withholds_the_selected_lane_and_the_run_is_complete(compare: Compare) -> None:
    run = compare("ambiguous")
    selected = run.lanes.get(arm="selected")
    assert (run.outcome, selected.state, run.state) == ("needs_clarification", "withheld", "complete")
    assert selected.passed is True


def test_a_tool_that_the_case_forbids_never_reaches_the_judge(compare: Compare) -> None:
    run = compare("slow-checkout")
    forbidden = run.case_snapshot.content["forbids"]
    assert forbidden
    sent = [row.request for row in LedgerEntry.objects.all()]
    assert not any(tool in str(request) for tool in forbidden for request in sent)


@pytest.mark.django_db(transaction=True)
def test_a_second_worker_does_nothing(owner: User, unpublished: Published) -> None:
    run = start.start("patch", by=owner, origin="api", arms=["full"])
    route.route(run.pk)
    route.route(run.pk)
    (only,) = run.lanes.all()
    lane.work(only.pk)
    lane.work(only.pk)
    assert kinds(run).count("lane.answered") == 1
    assert unpublished == [("route", run.pk), ("lane", only.pk)]


@pytest.mark.django_db(transaction=True)
def test_a_stop_before_any_worker_came_ends_the_run_at_once(owner: User, unpublished: Published) -> None:
    run = stop.stop(start.start("patch", by=owner, origin="api"), by=owner)
    assert run.state == RunState.STOPPED
    route.route(run.pk)
    run.refresh_from_db()
    assert run.state == RunState.STOPPED


@pytest.mark.django_db(transaction=True)
def test_a_stop_between_routing_and_lanes_stops_the_lanes(owner: User, unpublished: Published) -> None:
    run = start.start("patch", by=owner, origin="api", arms=["full"])
    route.route(run.pk)
    run = stop.stop(run, by=owner)
    lane.work(run.lanes.get().pk)
    assert (run.state, run.lanes.get().state) == ("stopped", "stopped")


def test_an_agent_that_breaks_fails_its_lane_with_a_word(compare: Compare, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("boom")

    monkeypatch.setattr("arena.runs.lane._drive", broken)
    run = compare("patch", arms=["full"])
    only: Lane = run.lanes.get()
    assert (run.state, only.state) == ("failed", "failed")
    assert "boom" not in only.message


def test_a_judge_that_fails_withholds_the_selected_lane_and_never_falls_back(
    compare: Compare, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = ScriptedJudge(Script(error=Failure(FailureCode.SERVER, "the far side is down")))
    monkeypatch.setattr("policy.judges.registry.get", lambda name, **_: judge)
    run = compare("patch", judge="scripted")
    full, selected = run.lanes.all()
    assert (run.state, run.outcome) == ("partial", "unavailable")
    assert (full.state, selected.state, selected.menu) == ("completed", "withheld", [])


@pytest.mark.django_db(transaction=True)
def test_of_many_workers_one_gets_the_lane(owner: User, unpublished: Published) -> None:
    run = start.start("patch", by=owner, origin="api", arms=["full"])
    route.route(run.pk)
    only = run.lanes.get()

    def work(_: int) -> None:
        lane.work(only.pk)
        connection.close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    only.refresh_from_db()
    assert (only.attempt, only.state, kinds(run).count("lane.answered")) == (1, "completed", 1)


def test_a_check_that_breaks_fails_the_run_with_a_word_and_keeps_the_lanes(
    compare: Compare, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("boom")

    monkeypatch.setattr("arena.evidence.checks.check", broken)
    run = compare("patch", arms=["full"])
    assert (run.state, run.lanes.get().state) == ("failed", "completed")
    assert run.message.startswith("Settling broke in our own code")


def test_a_ledger_that_cannot_be_written_is_not_the_judges_fault(
    compare: Compare, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OperationalError("database or disk is full")

    monkeypatch.setattr(LedgerEntry, "save", full)
    run = compare("patch")
    assert (run.state, run.outcome) == ("failed", "")
    assert "judge.failed" not in kinds(run)


def test_a_judge_that_breaks_leaves_a_row_and_an_event(compare: Compare, monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        name = "scripted"

        def ask(self, *_: object, **__: object) -> None:
            raise ZeroDivisionError

    monkeypatch.setattr("policy.judges.registry.get", lambda name, **_: Broken())
    run = compare("patch", judge="scripted")
    row = LedgerEntry.objects.get()
    assert (row.status, row.failure_code, run.outcome) == ("failed", "UNKNOWN", "unavailable")
    assert "judge.failed" in kinds(run)


def test_a_blocked_prerequisite_withholds_the_menu_and_is_named(
    compare: Compare, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.arms.Catalog.with_prerequisites", lambda *_, **__: ((), ("get_order",)))
    run = compare("patch")
    assert (run.state, run.outcome) == ("partial", "unavailable")
    assert "needs get_order" in run.lanes.get(arm="selected").message


def test_a_winner_that_is_too_weak_asks_whatever_it_would_need(
    compare: Compare, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.arms.Catalog.with_prerequisites", lambda *_, **__: ((), ("get_order",)))
    run = compare("patch", judge="scripted", profile=Profile(thresholds=Thresholds(selection=1)))
    assert (run.state, run.outcome) == ("complete", "needs_clarification")
    assert run.lanes.get(arm="selected").message == menus.WITHHELD[Outcome.NEEDS_CLARIFICATION]
