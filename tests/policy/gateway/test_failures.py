"""A judge that fails is one of the vendor's error statuses, and never a 500."""

from __future__ import annotations

import pytest
from django.db import DatabaseError

from policy.engine.failures import Failure, FailureCode
from policy.models import LedgerEntry
from policy.services import turns
from tests.policy.gateway.conftest import CHOICE, SCORE, Plays, Post, body

STATUSES = {
    FailureCode.AUTHENTICATION: (401, "authentication_error"),
    FailureCode.PERMISSION: (403, "authentication_error"),
    FailureCode.RATE_LIMIT: (429, "rate_limit_error"),
    FailureCode.BAD_REQUEST: (400, "api_usage_error"),
    FailureCode.NOT_FOUND: (404, "not_found"),
    FailureCode.SERVER: (502, "upstream_error"),
    FailureCode.TIMEOUT: (504, "upstream_timeout"),
    FailureCode.ABORTED: (502, "upstream_error"),
    FailureCode.CONNECTION: (502, "upstream_error"),
    FailureCode.INVALID_RESPONSE: (502, "upstream_error"),
    FailureCode.INVALID_CONFIG: (400, "api_usage_error"),
    FailureCode.INCOMPLETE_INPUT: (400, "max_tokens_exceeded"),
    FailureCode.OFF: (502, "upstream_error"),
    FailureCode.UNKNOWN: (502, "upstream_error"),
}


@pytest.mark.parametrize("code", FailureCode)
def test_every_failure_has_its_status(code: FailureCode, post: Post, scripted: Plays) -> None:
    scripted(error=Failure(code, "for a reason"))
    refused = post(body())
    detail = refused.json()["detail"]
    assert (refused.status_code, detail["error_type"]) == STATUSES[code]
    assert detail["message"] == f"The judge scripted gave no answer ({code}): for a reason."
    assert refused.has_header("Retry-After") is (code is FailureCode.RATE_LIMIT)
    row = LedgerEntry.objects.get()
    assert (row.status, f"req_{row.call}") == ("failed", refused["x-typesafe-request-id"])


@pytest.mark.parametrize(
    "spec",
    [
        {"omit": True},
        {"wrongType": True},
        {"choice": {"choice": "Sales", "confidence": 0.9, "probabilities": {"Billing": 0.9, "Sales": 0.1}}},
        {"choice": {"choice": "Billing", "confidence": 0.9, "probabilities": {"Billing": 0.9, "Sales": 0.3}}},
        {"choice": {"choice": "Billing", "confidence": float("nan"), "probabilities": {"Billing": 1, "Sales": 0}}},
    ],
)
def test_one_broken_answer_is_no_answer_at_all(spec: dict[str, object], post: Post, scripted: Plays) -> None:
    scripted({"team": spec})
    refused = post(body(questions={"team": CHOICE, "anger": SCORE}))
    assert (refused.status_code, refused.json()["detail"]["error_type"]) == (502, "upstream_error")
    assert "answers.team" in refused.json()["detail"]["message"]


def test_a_judge_that_breaks_is_no_fault_of_the_site(
    post: Post, scripted: Plays, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = scripted()
    monkeypatch.setattr(judge, "script_for", lambda request, call: 1 / 0)
    refused = post(body())
    assert refused.status_code == 502
    assert "ZeroDivisionError" in refused.json()["detail"]["message"]


def test_what_cannot_be_recorded_is_not_given(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*args: object, **kwargs: object) -> None:
        raise DatabaseError("disk full")

    monkeypatch.setattr(LedgerEntry, "save", full)
    refused = post(body())
    assert (refused.status_code, refused["Retry-After"]) == (503, "2")
    assert "could not be recorded" in refused.json()["detail"]["message"]


def test_a_full_queue_says_when_to_come_again(post: Post, scripted: Plays) -> None:
    judge = scripted()
    slots = turns.slots_of("scripted", limit=2)
    places = [slots.enter(lambda: None) for _ in range(slots.limit + turns.MOST_WAITING)]
    try:
        refused = post(body())
    finally:
        for place in places:
            slots.leave(place)
    assert (refused.status_code, refused["Retry-After"]) == (503, "2")
    assert refused.json()["detail"]["error_type"] == "overloaded_error"
    assert judge.requests == []


def test_whoever_waits_too_long_for_a_turn_may_come_again(
    post: Post, scripted: Plays, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("policy.gateway.asking.BUDGET_MS", 50)
    judge = scripted()
    slots = turns.slots_of("scripted", limit=2)
    places = [slots.enter(lambda: None) for _ in range(slots.limit)]
    refused = post(body())
    for place in places:
        slots.leave(place)
    assert (refused.status_code, refused["Retry-After"], judge.requests) == (503, "2", [])


def test_a_judge_without_its_key_says_what_is_missing(post: Post) -> None:
    refused = post(body(model="typesafe"))
    assert (refused.status_code, refused.json()["detail"]["error_type"]) == (400, "api_usage_error")
    assert "key" in refused.json()["detail"]["message"]
    assert not LedgerEntry.objects.exists()
