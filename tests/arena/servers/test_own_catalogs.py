"""Catalogs of one's own: connected, imported, marked, approved; a changed server blocks every run until approved."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from django.conf import LazySettings

from arena.catalogs.own import Marks
from arena.errors import Conflict, Invalid, Unknown
from arena.servers import secrets, services
from arena.servers.models import OwnCatalog
from arena.servers.trouble import ServerTrouble
from policy.people import provider_keys
from policy.people.models import AuditEntry, Role, User
from policy.people.services import NotAllowed
from tests.arena.servers.conftest import calls, command

pytestmark = pytest.mark.django_db
OPENAI = [
    {
        "type": "function",
        "function": {"name": "read_ticket", "description": "Read a ticket.", "parameters": {"type": "object"}},
    }
]


@pytest.fixture
def other(db: None) -> User:
    return User.objects.create(username="other", role=Role.MEMBER)


def test_a_connected_server_waits_for_an_approval(connected: OwnCatalog) -> None:
    assert {each["name"] for each in connected.listing} == {"list_notes", "read_note", "add_note", "erase_note"}
    assert "not approved yet" in services.why_not(connected)
    with pytest.raises(Invalid, match="not approved yet"):
        services.catalog_of(connected)


def test_an_approved_one_offers_safe_ids_and_knows_the_real_names(approved: OwnCatalog) -> None:
    catalog = services.catalog_of(approved)
    assert catalog.ids == ("notes__list_notes", "notes__read_note", "notes__add_note", "notes__erase_note")
    assert catalog.tool("notes__erase_note").origin == "notes.erase_note"
    assert catalog.tool("notes__erase_note").effect == "destructive"
    assert catalog.tool("notes__list_notes").effect == "observe"
    assert AuditEntry.objects.filter(action="catalog.approved").exists()


def test_nothing_of_the_server_runs_while_it_is_listed_and_approved(approved: OwnCatalog, folder: Path) -> None:
    assert calls(folder) == []


@pytest.mark.parametrize(
    ("sign", "name", "kind"),
    [("poisoned", "read_note", "changed"), ("grown", "share_note", "new"), ("shrunk", "erase_note", "gone")],
)
def test_a_changed_new_or_missing_tool_blocks_runs_until_approved_again(
    approved: OwnCatalog, owner: User, folder: Path, sign: str, name: str, kind: str
) -> None:
    (folder / sign).touch()
    services.list_again(approved, by=owner)
    found = services.changes(approved)
    assert [(each.name, each.kind) for each in found] == [(name, kind)]
    with pytest.raises(Invalid, match="have changed since you approved"):
        services.catalog_of(approved)
    if sign == "poisoned":
        assert any(line.sign == "+" and "send every key" in line.text for line in found[0].lines)
    services.approve(approved, digest=approved.listing_digest, by=owner)
    assert services.changes(approved) == ()
    assert services.catalog_of(approved)


def test_what_was_not_seen_is_not_approved(approved: OwnCatalog, owner: User, folder: Path) -> None:
    seen = approved.listing_digest
    (folder / "poisoned").touch()
    services.list_again(approved, by=owner)
    with pytest.raises(Conflict, match="other tools than those you saw"):
        services.approve(approved, digest=seen, by=owner)


def test_a_server_that_cannot_be_listed_keeps_its_listing_and_says_why(approved: OwnCatalog, owner: User) -> None:
    approved.command = ["/no/such/program"]
    services.list_again(approved, by=owner)
    assert "cannot be started" in approved.trouble
    assert services.catalog_of(approved)


def test_marks_count_from_the_next_approval_on(approved: OwnCatalog, owner: User) -> None:
    marks = services.marks_of(approved)
    assert marks is not None
    changed = {
        **marks.tools,
        "add_note": replace(marks.tools["add_note"], effect="destructive", prerequisites=("list_notes",)),
    }
    services.mark(approved, Marks(changed, marks.categories), by=owner)
    assert services.catalog_of(approved).tool("notes__add_note").effect == "modify"
    assert services.marks_changed(approved)
    services.approve(approved, digest=approved.listing_digest, by=owner)
    tool = services.catalog_of(approved).tool("notes__add_note")
    assert (tool.effect, tool.prerequisites) == ("destructive", ("notes__list_notes",))


def test_words_that_no_database_keeps_are_no_marks(connected: OwnCatalog, owner: User) -> None:
    marks = services.marks_of(connected)
    assert marks is not None
    first = replace(marks.categories[0], title="a\x00")
    with pytest.raises(Invalid, match="NUL"):
        services.mark(connected, Marks(marks.tools, (first, *marks.categories[1:])), by=owner)


def test_a_left_out_tool_is_in_no_catalog(connected: OwnCatalog, owner: User) -> None:
    marks = services.marks_of(connected)
    assert marks is not None
    kept = {**marks.tools, "erase_note": replace(marks.tools["erase_note"], left_out=True)}
    services.mark(connected, Marks(kept, marks.categories), by=owner)
    services.approve(connected, digest=connected.listing_digest, by=owner)
    assert "notes__erase_note" not in services.catalog_of(connected).ids


def test_a_circle_of_prerequisites_is_refused(connected: OwnCatalog, owner: User) -> None:
    marks = services.marks_of(connected)
    assert marks is not None
    circle = {
        **marks.tools,
        "add_note": replace(marks.tools["add_note"], prerequisites=("read_note",)),
        "read_note": replace(marks.tools["read_note"], prerequisites=("add_note",)),
    }
    with pytest.raises(Invalid, match="lead back"):
        services.mark(connected, Marks(circle, marks.categories), by=owner)


def test_secrets_are_sealed_for_their_row_and_person(connected: OwnCatalog, other: User) -> None:
    assert "quiet-4711" not in json.dumps(services.document(connected))
    assert "quiet-4711" not in connected.sealed
    assert secrets.opened(connected) == {"NOTES_TOKEN": "quiet-4711"}
    stolen = OwnCatalog(by=other, name="notes", source=connected.source, sealed=connected.sealed)
    with pytest.raises(ServerTrouble, match="enter them again"):
        secrets.opened(stolen)


def test_a_new_master_key_is_put_over_them_too(connected: OwnCatalog) -> None:
    before = connected.sealed
    assert provider_keys.reseal(keep_old=False).unreadable == ()
    connected.refresh_from_db()
    assert connected.sealed != before
    assert secrets.opened(connected) == {"NOTES_TOKEN": "quiet-4711"}


def test_what_is_put_away_has_no_secret_any_more(approved: OwnCatalog, owner: User) -> None:
    services.archive(approved, by=owner)
    approved.refresh_from_db()
    assert approved.sealed == ""
    assert "put away" in services.why_not(approved)
    with pytest.raises(Unknown):
        services.find(approved.public_id, by=owner)


def test_what_belongs_to_somebody_else_is_not_there(connected: OwnCatalog, other: User) -> None:
    assert services.of(other) == []
    for key in (connected.public_id, connected.name):
        with pytest.raises(Unknown):
            services.find(key, by=other)


def test_a_command_needs_the_operator_and_everything_the_member(other: User, reader: User, folder: Path) -> None:
    with pytest.raises(NotAllowed):
        services.connect(name="notes", by=other, command=command(folder))
    with pytest.raises(NotAllowed):
        services.connect(name="notes", by=reader, url="https://example.com/mcp")
    with pytest.raises(NotAllowed):
        services.import_document(name="desk", text=json.dumps(OPENAI), by=reader)


def test_a_site_may_run_no_commands(connected: OwnCatalog, owner: User, folder: Path, settings: LazySettings) -> None:
    settings.TOOL_COMMANDS = False
    with pytest.raises(Invalid, match="runs no commands"):
        services.connect(name="more", by=owner, command=command(folder))
    services.list_again(connected, by=owner)
    assert "runs no commands" in connected.trouble


def test_nothing_is_stored_of_a_server_that_cannot_be_reached(owner: User) -> None:
    with pytest.raises(Invalid, match="cannot be started"):
        services.connect(name="notes", by=owner, command=["/no/such/program"])
    with pytest.raises(Invalid, match="nothing listens"):
        services.connect(name="notes", by=owner, url="http://127.0.0.1:9/mcp")
    assert services.of(owner) == []


def test_one_way_to_a_server_and_one_name_for_it(connected: OwnCatalog, owner: User, folder: Path) -> None:
    with pytest.raises(Invalid, match="either a command or an address"):
        services.connect(name="both", by=owner, command=["x"], url="https://example.com")
    with pytest.raises(Conflict, match="already"):
        services.connect(name="notes", by=owner, command=command(folder))
    with pytest.raises(Invalid, match="small letters"):
        services.import_document(name="No Name", text=json.dumps(OPENAI), by=owner)


def test_an_imported_catalog_has_no_place_where_it_runs(owner: User) -> None:
    row = services.import_document(name="desk", text=json.dumps(OPENAI), by=owner)
    services.approve(row, digest=row.listing_digest, by=owner)
    tool = services.catalog_of(row).tool("desk__read_ticket")
    assert (tool.origin, tool.foreign, tool.effect) == ("", True, "observe")


def test_a_faulty_document_imports_nothing(owner: User) -> None:
    with pytest.raises(Invalid, match=r"Nothing was imported. Tool 2 .*parameters|Tool 2"):
        services.import_document(name="desk", text=json.dumps([*OPENAI, {"name": "x"}]), by=owner)
    assert services.of(owner) == []
