"""The record of one routing: what was offered, asked and answered, and what it came to. Nothing is executed by it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from policy.engine.routing.catalog import Catalog, ToolDefinition
from policy.engine.routing.evidence import Evidence
from policy.engine.routing.policy import RoutingPolicy
from policy.engine.routing.questions import RoutingRequest
from policy.engine.selection.records import Outcome

SCHEMA_VERSION = 1


class Source(StrEnum):
    """Where evidence comes from: a script, the vendor's judge, or another judge that its host names."""

    MOCK = "mock"
    JEV = "jev"
    JUDGE = "judge"


class RoutingRule(StrEnum):
    """Stable id of the rule that gave the outcome, in order of precedence; a host that is off asks nothing."""

    OFF = "top-k.off"
    CANCELLED = "top-k.cancelled"
    NO_TOOLS = "top-k.no-tools"
    ADAPTER_FAILED = "top-k.judge-failed"
    BAD_EVIDENCE = "top-k.bad-evidence"
    CLARIFY = "top-k.clarify"
    LOW_CONFIDENCE = "top-k.low-confidence"
    SELECTED = "top-k.selected"
    NO_CANDIDATE = "top-k.no-candidate"

    @property
    def outcome(self) -> Outcome:
        return _OUTCOMES[self]


_OUTCOMES = {
    RoutingRule.OFF: Outcome.UNAVAILABLE,
    RoutingRule.CANCELLED: Outcome.UNAVAILABLE,
    RoutingRule.NO_TOOLS: Outcome.NO_MATCH,
    RoutingRule.ADAPTER_FAILED: Outcome.UNAVAILABLE,
    RoutingRule.BAD_EVIDENCE: Outcome.UNAVAILABLE,
    RoutingRule.CLARIFY: Outcome.NEEDS_CLARIFICATION,
    RoutingRule.LOW_CONFIDENCE: Outcome.NEEDS_CLARIFICATION,
    RoutingRule.SELECTED: Outcome.SELECTED,
    RoutingRule.NO_CANDIDATE: Outcome.NO_MATCH,
}
# Fixed sentences: a receipt compares by them, and none may repeat what an adapter said.
REASONS = {
    RoutingRule.OFF: "The mode is off, so no judge was asked.",
    RoutingRule.CANCELLED: "The routing was cancelled, so no tool was selected.",
    RoutingRule.NO_TOOLS: "The host had no tool available.",
    RoutingRule.ADAPTER_FAILED: "The judge could not be asked or gave no reply, so no tool was selected.",
    RoutingRule.BAD_EVIDENCE: "The answer is no usable evidence: of the expected model, over exactly the offered "
    "options, adding to 1, with the choice in the lead.",
    RoutingRule.CLARIFY: "Asking back leads or shares the lead; a question comes before any tool.",
    RoutingRule.LOW_CONFIDENCE: "The choice is less sure than the host wants; a question comes before any tool.",
    RoutingRule.SELECTED: "The cheapest of the tools that are probable enough, close to the best and within the cost "
    "limit. Evidence, not a permission; nothing was executed.",
    RoutingRule.NO_CANDIDATE: "No tool is probable enough, close to the best and within the cost limit.",
}


@dataclass(frozen=True, slots=True)
class RoutingReceipt:
    """`available_ids` is the host's snapshot; `selected_ids` is empty unless the outcome is `selected`."""

    catalog: Catalog
    available_ids: tuple[str, ...]
    request: RoutingRequest
    policy: RoutingPolicy
    source: Source
    rule: RoutingRule
    selected_ids: tuple[str, ...] = ()
    evidence: Evidence | None = None

    @property
    def outcome(self) -> Outcome:
        return self.rule.outcome

    @property
    def reason(self) -> str:
        return REASONS[self.rule]

    @property
    def offered(self) -> tuple[ToolDefinition, ...]:
        """The available tools in catalog order."""
        return tuple(tool for tool in self.catalog if tool.id in self.available_ids)

    def to_json(self) -> dict[str, Any]:
        return {
            "schemaVersion": SCHEMA_VERSION,
            "catalog": [tool.to_json() for tool in self.catalog],
            "request": self.request.to_json(),
            "policy": self.policy.to_json(),
            "source": self.source.value,
            "evidence": None if self.evidence is None else self.evidence.to_json(),
            "outcome": self.outcome.value,
            "selectedIds": list(self.selected_ids),
            "rule": self.rule.value,
            "reason": self.reason,
            "execution": {"applied": False},
        }
