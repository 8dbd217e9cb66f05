"""The pages and the API of own catalogs: what is shown, what is refused with a sentence, what is never repeated."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from django.test import Client

from arena.servers import services
from arena.servers.models import OwnCatalog
from policy.people.models import Role, User
from tests.arena.servers.conftest import calls, command

pytestmark = pytest.mark.django_db
TOOLS = [{"name": "read_mail", "description": "Reads <b>mail</b>.", "input_schema": {"type": "object"}}]


def text(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def form(row: OwnCatalog, **changes: str) -> dict[str, str]:
    """The form of the catalog page as it stands, with changes."""
    sent = {"digest": row.listing_digest, "do": "approve"}
    for number, tool in enumerate(row.listing):
        mark = row.marks["tools"][tool["name"]]
        sent |= {f"tool-{number}": tool["name"], f"effect-{number}": mark["effect"], f"keep-{number}": "on"}
        sent |= {f"category-{number}": mark["category"], f"needs-{number}": ""}
    return sent | changes


def test_connect_look_approve(client: Client, owner: User, folder: Path) -> None:
    sent = {"name": "notes", "command": shlex.join(command(folder)), "secrets": "NOTES_TOKEN=quiet-4711"}
    led = client.post("/catalogs/", sent)
    assert led.status_code == 302
    page = text(client, led["Location"])
    assert "not approved" in page
    assert "read_note" in page
    assert "the server says that it may destroy" in page
    assert "quiet-4711" not in page
    row = services.of(owner)[0]
    assert client.post(f"{led['Location']}marks", form(row)).status_code == 302
    assert "Your cases may use its tools." in text(client, led["Location"])
    assert calls(folder) == []


def test_a_changed_description_is_shown_as_a_difference(client: Client, approved: OwnCatalog, folder: Path) -> None:
    (folder / "poisoned").touch()
    client.post(f"/catalogs/{approved.public_id}/again")
    page = text(client, f"/catalogs/{approved.public_id}/")
    assert "What has changed since you approved it" in page
    assert re.search(r'class="plus">\+ Read the text of one note by its name. Before you read', page)


def test_a_mark_that_does_not_fit_is_refused_on_the_page(client: Client, connected: OwnCatalog) -> None:
    address = f"/catalogs/{connected.public_id}/"
    refused = client.post(f"{address}marks", form(connected, **{"needs-1": "no_such_tool"}))
    assert refused.status_code == 422
    assert "no_such_tool” is not offered" in refused.content.decode()
    stale = client.post(f"{address}marks", form(connected, digest="0" * 64))
    assert stale.status_code == 409


def test_a_refused_form_keeps_what_was_typed_but_no_secret(client: Client, owner: User) -> None:
    sent = {"name": "notes", "url": "http://127.0.0.1:9/mcp", "secrets": "X-Token=quiet-4711"}
    refused = client.post("/catalogs/", sent)
    assert refused.status_code == 422
    page = refused.content.decode()
    assert "nothing listens" in page
    assert "http://127.0.0.1:9/mcp" in page
    assert "quiet-4711" not in page
    broken = client.post("/catalogs/", {**sent, "secrets": "quiet-4711"})
    assert "Line 1 of the secrets" in broken.content.decode()
    assert "quiet-4711" not in broken.content.decode()


def test_an_import_is_shown_with_a_strangers_text_escaped(client: Client, owner: User) -> None:
    led = client.post("/catalogs/", {"name": "mail", "document": json.dumps(TOOLS)})
    page = text(client, led["Location"])
    assert "Reads &lt;b&gt;mail&lt;/b&gt;." in page
    assert "nowhere" in page
    faulty = client.post("/catalogs/", {"name": "mail2", "document": "[{]"})
    assert faulty.status_code == 422
    assert "[{]" in faulty.content.decode()


def test_the_judge_proposes_and_the_person_keeps(client: Client, owner: User) -> None:
    led = client.post("/catalogs/", {"name": "mail", "document": json.dumps(TOOLS)})
    row = services.of(owner)[0]
    before = row.marks
    assert client.post(f"{led['Location']}propose").status_code == 302
    row.refresh_from_db()
    assert row.marks == before
    assert row.proposed["read_mail"]
    assert "the judge&#x27;s proposal" in text(client, led["Location"]) or "the judge's proposal" in text(
        client, led["Location"]
    )


def test_a_reader_sees_no_form_and_another_person_nothing(client: Client, connected: OwnCatalog, owner: User) -> None:
    User.objects.filter(pk=owner.pk).update(role=Role.READER)
    page = text(client, "/catalogs/")
    assert "need the role member" in page
    assert client.post("/catalogs/", {"name": "x", "document": json.dumps(TOOLS)}).status_code == 403
    OwnCatalog.objects.update(by=User.objects.create(username="other", role=Role.MEMBER))
    assert client.get(f"/catalogs/{connected.public_id}/").status_code == 404
    assert client.get(f"/api/arena/catalogs/{connected.public_id}").status_code == 404


def test_the_whole_way_over_the_api(client: Client, owner: User, folder: Path) -> None:
    body = {"name": "notes", "command": command(folder), "secrets": {"NOTES_TOKEN": "quiet-4711"}}
    made = client.post("/api/arena/catalogs", body, content_type="application/json")
    assert made.status_code == 201, made.content
    assert "quiet-4711" not in made.content.decode()
    one = f"/api/arena/catalogs/{made.json()['id']}"
    marks = made.json()["marks"]
    marks["tools"]["add_note"]["prerequisites"] = ["list_notes"]
    assert client.put(f"{one}/marks", marks, content_type="application/json").status_code == 200
    wrong = client.post(f"{one}/approve", {"digest": "0"}, content_type="application/json")
    assert wrong.status_code == 409
    approved = client.post(f"{one}/approve", {"digest": made.json()["digest"]}, content_type="application/json")
    assert approved.json()["usable"]
    (folder / "grown").touch()
    listed = client.post(f"{one}/list").json()
    assert (listed["usable"], [each["kind"] for each in listed["changes"]]) == (False, ["new"])
    assert client.post(f"{one}/propose").status_code == 200
    assert client.delete(one).status_code == 204
    assert client.get("/api/arena/catalogs").json() == {"catalogs": []}
    document = {"name": "mail", "document": TOOLS}
    assert client.post("/api/arena/catalogs/import", document, content_type="application/json").status_code == 201
