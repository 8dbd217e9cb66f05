"""`POST /api/policy/assess-call`: the plain success first, then every refusal."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from policy.engine.failures import Failure, FailureCode
from policy.judges.scripted import ScriptedJudge
from policy.models import LedgerEntry
from tests.policy.api.conftest import Post

BODY: dict[str, Any] = {
    "task": "Show the log",
    "judge": "scripted",
    "tool": "delete_file",
    "arguments": {"path": "app.log"},
    "restrictions": ["Delete nothing."],
}
HARMLESS = {
    "matches_task": {"noul": 0.9},
    "missing_information": {"noul": 0.1},
    "violates_restriction": {"noul": 0.1},
}
SECRET = "hunter2-very-secret"


def test_a_call_is_allowed_with_the_rule_that_says_so(post: Post, scripted: Callable[..., ScriptedJudge]) -> None:
    scripted(HARMLESS)
    told = post("assess-call", BODY).json()
    result = told["result"]
    assert (result["status"], result["rule"], result["applied"]) == ("allow", "assessment.clear", True)
    assert result["values"]["matches_task"] == 0.9
    assert LedgerEntry.objects.filter(call=told["call"]).count() == 1


def test_a_broken_restriction_denies(post: Post, scripted: Callable[..., ScriptedJudge]) -> None:
    scripted({**HARMLESS, "violates_restriction": {"noul": 0.8}})
    result = post("assess-call", BODY).json()["result"]
    assert (result["status"], result["rule"]) == ("deny", "assessment.restriction-violation")
    assert [each["measured"] for each in result["decisions"]] == [0.8]


def test_in_shadow_a_denial_is_told_and_not_to_be_applied(post: Post, scripted: Callable[..., ScriptedJudge]) -> None:
    scripted({**HARMLESS, "violates_restriction": {"noul": 0.8}})
    result = post("assess-call", {**BODY, "mode": "shadow"}).json()["result"]
    assert (result["status"], result["applied"]) == ("deny", False)


@pytest.mark.parametrize("action", ["ask", "hold"])
def test_a_failed_judge_never_allows(action: str, post: Post, scripted: Callable[..., ScriptedJudge]) -> None:
    scripted(error=Failure(FailureCode.RATE_LIMIT, "slow down"))
    answer = post("assess-call", {**BODY, "profile": {"onFailure": {"toolAssessment": action}}})
    result = answer.json()["result"]
    assert (answer.status_code, result["status"], result["rule"]) == (200, action, f"assessment.failure.{action}")
    assert (result["failure"]["code"], result["failure"]["retryable"]) == ("RATE_LIMIT", True)


def test_what_does_not_fit_is_not_sent_and_not_allowed(post: Post, scripted: Callable[..., ScriptedJudge]) -> None:
    judge = scripted(HARMLESS)
    result = post("assess-call", {**BODY, "arguments": {"text": "x" * 2000}}).json()["result"]
    assert (result["status"], result["failure"]["code"]) == ("ask", "INCOMPLETE_INPUT")
    assert result["losses"][0]["path"] == "arguments.text"
    assert judge.requests == []


def test_a_missing_argument_is_asked_for_without_a_judge(post: Post, scripted: Callable[..., ScriptedJudge]) -> None:
    judge = scripted(HARMLESS)
    result = post("assess-call", {**BODY, "schema": {"type": "object", "required": ["who"]}}).json()["result"]
    assert (result["status"], result["rule"]) == ("ask", "assessment.missing-argument")
    assert judge.requests == []


def test_risk_is_measured_and_decides_nothing(post: Post, scripted: Callable[..., ScriptedJudge]) -> None:
    scripted({**HARMLESS, "risk": {"score": 1}})
    more = {"include_risk": True, "risk_levels": ["none", "all"]}
    result = post("assess-call", {**BODY, **more}).json()["result"]
    assert (result["status"], result["values"]["risk"]["score"]) == ("allow", 1)


@pytest.mark.parametrize(
    "arguments",
    [
        {"password": SECRET},
        {"X_API_KEY": SECRET},
        {"command": f"curl -H 'Authorization: Bearer {SECRET}' http://x"},
        {"url": f"https://me:{SECRET}@example.com/"},
        {"nested": [{"pin_code": SECRET}]},
    ],
)
def test_a_secret_of_a_call_is_neither_sent_nor_kept_nor_told(
    arguments: dict[str, Any], post: Post, scripted: Callable[..., ScriptedJudge], caplog: pytest.LogCaptureFixture
) -> None:
    judge = scripted(HARMLESS)
    answer = post("assess-call", {**BODY, "arguments": arguments, "exchanges": True, "redact_keys": ["pin_code"]})
    assert answer.json()["result"]["status"] == "allow"
    kept = json.dumps(list(LedgerEntry.objects.values()), default=str)
    for told in (kept, str(judge.requests), answer.content.decode(), caplog.text):
        assert SECRET not in told
    assert "[redacted]" in kept


@pytest.mark.parametrize(
    "odd",
    ['"\\ud800"', '"\\u0000"', "NaN", "1e999", "9" * 4000, "[" * 500 + "]" * 500, '{"a":' * 500 + "1" + "}" * 500],
    ids=["surrogate", "nul", "nan", "infinity", "large", "deep-list", "deep-object"],
)
def test_odd_arguments_are_answered(odd: str, client: Client, scripted: Callable[..., ScriptedJudge], db: None) -> None:
    scripted(HARMLESS)
    body = f'{{"task": "t", "judge": "scripted", "tool": "t", "exchanges": true, "arguments": {{"x": {odd}}}}}'
    answer = client.post("/api/policy/assess-call", body, content_type="application/json")
    assert answer.status_code == 200
    assert json.loads(answer.content, parse_constant=pytest.fail)["result"]["status"] in ("allow", "ask")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"arguments": "x"}, "arguments: Input should be a valid dictionary"),
        ({"tool": None}, "tool: Input should be a valid string"),
        ({"restrictions": "Delete nothing."}, "restrictions: Input should be a valid list"),
        ({"risk_levels": ["one"]}, "risk_levels: List should have at least 2 items"),
        ({"schema": []}, "schema: Input should be a valid dictionary"),
        ({"tool_schema": {}}, "tool_schema: there is no such field"),
        ({"include_risk": 1}, "include_risk: Input should be a valid boolean"),
        ({"profile": {"onFailure": {"toolAssessment": "allow"}}}, 'onFailure "toolAssessment" must be ask or hold'),
    ],
)
def test_a_bad_request_names_the_field(change: dict[str, Any], says: str, post: Post) -> None:
    refused = post("assess-call", {**BODY, **change})
    assert (refused.status_code, refused["Content-Type"]) == (422, "application/problem+json")
    assert refused.json()["detail"].startswith(says)
    assert not LedgerEntry.objects.exists()
