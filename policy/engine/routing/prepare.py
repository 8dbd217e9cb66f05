"""One routing and the context that a host loads next: `shadow` looks on, `lean` narrows (seed 002)."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from policy.engine.routing.catalog import Catalog
from policy.engine.routing.context import ContextMode, ToolContext, assemble_context, empty
from policy.engine.routing.faults import Fault, RoutingRefused
from policy.engine.routing.policy import RoutingPolicy
from policy.engine.routing.questions import JEV_MODEL, RoutingRequest
from policy.engine.routing.receipt import RoutingReceipt
from policy.engine.routing.route import Cancelled, Routing, never, route_tools


class PrepareMode(StrEnum):
    """`shadow` keeps the full context whatever the routing says; there is no default."""

    SHADOW = "shadow"
    LEAN = "lean"


@dataclass(frozen=True, slots=True)
class Prepared:
    """`context` is the one to use: `full` or `lean` itself, or an empty one after a cancellation."""

    mode: PrepareMode
    receipt: RoutingReceipt
    full: ToolContext
    lean: ToolContext
    context: ToolContext

    def to_json(self) -> dict[str, Any]:
        contexts = {name: getattr(self, name).to_json() for name in ("full", "lean", "context")}
        return {"mode": self.mode.value, "receipt": self.receipt.to_json(), **contexts}


Preparing = Generator[RoutingRequest, object, Prepared]


def prepare_tool_context(
    *,
    catalog: Catalog,
    intent: object,
    available_ids: object,
    policy: RoutingPolicy,
    source: object,
    mode: object,
    previous: Iterable[str] = (),
    model: str | None = JEV_MODEL,
    cancelled: Cancelled = never,
) -> Preparing:
    """Route once and build both contexts from the same previous one.

    Raises `RoutingRefused` at once for an unknown mode, then for what `route_tools` refuses.
    """
    if type(mode) not in (str, PrepareMode) or mode not in tuple(PrepareMode):
        raise RoutingRefused(Fault.PREPARE_MODE, f"say shadow or lean, there is no default; got {mode!r:.80}")
    routing = route_tools(
        catalog=catalog,
        intent=intent,
        available_ids=available_ids,
        policy=policy,
        source=source,
        model=model,
        cancelled=cancelled,
    )
    return _steps(routing, PrepareMode(str(mode)), tuple(previous), cancelled)


def _steps(routing: Routing, mode: PrepareMode, previous: tuple[str, ...], cancelled: Cancelled) -> Preparing:
    receipt = yield from routing
    full = assemble_context(receipt, ContextMode.FULL, previous=previous)
    lean = assemble_context(receipt, ContextMode.LEAN, previous=previous)
    active = full if mode is PrepareMode.SHADOW else lean
    if cancelled():
        active = empty(receipt, previous=previous)
    return Prepared(mode, receipt, full, lean, active)
