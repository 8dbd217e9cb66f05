"""What the selected tools need before them: the host's prerequisites, exposed with them or nothing at all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from policy.engine.plain import is_list, is_record
from policy.engine.routing.catalog import Catalog
from policy.engine.routing.context import ContextMode, ToolContext, loaded
from policy.engine.routing.faults import Fault, RoutingRefused
from policy.engine.routing.receipt import RoutingReceipt
from policy.engine.selection.records import Outcome

Dependencies = Mapping[str, tuple[str, ...]]


class BundleRule(StrEnum):
    """Why a bundle is ready or withheld; the first that holds, in this order after `ready` is ruled out."""

    READY = "bundle.ready"
    CANCELLED = "bundle.cancelled"
    BLOCKED = "bundle.blocked"
    NOT_SELECTED = "bundle.not-selected"


BUNDLE_REASONS = {
    BundleRule.READY: "The selected tools with what the host declares they need. Evidence, not a permission.",
    BundleRule.CANCELLED: "The hand-over was cancelled; no schema is exposed.",
    BundleRule.BLOCKED: "A tool that is needed is unavailable or over the cost limit; no schema is exposed.",
    BundleRule.NOT_SELECTED: "No tool was selected; no schema is exposed.",
}


@dataclass(frozen=True, slots=True)
class ToolBundle:
    """`root_ids` are the selected tools; `estimated_cost_units` is the sum over what `context` exposes."""

    rule: BundleRule
    root_ids: tuple[str, ...]
    prerequisite_ids: tuple[str, ...]
    blocked_ids: tuple[str, ...]
    context: ToolContext

    @property
    def ready(self) -> bool:
        return self.rule is BundleRule.READY

    @property
    def estimated_cost_units(self) -> float:
        return sum(tool.estimated_cost_units for tool in self.context.tools)

    def to_json(self) -> dict[str, Any]:
        return {
            "status": "ready" if self.ready else "withheld",
            "rootIds": list(self.root_ids),
            "prerequisiteIds": list(self.prerequisite_ids),
            "blockedIds": list(self.blocked_ids),
            "loadedIds": list(self.context.loaded_ids),
            "estimatedCostUnits": self.estimated_cost_units,
            "rule": self.rule.value,
            "reason": BUNDLE_REASONS[self.rule],
        }


def assemble_tool_bundle(
    receipt: RoutingReceipt, dependencies: object, *, previous: Iterable[str] = (), cancelled: bool = False
) -> ToolBundle:
    """Expose the selected tools with everything that they need, or nothing (seed 002); the receipt is not changed.

    Raises `RoutingRefused` for a dependency outside the catalog, named twice, or in a circle anywhere in the graph.
    """
    graph = checked_dependencies(dependencies, receipt.catalog)
    roots = receipt.selected_ids if receipt.outcome is Outcome.SELECTED else ()
    needed = _closure(roots, graph)
    blocked = tuple(name for name in needed if name in _unusable(receipt))
    rule = _rule(cancelled, blocked, roots)
    exposed = needed if rule is BundleRule.READY else ()
    return ToolBundle(
        rule=rule,
        root_ids=roots,
        prerequisite_ids=tuple(tool.id for tool in receipt.catalog if tool.id in needed and tool.id not in roots),
        blocked_ids=blocked,
        context=loaded(receipt, exposed, mode=ContextMode.LEAN, previous=previous),
    )


def checked_dependencies(value: object, catalog: Catalog) -> Dependencies:
    """The graph as given, if it names tools of the catalog, each prerequisite once, without a circle."""
    known = {tool.id for tool in catalog}
    if not is_record(value):
        raise _unknown(f"they are a {type(value).__name__}, not a table of lists")
    for name, prerequisites in value.items():
        if name not in known or not is_list(prerequisites):
            raise _unknown(f"{name!r:.80} is not in the catalog or has no list")
        for prerequisite in prerequisites:
            if type(prerequisite) is not str or prerequisite not in known:
                raise _unknown(f"{prerequisite!r:.80}, needed by {name}, is not in the catalog")
    graph = {name: tuple(prerequisites) for name, prerequisites in value.items()}
    for name, needs in graph.items():
        if len(set(needs)) != len(needs):
            raise RoutingRefused(Fault.DEPENDENCY_DUPLICATE, f"{name} names a prerequisite twice; name each once")
    for name in graph:
        if name in _closure(graph[name], graph):
            raise RoutingRefused(Fault.DEPENDENCY_CYCLE, f"{name} needs itself in a circle; remove one dependency")
    return graph


def _unusable(receipt: RoutingReceipt) -> frozenset[str]:
    limit, available = receipt.policy.max_cost_units, set(receipt.available_ids)
    return frozenset(
        tool.id for tool in receipt.catalog if tool.id not in available or tool.estimated_cost_units > limit
    )


def _closure(roots: Iterable[str], graph: Dependencies) -> tuple[str, ...]:
    """The roots and everything that they need, each once, in the order in which it is discovered."""
    found: dict[str, None] = {}
    waiting = list(roots)
    while waiting:
        name = waiting.pop(0)
        if name not in found:
            found[name] = None
            waiting.extend(graph.get(name, ()))
    return tuple(found)


def _rule(cancelled: bool, blocked: tuple[str, ...], roots: tuple[str, ...]) -> BundleRule:
    if cancelled:
        return BundleRule.CANCELLED
    if blocked:
        return BundleRule.BLOCKED
    return BundleRule.READY if roots else BundleRule.NOT_SELECTED


def _unknown(cause: str) -> RoutingRefused:
    return RoutingRefused(Fault.DEPENDENCY_UNKNOWN, f"dependencies: {cause}; name tools of the catalog only")
