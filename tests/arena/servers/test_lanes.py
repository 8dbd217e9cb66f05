"""Runs on real tools: only in allowed lanes, only as approved, destructive ones never without an approved call."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.catalogs.tool import Tool
from arena.errors import Invalid
from arena.models import Run, RunState
from arena.own_cases import services as cases
from arena.own_cases.models import OwnCase
from arena.servers import services
from arena.servers.lane import LaneServers
from arena.servers.models import OwnCatalog
from arena.worlds.handlers import ToolBroke, ToolError
from policy.people.models import User
from tests.arena.servers.conftest import calls

pytestmark = pytest.mark.django_db(transaction=True)
READ: dict[str, Any] = {
    "title": "When do we ship",
    "task": "Read the note plan and tell me when we ship.",
    "catalog": "notes",
    "acceptable": [["notes__read_note"]],
    "values": {"name": "plan"},
    "checks": [{"kind": "answer_contains", "texts": ["Monday"]}, {"kind": "called", "tools": ["notes__read_note"]}],
    "real_arms": ["full", "selected"],
}


@pytest.fixture
def case(owner: User, approved: OwnCatalog) -> OwnCase:
    return cases.make(READ, by=owner)


def tool(row: OwnCatalog, name: str) -> Tool:
    return services.catalog_of(row).tool(f"notes__{name}")


def test_a_run_on_real_tools_ends_with_its_check_green(
    case: OwnCase, compare: Callable[..., Run], folder: Path
) -> None:
    run = compare(case.public_id, menu_size=4)
    lanes = list(run.lanes.all())
    assert run.state == RunState.COMPLETE, run.message
    assert [lane.passed for lane in lanes] == [True, True], [(lane.message, lane.check_result) for lane in lanes]
    assert set(calls(folder)) == {"read_note"}
    assert run.setup["own_catalog"] == case.catalog.public_id  # type: ignore[union-attr]
    assert run.setup["real_arms"] == ["full", "selected"]


def test_real_tools_run_in_no_lane_that_the_case_does_not_name(
    owner: User, approved: OwnCatalog, compare: Callable[..., Run], folder: Path
) -> None:
    case = cases.make({**READ, "real_arms": ["selected"]}, by=owner)
    run = compare(case.public_id, menu_size=4, arms=["full"])
    refusals = [event.payload.get("error", "") for event in run.events.filter(kind="call.finished")]
    assert refusals
    assert all("does not allow real tools in this lane" in words for words in refusals)
    assert calls(folder) == []


def test_a_changed_server_starts_no_run(
    case: OwnCase, owner: User, approved: OwnCatalog, compare: Callable[..., Run], folder: Path
) -> None:
    (folder / "poisoned").touch()
    services.list_again(approved, by=owner)
    with pytest.raises(Invalid, match="have changed since you approved"):
        compare(case.public_id)


def test_a_server_that_changes_between_approval_and_call_is_not_called(approved: OwnCatalog, folder: Path) -> None:
    reading, listing = tool(approved, "read_note"), tool(approved, "list_notes")
    (folder / "poisoned").touch()
    with LaneServers(approved.public_id, allowed=True) as servers:
        with pytest.raises(ToolError, match="described otherwise"):
            servers.call(reading, {"name": "plan"})
        assert servers.call(listing, {}).content == {"text": "plan"}
    assert calls(folder) == ["list_notes"]
    approved.refresh_from_db()
    assert [each.name for each in services.changes(approved)] == ["read_note"]


def test_nothing_destructive_without_an_approved_call(approved: OwnCatalog, folder: Path) -> None:
    erase = tool(approved, "erase_note")
    with LaneServers(approved.public_id, allowed=True) as servers:
        with pytest.raises(ToolError, match="a person has to approve"):
            servers.call(erase, {"name": "plan"})
        assert calls(folder) == []
        servers.call(erase, {"name": "plan"}, approved=True)
    assert calls(folder) == ["erase_note"]


def test_one_connection_serves_a_lane_and_a_dead_one_is_opened_again(
    approved: OwnCatalog, owner: User, folder: Path
) -> None:
    (folder / "odd").touch()
    services.list_again(approved, by=owner)
    services.approve(approved, digest=approved.listing_digest, by=owner)
    with LaneServers(approved.public_id, allowed=True) as servers:
        listing = tool(approved, "list_notes")
        servers.call(listing, {})
        first = servers._connection
        servers.call(listing, {})
        assert servers._connection is first
        with pytest.raises(ToolBroke, match="The tool server notes failed: the connection ended"):
            servers.call(tool(approved, "die"), {}, approved=True)
        assert servers.call(listing, {}).content == {"text": "plan"}


def test_the_secret_of_a_server_is_in_no_result(approved: OwnCatalog, owner: User, folder: Path) -> None:
    (folder / "odd").touch()
    services.list_again(approved, by=owner)
    services.approve(approved, digest=approved.listing_digest, by=owner)
    with LaneServers(approved.public_id, allowed=True) as servers:
        told = str(servers.call(tool(approved, "tell"), {}, approved=True).content)
    assert "NOTES_TOKEN=[redacted]" in told
    assert "quiet-4711" not in told


def test_what_was_put_away_is_not_called(approved: OwnCatalog, owner: User, folder: Path) -> None:
    listing = tool(approved, "list_notes")
    services.archive(approved, by=owner)
    with LaneServers(approved.public_id, allowed=True) as servers, pytest.raises(ToolError, match="put away"):
        servers.call(listing, {})


def test_an_imported_tool_runs_nowhere(owner: User) -> None:
    document = '[{"name": "read_mail", "description": "Reads.", "input_schema": {"type": "object"}}]'
    row = services.import_document(name="mail", text=document, by=owner)
    services.approve(row, digest=row.listing_digest, by=owner)
    imported = services.catalog_of(row).tools[0]
    with LaneServers("", allowed=True) as servers, pytest.raises(ToolError, match="no place where it runs"):
        servers.call(imported, {})


ERASE: dict[str, Any] = {
    **READ,
    "title": "Erase a note",
    "task": "Erase the note plan for good.",
    "acceptable": [["notes__erase_note"]],
    "checks": [{"kind": "called", "tools": ["notes__erase_note"]}],
    "real_arms": ["full"],
}


def answered(yes: bool, done: threading.Event) -> None:
    """A person at the run page: answers every card until the run is over."""
    from django.db import connection

    from arena.approvals import answering
    from arena.approvals.models import Approval
    from policy.people.services import local_user

    try:
        while not done.is_set():
            for row in Approval.objects.filter(state=Approval.State.OPEN):
                answering.answer(row.public_id, approve=yes, digest=row.digest, by=local_user())
            time.sleep(0.1)
    finally:
        connection.close()


@pytest.mark.parametrize(("yes", "done"), [(True, ["erase_note"]), (False, [])])
def test_a_destructive_call_waits_for_a_person_and_runs_once(
    owner: User, approved: OwnCatalog, compare: Callable[..., Run], folder: Path, yes: bool, done: list[str]
) -> None:
    case = cases.make(ERASE, by=owner)
    over = threading.Event()
    person = threading.Thread(target=answered, args=(yes, over))
    person.start()
    try:
        run = compare(case.public_id, menu_size=4, arms=["full"])
    finally:
        over.set()
        person.join()
    assert calls(folder) == done
    assert run.events.filter(kind="approval.asked").exists()
    assert run.lanes.get().passed is yes
