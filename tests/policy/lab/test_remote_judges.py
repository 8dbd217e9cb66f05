"""The lab with a judge behind HTTP: offered once it can be asked, and asked with the person's key."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from django.conf import LazySettings
from django.test import Client

from policy.judges.keys import Key
from policy.models import LedgerEntry
from policy.people import provider_keys
from policy.people.models import User
from policy.services import judges
from tests.policy.judges.http.far_side import FarSide, far_side, says

OPTION = r'<option[^>]*"typesafe"'
KEY = "ts-key-of-jo-0123456789"
FORM = {"task": "Show me the log", "tool": "read_file", "arguments": '{"path": "a.log"}', "judge": "typesafe"}
ANSWERS = {name: {"type": "noul", "noul": 0.1} for name in ("missing_information", "violates_restriction")}
REPLY = {
    "model": "jev-1.13.0",
    "answers": {**ANSWERS, "matches_task": {"type": "noul", "noul": 0.9}},
    "usage": {"input_tokens": 100},
}


@pytest.fixture
def typesafe(settings: LazySettings) -> Iterator[FarSide]:
    with far_side(says(200, REPLY)) as side:
        settings.JUDGE_ADDRESSES = {"typesafe": side.url}
        yield side
    judges.close_all()


def test_a_judge_with_a_key_is_offered_and_asked(typesafe: FarSide, client: Client, owner: User) -> None:
    assert not re.search(OPTION, client.get("/policy/call/").content.decode())
    provider_keys.save(provider="typesafe", key=Key(KEY), by=owner)
    assert re.search(OPTION, client.get("/policy/call/").content.decode())
    told = client.post("/policy/call/", FORM, follow=True)
    assert told.status_code == 200
    assert typesafe.visits[0].headers["authorization"] == f"Bearer {KEY}"
    assert LedgerEntry.objects.get().origin == "lab"
    assert KEY not in told.content.decode()


def test_a_judge_without_a_key_says_what_is_missing(typesafe: FarSide, client: Client, owner: User) -> None:
    told = client.post("/policy/call/", FORM)
    assert told.status_code == 422
    assert "TypeSafe needs a key: enter one on Settings." in told.content.decode()
    assert typesafe.visits == []
