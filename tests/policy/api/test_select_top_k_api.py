"""`POST /api/policy/select-top-k`: the plain success first, then every refusal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from policy.engine.failures import Failure, FailureCode
from policy.engine.routing.questions import QUESTION_ID
from policy.judges.scripted import ScriptedJudge
from policy.models import LedgerEntry
from tests.policy.api.conftest import Post

FLAT = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}


def tool(name: str, cost: float = 1) -> dict[str, Any]:
    return {"id": name, "kind": "tool", "description": name, "estimatedCostUnits": cost, "inputSchema": FLAT}


BODY: dict[str, Any] = {"task": "Show the log", "judge": "scripted", "catalog": [tool("read"), tool("mail", 2)]}


def chooses(name: str) -> dict[str, Any]:
    return {QUESTION_ID: {"choice": {"choice": name, "confidence": 0.9, "probabilities": None}}}


def test_the_chosen_tool_comes_with_what_it_needs(post: Post, scripted: Callable[..., ScriptedJudge]) -> None:
    scripted(chooses("mail"))
    told = post("select-top-k", {**BODY, "dependencies": {"mail": ["read"]}}).json()
    assert ([each["id"] for each in told["result"]["selected"]], told["result"]["applied"]) == (["mail"], True)
    assert told["result"]["bundle"]["loadedIds"] == ["read", "mail"]
    assert LedgerEntry.objects.filter(call=told["call"]).count() == 1


def test_what_is_not_available_is_not_sent(post: Post, scripted: Callable[..., ScriptedJudge]) -> None:
    judge = scripted(chooses("read"))
    told = post("select-top-k", {**BODY, "available_ids": ["read"]}).json()
    assert "mail" not in str(judge.requests[0].to_wire())
    assert {"id": "mail", "reason": "not available here", "probability": None, "cost_units": 2} in told["result"][
        "dropped"
    ]


def test_a_failed_judge_offers_nothing(post: Post, scripted: Callable[..., ScriptedJudge]) -> None:
    scripted(error=Failure(FailureCode.CONNECTION, "gone"))
    answer = post("select-top-k", BODY)
    result = answer.json()["result"]
    assert (answer.status_code, result["status"], result["outcome"]) == (200, "fallback", "unavailable")
    assert (result["bundle"]["loadedIds"], result["failure"]["code"]) == ([], "CONNECTION")


@pytest.mark.parametrize(
    ("change", "code", "says"),
    [
        ({"catalog": [{**tool("read"), "id": "Read"}]}, "E_CATALOG_ID", "catalog: tool 1 has no id of 1 to 64"),
        ({"catalog": [tool("read")] * 2}, "E_CATALOG_ID", "the tool id read is used twice"),
        ({"policy": {"topK": 1}}, "E_ROUTE_POLICY", "policy: a routing policy has exactly the keys"),
        ({"available_ids": ["shred"]}, "E_ROUTE_AVAILABILITY", "available_ids: "),
        ({"dependencies": {"read": ["shred"]}}, "E_DEP_UNKNOWN", "dependencies: "),
        ({"dependencies": {"read": ["mail"], "mail": ["read"]}}, "E_DEP_CYCLE", "circle"),
        ({"task": " "}, "E_ROUTE_INTENT", "task: "),
        ({"step": "first"}, "invalid", "step: there is no such field"),
        ({"catalog": [tool(f"t{n}") for n in range(255)]}, "invalid", "catalog: List should have at most 254 items"),
    ],
)
def test_a_bad_request_names_the_item(change: dict[str, Any], code: str, says: str, post: Post) -> None:
    refused = post("select-top-k", {**BODY, **change})
    assert (refused.status_code, refused.json()["code"]) == (422, code)
    assert says in refused.json()["detail"]
    assert not LedgerEntry.objects.exists()
