"""Figures of a paired comparison: the lean side pays for its router, and labels come last."""

from __future__ import annotations

import pytest

from policy.engine.routing import RoutingReceipt, RoutingRule, Source
from policy.engine.routing.metrics import Comparison, Labels, Measured, compare
from policy.engine.routing.questions import request_for
from tests.policy.engine.routing.doubles import POLICY, TOOLS, evidence, routed


def compared(*acceptable: str, measured: Measured | None = None, given: object = None) -> Comparison:
    labels = Labels(frozenset(acceptable), "selected")
    return compare(routed(evidence() if given is None else given), labels, measured)


def test_the_lean_side_pays_for_the_question() -> None:
    found = compared("look")
    assert found.router_request_bytes is not None
    assert found.lean_total_estimated_input_tokens is not None
    assert found.lean_total_estimated_input_tokens > found.lean_context_estimated_tokens
    assert found.context_reduction_fraction == pytest.approx(1 - found.lean_context_bytes / found.full_context_bytes)


def test_a_real_router_is_measured_and_not_estimated() -> None:
    found = compared("look", measured=Measured(request_bytes=None, response_bytes=41, provider_tokens=99))
    assert (found.router_request_bytes, found.lean_total_estimated_input_tokens) == (None, None)
    assert (found.router_response_estimated_tokens, found.provider_tokens) == (11, 99)


def test_an_acceptable_tool_over_the_limit_does_not_count() -> None:
    tools = routed(evidence(), policy=type(POLICY)(max_cost_units=5))
    found = compare(tools, Labels(frozenset({"study"}), "selected"))
    assert (found.full_acceptable_tool_included, found.cheapest_acceptable_selected) == (None, None)


def test_a_dearer_acceptable_tool_is_not_the_cheapest() -> None:
    assert compared("look", "study").cheapest_acceptable_selected is True
    receipt = RoutingReceipt(
        catalog=TOOLS,
        available_ids=("look", "study"),
        request=request_for("Go.", TOOLS[:2], model=None),
        policy=POLICY,
        source=Source.MOCK,
        rule=RoutingRule.SELECTED,
        selected_ids=("study",),
    )
    found = compare(receipt, Labels(frozenset({"look", "study"}), "selected"))
    assert (found.cheapest_acceptable_selected, found.expectation_met) == (False, True)


def test_nothing_is_known_of_a_routing_without_evidence() -> None:
    found = compared("look", given=[])
    assert (found.router_response_estimated_tokens, found.execution_latency_ms) == (None, None)
    assert (found.lean_acceptable_tool_included, found.expectation_met) == (False, False)
    assert found.to_json()["selectedEstimatedCostUnits"] == 0
