"""`POST /api/policy/select-tools`: the plain success first, then every refusal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from policy.engine.failures import Failure, FailureCode
from policy.judges.scripted import ScriptedJudge
from policy.models import LedgerEntry
from tests.policy.api.conftest import Post

MENU = [
    {"id": "read_file", "categories": ["files"], "description": "Reads a file."},
    {"id": "send_mail", "categories": ["mail"], "description": "Sends a mail."},
]
BODY: dict[str, Any] = {"task": "Show the error log", "judge": "scripted", "candidates": MENU}
RELEVANT = {"rel_files": {"noul": 0.9}, "rel_mail": {"noul": 0.1}}


def test_a_menu_is_selected_and_every_request_is_in_the_ledger(
    post: Post, scripted: Callable[..., ScriptedJudge]
) -> None:
    judge = scripted(RELEVANT)
    answer = post("select-tools", BODY)
    told = answer.json()
    assert answer.status_code == 200
    assert [tool["id"] for tool in told["result"]["selected"]] == ["read_file"]
    assert told["requests"] == [request.digest for request in judge.requests]
    assert LedgerEntry.objects.filter(call=told["call"], origin="api", status="answered").count() == 2


def test_exchanges_come_only_when_asked_for(post: Post, scripted: Callable[..., ScriptedJudge]) -> None:
    judge = scripted(RELEVANT)
    assert post("select-tools", BODY).json()["exchanges"] is None
    told = post("select-tools", {**BODY, "exchanges": True}).json()["exchanges"]
    assert [each["request"] for each in told] == [request.to_wire() for request in judge.requests[2:]]


def test_the_answer_holds_all_that_the_engine_says(post: Post, scripted: Callable[..., ScriptedJudge]) -> None:
    scripted({**RELEVANT, "pick_files": {"choice": "__none__"}})
    result = post("select-tools", BODY).json()["result"]
    assert result["categories"][0]["pick"]["choice"] == "__none__"
    assert "further_picks" not in result["categories"][0]
    assert (result["status"], result["diagnostics"]["models"]) == ("abstained", ["mock/jev-synthetic"])


@pytest.mark.parametrize("judge", ["local", "scripted"])
def test_a_judge_is_asked_by_name(judge: str, post: Post) -> None:
    told = post("select-tools", {**BODY, "judge": judge}).json()
    assert (told["judge"], told["result"]["failure"]) == (judge, None)


def test_thresholds_come_with_the_request(post: Post, scripted: Callable[..., ScriptedJudge]) -> None:
    scripted(RELEVANT)
    told = post("select-tools", {**BODY, "profile": {"name": "strict", "thresholds": {"relevance": 0.95}}}).json()
    assert (told["profile"]["name"], told["result"]["outcome"]) == ("strict", "no_match")


def test_a_failed_judge_is_an_answer_that_opens_nothing(post: Post, scripted: Callable[..., ScriptedJudge]) -> None:
    scripted(error=Failure(FailureCode.SERVER, "down"))
    answer = post("select-tools", BODY)
    result = answer.json()["result"]
    assert (answer.status_code, result["status"], result["outcome"]) == (200, "fallback", "unavailable")
    assert (result["failure"]["code"], result["selected"]) == ("SERVER", [])


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"judge": "jav"}, "There is no judge 'jav'; use one of: local, gguf, scripted"),
        ({"mode": "dry"}, "mode: Input should be 'off', 'shadow' or 'enforce'."),
        ({"profile": {"thresholds": {"relevanz": 0.5}}}, "\"thresholds\" has no key 'relevanz'; known keys are rel"),
        ({"profile": {"thresholds": {"relevance": 1.5}}}, 'threshold "relevance" must be a number in [0, 1]; got 1.5'),
        ({"profile": {"onFailure": {"toolAssessment": "allow"}}}, "must be ask or hold"),
        ({"profile": {"limits": {"budgetMs": 10**15}}}, 'limit "budgetMs" may be 120000 at most here'),
        ({"profile": []}, "profile: Input should be an object, or the name of a saved profile."),
        ({"tasks": "x"}, "tasks: there is no such field; leave it out. The fields stand at /api/docs."),
        ({"task": None}, "task: Input should be a valid string."),
        ({"task": "x" * 100_001}, "task: String should have at most 100000 characters."),
        ({"candidates": [{"name": "x"}]}, "candidates.0.id: this field is required; add it."),
        ({"candidates": [{"id": "x", "restricted": "no"}]}, "candidates.0.restricted: Input should be a valid boolean"),
        ({"max_selected": -1}, "max_selected: Input should be greater than or equal to 0."),
        ({"candidates": [{"id": "x"}] * 10_001}, "candidates: List should have at most 10000 items"),
    ],
)
def test_a_bad_request_names_the_field_and_the_mend(change: dict[str, Any], says: str, post: Post) -> None:
    refused = post("select-tools", {**BODY, **change})
    assert (refused.status_code, refused["Content-Type"]) == (422, "application/problem+json")
    assert refused.json()["detail"].startswith(says) or says in refused.json()["detail"]
    assert not LedgerEntry.objects.exists()
