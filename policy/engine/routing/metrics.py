"""What lean context saves and what it costs, computed after a routing: labels can never reach a receipt."""

from __future__ import annotations

import json
import math
from collections.abc import Collection
from dataclasses import asdict, dataclass
from typing import Any

from policy.engine.plain import utf8_bytes
from policy.engine.routing.context import ContextMode, assemble_context
from policy.engine.routing.receipt import RoutingReceipt
from policy.engine.selection.records import Outcome

BYTES_PER_TOKEN = 4
"""An estimated token is this many bytes of UTF-8: a proxy, not a count."""


@dataclass(frozen=True, slots=True)
class Labels:
    """What was expected of a case; they live outside of the request and the receipt."""

    acceptable_ids: frozenset[str]
    expected_outcome: str


@dataclass(frozen=True, slots=True)
class Measured:
    """What a real router reported: bytes of its exchange and tokens, None where it did not say."""

    request_bytes: int | None = None
    response_bytes: int | None = None
    provider_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Full context against lean context for one routing; None where a figure is unknown, never 0 instead.

    The full baseline pays for no router; the lean total pays for its context and the router's request.
    """

    full_context_bytes: int
    lean_context_bytes: int
    context_reduction_fraction: float
    full_context_estimated_tokens: int
    lean_context_estimated_tokens: int
    router_request_bytes: int | None
    lean_total_estimated_input_tokens: int | None
    router_response_estimated_tokens: int | None
    full_acceptable_tool_included: bool | None
    lean_acceptable_tool_included: bool | None
    cheapest_acceptable_selected: bool | None
    selected_estimated_cost_units: float
    provider_tokens: int | None
    execution_latency_ms: None
    expectation_met: bool

    def to_json(self) -> dict[str, Any]:
        return {_camel(name): value for name, value in asdict(self).items()}


def compare(receipt: RoutingReceipt, labels: Labels, measured: Measured | None = None) -> Comparison:
    """The figures of one routing (seed 002); `measured` is given for a real router, None for a scripted one."""
    full = assemble_context(receipt, ContextMode.FULL)
    lean = assemble_context(receipt, ContextMode.LEAN)
    full_bytes, lean_bytes = utf8_bytes(full.serialized), utf8_bytes(lean.serialized)
    request_bytes = _request_bytes(receipt, measured)
    lean_tokens = estimated_tokens(lean_bytes)
    costs = {tool.id: tool.estimated_cost_units for tool in receipt.catalog}
    acceptable = {
        name: costs[name]
        for name in receipt.available_ids
        if name in labels.acceptable_ids and costs[name] <= receipt.policy.max_cost_units
    }
    selected = set(receipt.selected_ids)
    met = receipt.outcome == labels.expected_outcome
    return Comparison(
        full_context_bytes=full_bytes,
        lean_context_bytes=lean_bytes,
        context_reduction_fraction=1 - lean_bytes / full_bytes,
        full_context_estimated_tokens=estimated_tokens(full_bytes),
        lean_context_estimated_tokens=lean_tokens,
        router_request_bytes=request_bytes,
        lean_total_estimated_input_tokens=None
        if request_bytes is None
        else lean_tokens + estimated_tokens(request_bytes),
        router_response_estimated_tokens=_response_tokens(receipt, measured),
        full_acceptable_tool_included=_holds(full.loaded_ids, acceptable),
        lean_acceptable_tool_included=_holds(lean.loaded_ids, acceptable),
        cheapest_acceptable_selected=_cheapest(selected, acceptable),
        selected_estimated_cost_units=sum(costs[name] for name in receipt.selected_ids),
        provider_tokens=None if measured is None else measured.provider_tokens,
        execution_latency_ms=None,
        expectation_met=met and (receipt.outcome is not Outcome.SELECTED or bool(selected & acceptable.keys())),
    )


def estimated_tokens(size_bytes: int) -> int:
    """The proxy for tokens: bytes over four, rounded up."""
    return math.ceil(size_bytes / BYTES_PER_TOKEN)


def _request_bytes(receipt: RoutingReceipt, measured: Measured | None) -> int | None:
    if not receipt.available_ids:
        return 0
    if measured is not None:
        return measured.request_bytes
    return utf8_bytes(json.dumps(receipt.request.to_json(), ensure_ascii=False, separators=(",", ":")))


def _response_tokens(receipt: RoutingReceipt, measured: Measured | None) -> int | None:
    if measured is not None and measured.response_bytes is not None:
        return estimated_tokens(measured.response_bytes)
    if receipt.evidence is None:
        return None
    text = json.dumps(receipt.evidence.to_json(), ensure_ascii=False, separators=(",", ":"))
    return estimated_tokens(utf8_bytes(text))


def _holds(loaded: Collection[str], acceptable: Collection[str]) -> bool | None:
    return any(name in acceptable for name in loaded) if acceptable else None


def _cheapest(selected: Collection[str], acceptable: dict[str, int | float]) -> bool | None:
    if not acceptable:
        return None
    least = min(acceptable.values())
    return any(acceptable.get(name) == least for name in selected)


def _camel(name: str) -> str:
    head, *tail = name.split("_")
    return head + "".join(part.capitalize() for part in tail)
