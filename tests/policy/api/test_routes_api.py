"""`POST /api/policy/route-model` and `route-skill`: the plain success first, then every refusal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from policy.engine.failures import Failure, FailureCode
from policy.judges.scripted import ScriptedJudge
from policy.models import LedgerEntry
from tests.policy.api.conftest import Post

SMALL = {"provider": "acme", "model": "small"}
LARGE = {"provider": "acme", "model": "large"}
MODEL: dict[str, Any] = {
    "task": "Prove it",
    "judge": "scripted",
    "routes": {"fast": SMALL, "reasoning": {**LARGE, "description": "Long proofs."}},
    "default_target": SMALL,
    "available": [SMALL, LARGE],
}
SKILL: dict[str, Any] = {
    "task": "Write the notes",
    "judge": "scripted",
    "candidates": [{"name": "notes", "description": "Writes notes.", "when_to_use": "At a release."}],
}


def test_a_task_finds_its_model(post: Post, scripted: Callable[..., ScriptedJudge]) -> None:
    scripted({"route": {"choice": "reasoning"}})
    told = post("route-model", MODEL).json()
    assert (told["result"]["status"], told["result"]["target"], told["result"]["applied"]) == ("routed", LARGE, True)
    assert LedgerEntry.objects.filter(call=told["call"]).count() == 1


def test_in_shadow_a_route_is_told_and_not_to_be_applied(post: Post, scripted: Callable[..., ScriptedJudge]) -> None:
    scripted({"route": {"choice": "reasoning"}})
    result = post("route-model", {**MODEL, "mode": "shadow"}).json()["result"]
    assert (result["status"], result["applied"]) == ("routed", False)


def test_a_class_without_a_target_is_not_offered(post: Post, scripted: Callable[..., ScriptedJudge]) -> None:
    judge = scripted()
    told = post("route-model", {**MODEL, "routes": {"fast": SMALL, "balanced": None}}).json()
    assert told["result"]["dropped"] == [{"route": "balanced", "reason": "no configured target"}]
    assert list(judge.requests[0].to_wire()["questions"]["route"]["criteria"]) == ["default", "fast"]


def test_a_turn_finds_its_skill(post: Post, scripted: Callable[..., ScriptedJudge]) -> None:
    judge = scripted({"needs_skill": {"noul": 0.9}, "skill": {"choice": "notes"}})
    more = {"maxDescriptionChars": 5, "routingHints": {"notes": "Often."}}
    result = post("route-skill", {**SKILL, **more}).json()["result"]
    assert (result["status"], result["skill"]) == ("selected", "notes")
    assert "Write…" in str(judge.requests[0].to_wire()["questions"])


@pytest.mark.parametrize(("path", "body"), [("route-model", MODEL), ("route-skill", SKILL)])
def test_a_failed_judge_changes_nothing(
    path: str, body: dict[str, Any], post: Post, scripted: Callable[..., ScriptedJudge]
) -> None:
    scripted(error=Failure(FailureCode.TIMEOUT, "slow"))
    answer = post(path, body)
    result = answer.json()["result"]
    assert (answer.status_code, result["status"], result["applied"]) == (200, "fallback", False)
    assert result.get("target", SMALL) == SMALL
    assert result.get("skill") is None


@pytest.mark.parametrize(
    ("path", "body", "says"),
    [
        ("route-model", {**MODEL, "routes": {"quick": SMALL}}, "routes.quick: there is no such field"),
        ("route-model", {**MODEL, "default_target": {"provider": "acme"}}, "default_target.model: this field is req"),
        ("route-model", {**MODEL, "default_target": {**SMALL, "model": " "}}, "the model of a route target must be"),
        ("route-model", {**MODEL, "available": "all"}, "available: Input should be a valid list"),
        ("route-skill", {**SKILL, "maxDescriptionChars": 0}, "maxDescriptionChars: Input should be greater than"),
        ("route-skill", {**SKILL, "max_description_chars": 9}, "max_description_chars: there is no such field"),
        ("route-skill", {**SKILL, "candidates": [{}]}, "candidates.0.name: this field is required; add it."),
    ],
)
def test_a_bad_request_names_the_field(path: str, body: dict[str, Any], says: str, post: Post) -> None:
    refused = post(path, body)
    assert (refused.status_code, refused["Content-Type"]) == (422, "application/problem+json")
    assert refused.json()["detail"].startswith(says)
    assert not LedgerEntry.objects.exists()
