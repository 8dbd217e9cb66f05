"""Who may ask, what is too much, and what happens when the judge or the site cannot."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Any, NoReturn

import pytest
from django.conf import LazySettings
from django.db import DatabaseError
from django.test import Client

from policy.engine.slots import Slots
from policy.judges.scripted import ScriptedJudge
from policy.models import LedgerEntry
from policy.people.models import Role, User
from policy.people.services import local_user
from policy.services import turns
from tests.policy.api.conftest import Post
from tests.policy.api.test_select_tools_api import BODY, RELEVANT

PATH = "/api/policy/select-tools"


@pytest.fixture
def full_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    """One caller is at the scripted judge, and all the places behind are taken."""
    slots = Slots(1)
    for _ in range(1 + turns.MOST_WAITING):
        slots.enter(lambda: None)
    monkeypatch.setitem(turns._slots, "scripted", slots)


@pytest.mark.parametrize(
    "headers",
    [{"host": "evil.example"}, {"origin": "http://evil.example"}, {"sec-fetch-site": "cross-site"}, {"origin": "null"}],
)
def test_a_foreign_page_is_not_judged_for(
    headers: dict[str, str], post: Post, scripted: Callable[..., ScriptedJudge]
) -> None:
    judge = scripted(RELEVANT)
    refused = post("select-tools", BODY, **headers)
    assert (refused.status_code, refused["Content-Type"]) == (403, "application/problem+json")
    assert judge.requests == []


def test_a_program_on_this_machine_needs_no_csrf_token(db: None) -> None:
    strict = Client(enforce_csrf_checks=True, headers={"host": "127.0.0.1:8000"})
    assert strict.post(PATH, BODY, content_type="application/json").status_code == 200


def test_a_page_of_this_site_may_ask(post: Post) -> None:
    assert post("select-tools", BODY, origin="http://127.0.0.1:8000").status_code == 200


def test_a_reader_is_told_which_role_judging_needs(post: Post) -> None:
    User.objects.filter(pk=local_user().pk).update(role=Role.READER)
    refused = post("select-tools", BODY)
    assert (refused.status_code, refused.json()["code"]) == (403, "not-allowed")
    assert "needs the role member" in refused.json()["detail"]


@pytest.mark.usefixtures("full_queue")
def test_a_full_queue_says_when_to_come_back(post: Post) -> None:
    refused = post("select-tools", BODY)
    assert (refused.status_code, refused.json()["code"], refused["Retry-After"]) == (503, "busy", "2")
    assert "The judge scripted is busy: 32 requests wait" in refused.json()["detail"]
    assert not LedgerEntry.objects.exists()


@pytest.mark.usefixtures("full_queue")
def test_mode_off_needs_no_turn(post: Post) -> None:
    answer = post("select-tools", {**BODY, "mode": "off"})
    assert (answer.status_code, answer.json()["result"]["status"]) == (200, "off")


def full_disk() -> sqlite3.Error:
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorname = "SQLITE_FULL"
    return error


@pytest.mark.parametrize(
    ("cause", "says"),
    [(None, "could not be recorded, and"), (full_disk(), "The disk is full")],
    ids=["unknown", "full"],
)
def test_what_cannot_be_recorded_is_not_judged(
    cause: Exception | None,
    says: str,
    post: Post,
    monkeypatch: pytest.MonkeyPatch,
    scripted: Callable[..., ScriptedJudge],
) -> None:
    def fails(*args: Any, **options: Any) -> NoReturn:
        raise DatabaseError("no room") from cause

    judge = scripted(RELEVANT)
    monkeypatch.setattr(LedgerEntry, "save", fails)
    refused = post("select-tools", BODY)
    assert (refused.status_code, refused.json()["code"]) == (503, "host-fault")
    assert says in refused.json()["detail"]
    assert judge.requests == []


@pytest.mark.parametrize(
    ("raw", "status", "says"),
    [
        ("{", 400, "The body is not JSON: Expecting property name"),
        ('{"task": "a", "task": "b"}', 400, "The body names 'task' twice in one object"),
        ('{"candidates": [{"id": "a", "restricted": true, "restricted": false}]}', 400, "names 'restricted' twice"),
        (f'{{"task": {"9" * 5000}}}', 400, "a number of too many digits"),
        ("[" * 100_000, 400, "Send less depth"),
        (b"\xff\xfe{", 400, "The body is not JSON: 'utf-16"),
        ("", 422, "the body"),
        ("[]", 422, "the body"),
        ('"task"', 422, "the body"),
    ],
)
def test_a_body_that_cannot_be_read_is_refused_in_a_sentence(
    raw: Any, status: int, says: str, post: Post, client: Client
) -> None:
    refused = client.post(PATH, raw, content_type="application/json")
    assert (refused.status_code, refused["Content-Type"]) == (status, "application/problem+json")
    assert says in refused.json()["detail"]


def test_a_body_beyond_the_bound_of_the_site_is_413(post: Post, settings: LazySettings) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    refused = post("select-tools", {**BODY, "task": "x" * 1000})
    assert (refused.status_code, refused["Content-Type"]) == (413, "application/problem+json")
