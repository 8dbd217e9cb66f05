"""Answering on the page and over the API, and what stands on the page before and after."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from arena.approvals.models import Approval
from arena.models import Run
from arena.runs import asks, history, stop
from arena.runs.approving import Approved, NotApproved
from policy.people.models import User
from tests.arena.approvals.desks import WITHIN_S, Waiting, opened

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def waiting(owner: User, unpublished: Any) -> Waiting:
    return Waiting.begin(owner)


def page(client: Client, run: Run) -> str:
    return client.get(f"/runs/{run.public_id}/").content.decode()


def test_a_call_that_waits_stands_on_the_page_and_is_answered_there(waiting: Waiting, client: Client) -> None:
    asked = waiting.ask()
    row = opened()
    shown = page(client, waiting.run)
    assert "May A run <code>issue_refund</code>?" in shown
    assert "money leaves the house" in shown.lower()
    assert f"{row.public_id}:{row.digest}" in shown
    assert "<title>\n  (?) " in shown or "(?) " in shown
    address = f"/runs/{waiting.run.public_id}/answer"
    given = client.post(address, {"approve": f"{row.public_id}:{row.digest}"})
    assert given.status_code == 302
    assert isinstance(asked.result(WITHIN_S), Approved)
    assert client.post(address, {"approve": f"{row.public_id}:{row.digest}"}).status_code == 409
    assert "data-approval" not in page(client, waiting.run)


@pytest.mark.parametrize(
    ("body", "status"),
    [({}, 404), ({"approve": "apr_none:x"}, 404), ({"deny": "\x00"}, 404), ({"deny": "{id}:wrong"}, 422)],
)
def test_an_answer_that_names_no_call_is_refused_with_a_word(
    body: dict[str, str], status: int, waiting: Waiting, client: Client, owner: User
) -> None:
    asked = waiting.ask()
    row = opened()
    sent = {name: value.format(id=row.public_id) for name, value in body.items()}
    assert client.post(f"/runs/{waiting.run.public_id}/answer", sent).status_code == status
    stop.stop(waiting.run, by=owner)
    assert isinstance(asked.result(WITHIN_S), NotApproved)


def test_an_answer_on_the_page_of_another_run_is_refused(waiting: Waiting, client: Client, owner: User) -> None:
    other = Waiting.begin(owner)
    asked = waiting.ask()
    row = opened()
    given = {"approve": f"{row.public_id}:{row.digest}"}
    assert client.post(f"/runs/{other.run.public_id}/answer", given).status_code == 404
    client.post(f"/runs/{waiting.run.public_id}/answer", {"deny": f"{row.public_id}:{row.digest}"})
    assert isinstance(asked.result(WITHIN_S), NotApproved)


def test_a_program_lists_what_waits_and_answers(waiting: Waiting, client: Client) -> None:
    asked = waiting.ask()
    opened()
    (listed,) = client.get("/api/arena/approvals").json()["approvals"]
    assert (listed["tool"], listed["state"], listed["letter"]) == ("issue_refund", "open", "A")
    assert "sealed" not in listed
    address = f"/api/arena/approvals/{listed['id']}/answer"
    wrong = client.post(address, {"approve": True, "digest": "0"}, content_type="application/json")
    assert wrong.status_code == 422
    body = {"approve": True, "digest": listed["digest"]}
    answered = client.post(address, body, content_type="application/json")
    assert (answered.status_code, answered.json()["answered_by"]) == (200, "local")
    assert isinstance(asked.result(WITHIN_S), Approved)
    assert client.post(address, body, content_type="application/json").status_code == 409
    assert client.get("/api/arena/approvals").json() == {"approvals": []}
    absent = client.post("/api/arena/approvals/apr_none/answer", body, content_type="application/json")
    assert absent.status_code == 404


def test_a_terminal_is_told_where_to_answer(waiting: Waiting, owner: User) -> None:
    asked = waiting.ask()
    row = Approval.objects.select_related("run", "lane").get(pk=opened().pk)
    assert f"/runs/{waiting.run.public_id}/" in asks.sentence(row)
    stop.stop(waiting.run, by=owner)
    asked.result(WITHIN_S)


def test_gate_and_rules_are_chosen_on_the_start_page(client: Client, owner: User, unpublished: Any) -> None:
    order = {"ordered": "1", "case": "patch", "menu": "20", "arms": ["full"], "agent": "offline", "judge": "local"}
    more = {"seed": "1", "gate": "enforce", "rules": "deny delete_* -- never\r\nallow read_file"}
    assert client.post("/", {**order, **more}).status_code == 302
    setup = Run.objects.get().setup
    assert setup["gate"] == "enforce"
    assert [rule["action"] for rule in setup["rules"]] == ["deny", "allow"]
    again = client.post(f"/runs/{Run.objects.get().public_id}/again")
    assert again.status_code == 302
    assert Run.objects.latest("id").setup == setup
    assert "enforce" in page(client, Run.objects.latest("id"))


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"rules": "forbid x", "gate": "shadow"}, "Line 1, action: “forbid” is none; write allow, ask or deny."),
        ({"gate": "strict"}, "There is no gate “strict”"),
        ({"rules": "deny *", "gate": "off"}, "hold only with a gate"),
        ({"gate": "compare", "arms": ["full", "selected"]}, "tick one lane"),
    ],
)
def test_a_mistake_in_gate_or_rules_is_said_on_the_slip(
    more: dict[str, Any], says: str, client: Client, owner: User, unpublished: Any
) -> None:
    order = {"ordered": "1", "case": "patch", "menu": "20", "arms": ["full"], "agent": "offline", "judge": "local"}
    answer = client.post("/", {**order, "seed": "1", **more})
    assert answer.status_code == 422
    assert says in answer.content.decode()
    assert not Run.objects.exists()


def test_a_program_names_gate_and_rules(client: Client, owner: User, unpublished: Any) -> None:
    rules = [{"action": "deny", "tool": "delete_*", "when": [["path", "=", "x/*"]]}]
    body = {"case": "patch", "arms": ["full"], "gate": "compare", "rules": rules, "attended": False}
    made = client.post("/api/arena/runs", body, content_type="application/json").json()
    assert [lane["gate"] for lane in made["lanes"]] == ["off", "enforce"]
    assert made["setup"]["attended"] is False
    refused = client.post("/api/arena/runs", {**body, "rules": "forbid x"}, content_type="application/json")
    assert refused.status_code == 422
    assert "Line 1, action" in refused.json()["detail"]
    refused = client.post("/api/arena/runs", {**body, "gate": "strict"}, content_type="application/json")
    assert "There is no gate 'strict'" in refused.json()["detail"]
    assert history.find(made["id"]).lanes.count() == 2


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"gate": "off", "rules": "deny * -- nothing"}, "hold only with a gate"),
        ({"gate": "shadow", "rules": "deny * -- a\x00b"}, "Line 1, reason: it holds a NUL or half a character"),
        ({"gate": "shadow", "rules": "deny a\x00"}, "Line 1, tool: it holds a NUL or half a character"),
        ({"gate": "shadow", "rules": 'deny a ["\ud800"]=b'}, "Line 1, when: it holds a NUL or half a character"),
        ({"gate": "shadow", "rules": [{"action": "deny", "tool": "a", "when": {"b": "\x00"}}]}, "Rule 1, when"),
    ],
)
def test_rules_that_would_hold_nowhere_or_cannot_be_kept_are_refused(
    more: dict[str, Any], says: str, client: Client, owner: User, unpublished: Any
) -> None:
    refused = client.post("/api/arena/runs", {"case": "patch", **more}, content_type="application/json")
    assert refused.status_code == 422
    assert says in refused.json()["detail"]
    assert not Run.objects.exists()
