"""Rules that hold for every distribution: never a tool that was not offered, is over budget or too far behind."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy.engine.routing import RoutingPolicy, assemble_tool_bundle, create_catalog
from policy.engine.routing.faults import Fault, RoutingRefused
from policy.engine.routing.rank import EPSILON
from policy.engine.selection import Outcome
from tests.policy.engine.routing.doubles import definition, routed

NAMES = ("a", "b", "c", "d", "e")
UNITS = st.integers(0, 20).map(lambda share: share / 20)
policies = st.builds(
    RoutingPolicy,
    top_k=st.integers(1, 5),
    confidence_floor=UNITS,
    probability_floor=UNITS,
    relevance_window=UNITS,
    max_cost_units=st.integers(0, 6),
)


@st.composite
def distributions(draw: st.DrawFn) -> dict[str, Any]:
    """Evidence in twentieths over the available tools and asking back, with ties in it more often than not."""
    available = draw(st.lists(st.sampled_from(NAMES), unique=True, min_size=1))
    options = [name for name in NAMES if name in available] + ["needs_clarification"]
    cuts = sorted(draw(st.lists(st.integers(0, 20), min_size=len(options) - 1, max_size=len(options) - 1)))
    shares = [(high - low) / 20 for low, high in zip([0, *cuts], [*cuts, 20], strict=True)]
    probabilities = dict(zip(options, shares, strict=True))
    choice = draw(st.sampled_from([name for name in options if probabilities[name] == max(shares)]))
    return {
        "model": "jev-1.13.0",
        "choice": choice,
        "confidence": draw(UNITS),
        "probabilities": probabilities,
    }


costs = st.lists(st.integers(0, 8), min_size=len(NAMES), max_size=len(NAMES))


@given(evidence=distributions(), policy=policies, costs=costs)
def test_whatever_is_selected_was_offered_and_keeps_every_limit(
    evidence: dict[str, Any], policy: RoutingPolicy, costs: list[int]
) -> None:
    tools = create_catalog([definition(name, cost) for name, cost in zip(NAMES, costs, strict=True)])
    shares = evidence["probabilities"]
    available = [name for name in NAMES if name in shares]
    receipt = routed(evidence, tools=tools, policy=policy, available_ids=available)
    best = max(shares[name] for name in available)
    price = dict(zip(NAMES, costs, strict=True))
    assert len(receipt.selected_ids) <= policy.top_k
    for name in receipt.selected_ids:
        assert name in available
        assert price[name] <= policy.max_cost_units
        assert shares[name] >= policy.probability_floor
        assert best - shares[name] <= policy.relevance_window + EPSILON
    order = [(price[name], -shares[name], name) for name in receipt.selected_ids]
    assert order == sorted(order)


@given(lead=st.integers(1, 5), rest=st.integers(0, 5), policy=policies, confidence=UNITS)
def test_asking_back_that_leads_or_ties_selects_nothing(
    lead: int, rest: int, policy: RoutingPolicy, confidence: float
) -> None:
    low, high = sorted((lead, rest))
    shares = {"a": float(high), "b": float(low), "needs_clarification": float(high)}
    total = sum(shares.values())
    given_evidence = {
        "model": "jev-1.13.0",
        "choice": "a",
        "confidence": confidence,
        "probabilities": {name: share / total for name, share in shares.items()},
    }
    tools = create_catalog([definition(name) for name in ("a", "b")])
    receipt = routed(given_evidence, tools=tools, policy=policy)
    assert (receipt.outcome, receipt.selected_ids) == (Outcome.NEEDS_CLARIFICATION, ())
    assert receipt.rule.name == "CLARIFY"


graphs = st.dictionaries(st.sampled_from(NAMES), st.lists(st.sampled_from(NAMES), unique=True, max_size=4), max_size=5)


@given(graph=graphs, roots=st.lists(st.sampled_from(NAMES), unique=True, min_size=1), costs=costs)
def test_a_bundle_is_whole_or_empty_and_a_circle_is_refused(
    graph: dict[str, list[str]], roots: list[str], costs: list[int]
) -> None:
    tools = create_catalog([definition(name, cost) for name, cost in zip(NAMES, costs, strict=True)])
    share = 1 / len(NAMES)
    evidence = dict.fromkeys(NAMES, share) | {"needs_clarification": 0.0}
    given_evidence = {"model": "jev-1.13.0", "choice": "a", "confidence": 1.0, "probabilities": evidence}
    policy = RoutingPolicy(top_k=len(roots), relevance_window=1, max_cost_units=5)
    receipt = routed(given_evidence, tools=tools, policy=policy)
    if _circular(graph):
        with pytest.raises(RoutingRefused) as refused:
            assemble_tool_bundle(receipt, graph)
        assert refused.value.fault is Fault.DEPENDENCY_CYCLE
        return
    bundle = assemble_tool_bundle(receipt, graph)
    loaded = set(bundle.context.loaded_ids)
    assert not loaded or set(receipt.selected_ids) <= loaded
    assert all(need in loaded for name in loaded for need in graph.get(name, []))
    assert bundle.estimated_cost_units == sum(tool.estimated_cost_units for tool in tools if tool.id in loaded)


def _circular(graph: dict[str, list[str]]) -> bool:
    """Whether taking away tools that need nothing left, again and again, leaves some over."""
    left = {name: set(needs) for name, needs in graph.items()}
    while free := [name for name, needs in left.items() if not needs & left.keys()]:
        for name in free:
            del left[name]
    return bool(left)
