"""Prerequisites: whole or not at all, and never for a receipt that selected nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from policy.engine.routing import (
    BundleRule,
    Fault,
    RoutingPolicy,
    RoutingReceipt,
    RoutingRefused,
    RoutingRule,
    assemble_context,
    assemble_tool_bundle,
)
from tests.policy.engine.routing.doubles import catalog, evidence, routed

SHARES = {"a": 0.9, "b": 0.02, "c": 0.02, "d": 0.02, "needs_clarification": 0.04}


def receipt() -> RoutingReceipt:
    """`a` is selected from four tools."""
    return routed(evidence(SHARES), tools=catalog(a=1, b=2, c=4, d=8))


def test_a_chain_comes_along_in_catalog_order() -> None:
    bundle = assemble_tool_bundle(receipt(), {"a": ["c"], "c": ["b"]}, previous=["d"])
    assert (bundle.root_ids, bundle.prerequisite_ids) == (("a",), ("b", "c"))
    assert (bundle.context.loaded_ids, bundle.context.evicted_ids) == (("a", "b", "c"), ("d",))
    assert bundle.estimated_cost_units == 7


def test_blocked_ids_stand_in_the_order_of_their_discovery() -> None:
    dear = replace(receipt(), policy=RoutingPolicy(max_cost_units=3), available_ids=("a", "c", "d"))
    bundle = assemble_tool_bundle(dear, {"a": ["d", "b"], "d": ["c"]})
    assert (bundle.rule, bundle.blocked_ids, bundle.context.tools) == (BundleRule.BLOCKED, ("d", "b", "c"), ())


def test_a_receipt_that_selected_nothing_exposes_nothing_whatever_it_names() -> None:
    forged = replace(receipt(), rule=RoutingRule.CLARIFY)
    bundle = assemble_tool_bundle(forged, {"a": ["b"]})
    assert (bundle.rule, bundle.root_ids, bundle.context.tools) == (BundleRule.NOT_SELECTED, (), ())
    assert assemble_context(forged, "lean").tools == ()


def test_the_receipt_is_not_changed_by_a_bundle() -> None:
    made = receipt()
    assemble_tool_bundle(made, {"a": ["b"]})
    assert made.selected_ids == ("a",)


@pytest.mark.parametrize(
    ("graph", "fault"),
    [
        ({"a": ("b",)}, Fault.DEPENDENCY_UNKNOWN),
        ({"a": [1]}, Fault.DEPENDENCY_UNKNOWN),
        ([], Fault.DEPENDENCY_UNKNOWN),
        ({"b": ["c"], "c": ["d"], "d": ["b"]}, Fault.DEPENDENCY_CYCLE),
    ],
)
def test_a_graph_is_checked_as_a_whole_before_it_is_used(graph: object, fault: Fault) -> None:
    with pytest.raises(RoutingRefused) as refused:
        assemble_tool_bundle(receipt(), graph)
    assert refused.value.fault is fault
