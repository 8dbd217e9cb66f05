"""`POST /api/policy/loops/…`: the plain success first, then every refusal."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from policy.models import LedgerEntry, LoopChain
from tests.policy.api.conftest import Post

CALL: dict[str, Any] = {"subject": "agent-7", "tool": "read_file", "arguments": {"path": "app.log"}}


def test_a_loop_is_counted_told_and_forgotten(post: Post) -> None:
    counted = [post("loops/observe", CALL).json() for _ in range(2)]
    assert [(each["count"], each["repeated"]) for each in counted] == [(1, False), (2, True)]
    checked = post("loops/check", CALL).json()
    assert (checked["count"], checked["decision"]["action"], checked["decision"]["applied"]) == (2, "deny", True)
    assert post("loops/reset", {"subject": "agent-7"}).json() == {"subject": "agent-7", "forgotten": True}
    assert post("loops/check", CALL).json() == {"subject": "agent-7", "count": 0, "decision": None}


def test_no_judge_is_asked(post: Post) -> None:
    post("loops/observe", CALL)
    post("loops/check", CALL)
    assert not LedgerEntry.objects.exists()


def test_the_order_of_arguments_makes_no_other_call(post: Post) -> None:
    post("loops/observe", {**CALL, "arguments": {"a": 1, "b": 2}})
    assert post("loops/observe", {**CALL, "arguments": {"b": 2, "a": 1}}).json()["count"] == 2


def test_more_repeats_can_be_allowed(post: Post) -> None:
    told = [post("loops/observe", {**CALL, "maxRepeats": 3}).json()["repeated"] for _ in range(3)]
    assert told == [False, False, True]


@pytest.mark.parametrize("path", ["loops/observe", "loops/check"])
@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"subject": ""}, "subject: String should have at least 1 character"),
        ({"subject": "x" * 201}, "subject: String should have at most 200 characters"),
        ({"subject": "a\x00b"}, "subject: String should match pattern"),
        ({"arguments": [1]}, "arguments: Input should be a valid dictionary"),
        ({"maxRepeats": 1}, "maxRepeats: Input should be greater than or equal to 2"),
        ({"maxRepeats": "2"}, "maxRepeats: Input should be a valid integer"),
        ({"max_repeats": 2}, "max_repeats: there is no such field; leave it out."),
    ],
)
def test_a_bad_request_names_the_field(change: dict[str, Any], says: str, path: str, post: Post) -> None:
    refused = post(path, {**CALL, **change})
    assert (refused.status_code, refused["Content-Type"]) == (422, "application/problem+json")
    assert refused.json()["detail"].startswith(says)
    assert not LoopChain.objects.exists()


def test_a_foreign_page_counts_nothing(post: Post) -> None:
    assert post("loops/observe", CALL, origin="http://evil.example").status_code == 403
    assert not LoopChain.objects.exists()


@pytest.mark.parametrize(
    "odd",
    ['"\\ud800"', '"\\u0000"', "NaN", "1e999", "9" * 4000, "[" * 500 + "]" * 500, '{"a":' * 500 + "1" + "}" * 500],
    ids=["surrogate", "nul", "nan", "infinity", "large", "deep-list", "deep-object"],
)
def test_odd_arguments_are_counted_like_any_other(odd: str, client: Client, db: None) -> None:
    body = f'{{"subject": "a", "tool": "t", "arguments": {{"x": {odd}}}}}'
    sent = [client.post("/api/policy/loops/observe", body, content_type="application/json") for _ in range(2)]
    assert [answer.json()["count"] for answer in sent] == [1, 2]
