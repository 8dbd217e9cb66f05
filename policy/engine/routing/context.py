"""Which schemas an agent's context holds after a routing: loaded, added and evicted. No relevance, no summaries."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from policy.engine.routing.catalog import ToolDefinition
from policy.engine.routing.faults import Fault, RoutingRefused
from policy.engine.routing.receipt import RoutingReceipt
from policy.engine.selection.records import Outcome


class ContextMode(StrEnum):
    """`full` loads every available schema, `lean` what was selected."""

    LEAN = "lean"
    FULL = "full"


@dataclass(frozen=True, slots=True)
class ToolContext:
    """The loaded tools in catalog order; `evicted_ids` keeps the order in which they were loaded before."""

    mode: ContextMode
    intent: str
    tools: tuple[ToolDefinition, ...]
    added_ids: tuple[str, ...]
    evicted_ids: tuple[str, ...]

    @property
    def loaded_ids(self) -> tuple[str, ...]:
        return tuple(tool.id for tool in self.tools)

    @property
    def serialized(self) -> str:
        """Compact JSON of intent and schemas, without costs: the bytes that an agent would be sent."""
        shown = {"intent": self.intent, "tools": [tool.shown_json() for tool in self.tools]}
        return json.dumps(shown, ensure_ascii=False, separators=(",", ":"))

    def to_json(self) -> dict[str, Any]:
        return {
            "mode": self.mode.value,
            "tools": [tool.shown_json() for tool in self.tools],
            "serialized": self.serialized,
            "state": {"loadedIds": list(self.loaded_ids)},
            "addedIds": list(self.added_ids),
            "evictedIds": list(self.evicted_ids),
        }


def assemble_context(receipt: RoutingReceipt, mode: object, *, previous: Iterable[str] = ()) -> ToolContext:
    """The context after this receipt; raises `RoutingRefused` for an unknown mode."""
    if type(mode) not in (str, ContextMode) or mode not in tuple(ContextMode):
        raise RoutingRefused(Fault.CONTEXT_MODE, f"a context is lean or full; got {mode!r:.80}")
    if mode == ContextMode.FULL:
        return loaded(receipt, receipt.available_ids, mode=ContextMode.FULL, previous=previous)
    selected = receipt.selected_ids if receipt.outcome is Outcome.SELECTED else ()
    return loaded(receipt, set(selected) & set(receipt.available_ids), mode=ContextMode.LEAN, previous=previous)


def empty(receipt: RoutingReceipt, *, previous: Iterable[str] = ()) -> ToolContext:
    """A lean context that evicts everything: what a cancelled hand-over gets."""
    return loaded(receipt, (), mode=ContextMode.LEAN, previous=previous)


def loaded(receipt: RoutingReceipt, ids: Collection[str], *, mode: ContextMode, previous: Iterable[str]) -> ToolContext:
    """The context that holds exactly these tools of the catalog."""
    before = tuple(previous)
    tools = tuple(tool for tool in receipt.catalog if tool.id in ids)
    now = tuple(tool.id for tool in tools)
    return ToolContext(
        mode=mode,
        intent=receipt.request.intent,
        tools=tools,
        added_ids=tuple(name for name in now if name not in before),
        evicted_ids=tuple(name for name in before if name not in now),
    )
