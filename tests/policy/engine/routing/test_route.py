"""One routing: what the host gave is kept, what a router does to it is not, and nothing it says becomes a reason."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Any

import pytest

from policy.engine.routing import Fault, RoutingPolicy, RoutingRefused, RoutingRequest, adapter, route_tools
from policy.engine.routing.evidence import structure
from policy.engine.routing.questions import FALLBACK, request_for
from policy.engine.selection import Outcome
from tests.policy.engine.routing.doubles import POLICY, SHARES, TOOLS, Says, catalog, evidence, routed


def test_a_cheaper_tool_inside_the_window_beats_the_choice() -> None:
    receipt = routed(evidence())
    assert receipt.evidence is not None
    assert (receipt.evidence.choice, receipt.selected_ids) == ("study", ("look",))


def test_at_one_cost_the_likelier_tool_comes_first_and_then_the_id() -> None:
    tools = catalog(a=2, b=2, c=2, dear=3)
    shares = {"a": 0.2, "b": 0.3, "c": 0.2, "dear": 0.25, "needs_clarification": 0.05}
    receipt = routed(evidence(shares), tools=tools, policy=RoutingPolicy(top_k=4))
    assert receipt.selected_ids == ("b", "a", "c", "dear")


def test_a_confidence_at_the_floor_is_enough() -> None:
    assert routed(evidence(confidence=0.7)).rule.name == "SELECTED"
    assert routed(evidence(confidence=0.6999)).rule.name == "LOW_CONFIDENCE"


def test_asking_back_that_shares_the_lead_wins_over_a_sure_choice() -> None:
    receipt = routed(evidence({"look": 0.4, "study": 0.1, "draft": 0.1, "needs_clarification": 0.4}, confidence=1))
    assert receipt.evidence is not None
    assert (receipt.evidence.choice, receipt.rule.name, receipt.selected_ids) == ("look", "CLARIFY", ())


def test_the_request_holds_no_cost_and_no_schema() -> None:
    body = request_for("Find it.", TOOLS, model=None).body()
    assert "estimatedCostUnits" not in body
    assert "Which one." not in body
    labels = [body.index(f'"{name}":') for name in ("look", "study", "draft", FALLBACK.id)]
    assert labels == sorted(labels)


def test_what_the_caller_changes_while_waiting_changes_nothing() -> None:
    available = ["look", "study", "draft"]
    steps = route_tools(catalog=TOOLS, intent="Find it.", available_ids=available, policy=POLICY, source="mock")
    receipt = adapter.run(steps, Says(evidence(), lambda request: available.clear()))
    assert receipt.available_ids == ("look", "study", "draft")
    assert receipt.outcome is Outcome.SELECTED


def test_a_router_that_changes_the_request_fails() -> None:
    def meddles(request: RoutingRequest) -> None:
        request.options[0].id = "wipe"  # type: ignore[misc]

    steps = route_tools(catalog=TOOLS, intent="Go.", available_ids=["look"], policy=POLICY, source="mock")
    receipt = adapter.run(steps, Says(evidence(), meddles))
    assert (receipt.rule.name, receipt.request.options[0].id) == ("ADAPTER_FAILED", "look")


def test_a_failure_wins_over_a_cancellation_and_its_text_is_not_repeated() -> None:
    seen: list[int] = []

    def raises(request: RoutingRequest) -> None:
        seen.append(1)
        raise RuntimeError("a secret key")

    steps = route_tools(
        catalog=TOOLS,
        intent="Go.",
        available_ids=["look"],
        policy=POLICY,
        source="mock",
        cancelled=lambda: bool(seen),
    )
    receipt = adapter.run(steps, Says(None, raises))
    assert receipt.rule.name == "ADAPTER_FAILED"
    assert "secret" not in str(receipt.to_json())


def test_a_cancellation_during_the_call_drops_the_evidence() -> None:
    router = Says(evidence())
    steps = route_tools(
        catalog=TOOLS,
        intent="Go.",
        available_ids=["look", "study", "draft"],
        policy=POLICY,
        source="mock",
        cancelled=lambda: bool(router.requests),
    )
    receipt = adapter.run(steps, router)
    assert (receipt.rule.name, receipt.evidence, receipt.selected_ids) == ("CANCELLED", None, ())


def test_an_awaited_router_gives_the_same_receipt() -> None:
    class Awaited(Says):
        async def review(self, request: RoutingRequest) -> object:
            return super().review(request)

    steps = route_tools(
        catalog=TOOLS,
        intent="Find the record.",
        available_ids=["look", "study", "draft"],
        policy=POLICY,
        source="mock",
    )
    assert asyncio.run(adapter.run_async(steps, Awaited(evidence()))) == routed(evidence())


@pytest.mark.parametrize(
    "given",
    [
        OrderedDict(evidence()),
        evidence(OrderedDict(SHARES)),
        evidence(confidence=float("nan")),
        evidence(SHARES | {"look": True}),
        evidence(choice=["study"]),
        [evidence()],
    ],
)
def test_what_only_looks_like_evidence_is_none(given: object) -> None:
    assert routed(given).rule.name == "BAD_EVIDENCE"


def test_the_structure_of_bad_evidence_can_be_told_without_its_texts() -> None:
    request = request_for("Go.", TOOLS, model="jev-1.13.0")
    found = structure(evidence({"look": 0.6, "ghost": 0.3}, model="other"), request)
    assert (found.model_matches, found.missing_options, found.unexpected_options) == (False, 3, 1)
    assert (found.probability_sum, found.choice_in_set, found.leading_choice) == (None, True, False)


def test_a_host_without_a_pin_takes_any_model() -> None:
    given = evidence(model="local-1")
    assert routed(given).outcome is Outcome.UNAVAILABLE
    assert routed(given, model=None).outcome is Outcome.SELECTED


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"intent": "\ufeff\u3000"}, Fault.INTENT),
        ({"intent": "😀" * 8001}, Fault.INTENT),
        ({"available_ids": ("look",)}, Fault.AVAILABILITY),
        ({"available_ids": ["look", "look"]}, Fault.AVAILABILITY),
        ({"source": None}, Fault.SOURCE),
    ],
)
def test_bad_input_is_refused_before_anything_is_asked(changed: dict[str, Any], fault: Fault) -> None:
    with pytest.raises(RoutingRefused) as refused:
        routed(evidence(), **changed)
    assert refused.value.fault is fault


@pytest.mark.parametrize("wrong", [{"top_k": True}, {"top_k": 0}, {"relevance_window": "1"}, {"max_cost_units": -1}])
def test_a_policy_names_the_limit_that_cannot_be(wrong: dict[str, Any]) -> None:
    with pytest.raises(RoutingRefused, match=r"topK|relevanceWindow|maxCostUnits"):
        RoutingPolicy(**wrong)


def test_a_whole_number_written_as_a_fraction_is_a_top_k() -> None:
    assert RoutingPolicy.from_json({**POLICY.to_json(), "topK": 2.0}).top_k == 2
    with pytest.raises(RoutingRefused, match="exactly the keys"):
        RoutingPolicy.from_json({**POLICY.to_json(), "budget": 3})


def test_a_receipt_is_never_applied() -> None:
    assert routed(evidence(), tools=catalog(look=0, study=0, draft=0)).to_json()["execution"] == {"applied": False}
