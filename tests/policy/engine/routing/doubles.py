"""Three tools, a policy and evidence for them; routers that reply, raise and change what they can."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from policy.engine.routing import (
    Catalog,
    RoutingPolicy,
    RoutingReceipt,
    RoutingRequest,
    adapter,
    create_catalog,
    route_tools,
)
from policy.engine.routing.questions import JEV_MODEL

POLICY = RoutingPolicy()
SHARES = {"look": 0.44, "study": 0.5, "draft": 0.02, "needs_clarification": 0.04}


def definition(name: str, cost: float = 1, **more: Any) -> dict[str, Any]:
    """A tool of one required text argument."""
    schema = {
        "type": "object",
        "properties": {"key": {"type": "string", "description": "Which one."}},
        "required": ["key"],
        "additionalProperties": False,
    }
    return {
        "id": name,
        "kind": "tool",
        "description": f"The tool {name}.",
        "estimatedCostUnits": cost,
        "inputSchema": schema,
        **more,
    }


def catalog(**costs: float) -> Catalog:
    """`catalog(look=2, draft=3)` has two tools at these costs."""
    return create_catalog([definition(name, cost) for name, cost in costs.items()])


TOOLS = catalog(look=2, study=7, draft=3)


def evidence(shares: dict[str, float] = SHARES, *, confidence: float = 0.9, **more: Any) -> dict[str, Any]:
    """Evidence whose choice is the first leading option."""
    choice = max(shares, key=lambda name: shares[name])
    return {"model": JEV_MODEL, "choice": choice, "confidence": confidence, "probabilities": shares, **more}


class Says:
    """A router that gives this evidence, or calls `does` first."""

    def __init__(self, given: object, does: Callable[[RoutingRequest], None] | None = None) -> None:
        self.given = given
        self.does = does
        self.requests: list[RoutingRequest] = []

    def review(self, request: RoutingRequest) -> object:
        self.requests.append(request)
        if self.does is not None:
            self.does(request)
        return self.given


def routed(given: object, *, tools: Catalog = TOOLS, policy: RoutingPolicy = POLICY, **more: Any) -> RoutingReceipt:
    """The receipt for this evidence, with every tool available."""
    arguments: dict[str, Any] = {
        "catalog": tools,
        "intent": "Find the record.",
        "available_ids": [tool.id for tool in tools],
        "policy": policy,
        "source": "mock",
        **more,
    }
    return adapter.run(route_tools(**arguments), Says(given))
