"""The selector is a setting of the setup: what `top-k` makes of a run, and what stays as it was."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

from arena.errors import Invalid
from arena.library import library
from arena.models import LaneState, Run, RunState
from arena.own_cases import shelf as shelves
from arena.runs import history, setup, start
from policy.engine import receipts
from policy.engine.profile import Profile
from policy.engine.routing import RoutingPolicy
from policy.judges import registry
from policy.judges.scripted import Script, ScriptedJudge
from policy.models import LedgerEntry
from policy.people.models import User

Compare = Callable[..., Run]


def checked(**more: Any) -> setup.Setup:
    given: dict[str, Any] = {"arms": ["full", "selected"], "menu_size": 20, "judge": "local", "agent": "offline"}
    return setup.checked(**{**given, "profile": Profile(), "seed": 1, "pause_s": 0, **more})


def decided(run: Run) -> Any:
    return next(event.payload for event in history.events(run) if event.kind == "routing.decided")


def plays(monkeypatch: pytest.MonkeyPatch, choice: str, confidence: float = 0.9) -> None:
    """The scripted judge answers this option."""
    judge = ScriptedJudge(Script({"tool": {"choice": {"choice": choice, "confidence": confidence}}}))
    monkeypatch.setattr(registry, "get", lambda *args, **more: judge)


def test_a_top_k_run_with_the_local_judge_comes_to_its_end(compare: Compare) -> None:
    run = compare("patch", selector="top-k", menu_size=20)
    full, selected = run.lanes.all()
    assert (run.state, run.outcome) == (RunState.COMPLETE, "selected")
    assert 0 < len(selected.menu or []) < len(full.menu or [])
    assert selected.state == LaneState.COMPLETED
    assert LedgerEntry.objects.filter(origin_id=run.public_id).count() == 1


def test_its_receipt_replays_without_a_judge_and_names_what_was_left_out(compare: Compare) -> None:
    run = compare("patch", selector="top-k", arms=["selected"], menu_size=120)
    receipt = run.selection or {}
    assert receipts.replay(receipt).verdict is receipts.Verdict.SAME
    left_out = {each["id"]: each["reason"] for each in receipt["call"]["left_out"]}
    narrowed = {each["id"]: each["reason"] for each in receipt["call"]["narrowed"]}
    assert left_out["create_event"] == "its argument attendees is a list"
    assert narrowed["send_mail"] == "offered without: its argument cc is a list"


def test_the_page_shows_the_selector_what_it_measured_and_what_it_left_out(client: Client, compare: Compare) -> None:
    run = compare("patch", selector="top-k", menu_size=60)
    text = client.get(f"/runs/{run.public_id}/").content.decode()
    assert "selector <b>top-k</b>, at most 4" in text
    assert "What came of it" in text
    assert "asking back" in text
    assert "cannot be offered in one flat choice" in text


def test_prerequisites_come_along(compare: Compare, monkeypatch: pytest.MonkeyPatch) -> None:
    plays(monkeypatch, "propose_patch")
    run = compare("patch", judge="scripted", selector="top-k", menu_size=20)
    roles = {entry["id"]: entry["role"] for entry in run.lanes.get(arm="selected").menu or []}
    assert roles == {"propose_patch": "selected", "read_file": "prerequisite"}


def test_a_prerequisite_over_the_cost_limit_withholds_the_menu(
    compare: Compare, monkeypatch: pytest.MonkeyPatch
) -> None:
    plays(monkeypatch, "propose_patch")
    shelf = library()
    dear = tuple(replace(tool, cost_units=11) if tool.id == "read_file" else tool for tool in shelf.catalog.tools)
    monkeypatch.setattr(shelves, "books", lambda **_: replace(shelf, catalog=replace(shelf.catalog, tools=dear)))
    run = compare("patch", judge="scripted", selector="top-k", menu_size=20)
    assert (run.outcome, decided(run)["blocked"]) == ("unavailable", ["read_file"])
    assert decided(run)["rule"] == (run.selection or {})["selection"]["rule"] == "bundle.blocked"
    assert (run.state, run.lanes.get(arm="selected").state) == (RunState.PARTIAL, LaneState.WITHHELD)


def test_asking_back_withholds_the_menu_and_the_run_is_complete(
    compare: Compare, monkeypatch: pytest.MonkeyPatch
) -> None:
    plays(monkeypatch, "needs_clarification")
    run = compare("ambiguous", judge="scripted", selector="top-k")
    lane = run.lanes.get(arm="selected")
    assert (run.outcome, run.state, lane.state, lane.passed) == ("needs_clarification", "complete", "withheld", True)


def test_a_tool_that_the_case_forbids_never_reaches_the_judge(compare: Compare) -> None:
    run = compare("slow-checkout", selector="top-k")
    sent = str(LedgerEntry.objects.get(origin_id=run.public_id).request)
    assert run.case_snapshot.content["forbids"]
    assert not any(f"'{tool}'" in sent for tool in run.case_snapshot.content["forbids"])


def test_a_shadow_lane_sees_everything_beside_what_top_k_would_select(client: Client, compare: Compare) -> None:
    run = compare("patch", selector="top-k", arms=["shadow"], menu_size=20)
    assert len(run.lanes.get().menu or []) == 20
    assert "The judge would select" in client.get(f"/runs/{run.public_id}/").content.decode()


def test_run_again_keeps_the_selector_and_its_limits(
    client: Client, owner: User, unpublished: list[tuple[str, int]]
) -> None:
    limits = RoutingPolicy(top_k=3)
    old = start.start("patch", by=owner, origin="page", selector="top-k", routing=limits)
    client.post(f"/runs/{old.public_id}/again")
    new = Run.objects.exclude(pk=old.pk).get()
    assert (new.setup_digest, new.setup["routing"]) == (old.setup_digest, limits.to_json())


def test_a_two_stage_setup_is_stored_as_it_always_was() -> None:
    kept = checked().to_json()
    assert kept["selector"] == "two-stage"
    assert "routing" not in kept
    assert setup.Setup.from_json(kept) == checked()


def test_a_top_k_setup_takes_the_limits_of_its_judge_and_keeps_them() -> None:
    made = checked(selector="top-k")
    assert made.routing == registry.routing("local") != RoutingPolicy()
    assert setup.Setup.from_json(made.to_json()) == made
    assert checked(selector="top-k", judge="scripted").routing == RoutingPolicy()


def test_selector_and_limits_are_part_of_the_comparison_key() -> None:
    setups = [checked(), checked(selector="top-k"), checked(selector="top-k", routing=RoutingPolicy(top_k=2))]
    keys = {each.comparison_key(case="c", world="w", catalog="t") for each in setups}
    assert len(keys) == 3


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"selector": "bm25"}, "There is no selector 'bm25'. Allowed: top-k, two-stage."),
        ({"routing": RoutingPolicy()}, "Routing limits belong to the selector top-k"),
    ],
)
def test_a_wrong_selector_is_answered_with_the_allowed_ones(wrong: dict[str, Any], says: str) -> None:
    with pytest.raises(Invalid, match=says):
        checked(**wrong)


def test_a_menu_that_one_choice_cannot_hold_is_refused(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf = library()
    read = shelf.catalog.tool("read_file")
    many = shelf.catalog.tools + tuple(replace(read, id=f"read_{number}") for number in range(200))
    monkeypatch.setattr(shelves, "books", lambda **_: replace(shelf, catalog=replace(shelf.catalog, tools=many)))
    with pytest.raises(Invalid, match=r"top-k cannot offer this menu: .* at most 254 tools; got 317 tools"):
        start.start("patch", by=owner, origin="api", selector="top-k", menu_size=1000)
    assert not Run.objects.exists()
