"""What comes out of the selector `top-k`, in the words that the selectors share."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from policy.engine.diagnostics import Diagnostics, failure_json
from policy.engine.failures import Failure
from policy.engine.mode import Mode
from policy.engine.routing.bundle import BUNDLE_REASONS, BundleRule, ToolBundle
from policy.engine.routing.catalog import CLARIFICATION_ID
from policy.engine.routing.flat import LeftOut
from policy.engine.routing.rank import Passed, rank
from policy.engine.routing.receipt import RoutingReceipt, RoutingRule
from policy.engine.selection.records import Outcome, Status

NOT_AVAILABLE = "not available here"
NOT_ASKED = "no usable answer"
_STATUSES = {
    Outcome.SELECTED: Status.SELECTED,
    Outcome.NEEDS_CLARIFICATION: Status.ABSTAINED,
    Outcome.NO_MATCH: Status.ABSTAINED,
    Outcome.UNAVAILABLE: Status.FALLBACK,
}


@dataclass(frozen=True, slots=True)
class Routed:
    """A selected tool with its probability and the cost that put it in its place."""

    id: str
    probability: float
    cost_units: int | float

    def to_json(self) -> dict[str, Any]:
        return {"id": self.id, "probability": self.probability, "cost_units": self.cost_units}


@dataclass(frozen=True, slots=True)
class TopK:
    """One selection by `top-k`; a blocked prerequisite makes it unavailable, and a host withholds then.

    `receipt` is the routing's own record. `failure` is what the judge's reply or its absence came to, if anything.
    """

    receipt: RoutingReceipt
    bundle: ToolBundle
    mode: Mode
    left_out: tuple[LeftOut, ...] = ()
    narrowed: tuple[LeftOut, ...] = ()
    failure: Failure | None = None
    diagnostics: Diagnostics = field(default_factory=Diagnostics)

    @property
    def status(self) -> Status:
        return Status.OFF if self.mode is Mode.OFF else _STATUSES[self.outcome]

    @property
    def outcome(self) -> Outcome:
        return Outcome.UNAVAILABLE if self._blocked else self.receipt.outcome

    @property
    def rule(self) -> str:
        return BundleRule.BLOCKED.value if self._blocked else self.receipt.rule.value

    @property
    def reason(self) -> str:
        if self._blocked:
            return BUNDLE_REASONS[BundleRule.BLOCKED]
        if self.receipt.rule is RoutingRule.ADAPTER_FAILED and self.failure is not None:
            return f"{self.failure.code.value}: {self.failure.message}"
        return self.receipt.reason

    @property
    def applied(self) -> bool:
        return self.mode is Mode.ENFORCE and self.outcome is Outcome.SELECTED

    @property
    def selected(self) -> tuple[Routed, ...]:
        """The routed tools, cheapest first; prerequisites are the bundle's."""
        costs = {tool.id: tool.estimated_cost_units for tool in self.receipt.catalog}
        evidence = self.receipt.evidence
        if evidence is None:
            return ()
        return tuple(Routed(name, evidence.probabilities[name], costs[name]) for name in self.receipt.selected_ids)

    @property
    def tool_ids(self) -> tuple[str, ...]:
        """What a host may show: the selected tools with their prerequisites in catalog order, or nothing."""
        return self.bundle.context.loaded_ids

    def dropped(self) -> Iterator[dict[str, Any]]:
        """Every tool that is not in the result, with the reason and its probability where it was offered."""
        evidence = self.receipt.evidence
        shares = evidence.probabilities if evidence else {}
        passed = rank(self.receipt.offered, shares, self.receipt.policy).passed if evidence else {}
        asks = self.receipt.outcome is Outcome.NEEDS_CLARIFICATION
        for tool in self.receipt.catalog:
            if tool.id in self.receipt.selected_ids:
                continue
            reason = NOT_AVAILABLE if tool.id not in self.receipt.available_ids else NOT_ASKED
            if evidence and tool.id in shares:
                reason = Passed.ASKS_FIRST if asks else passed[tool.id]
            share, cost = shares.get(tool.id), tool.estimated_cost_units
            yield {"id": tool.id, "reason": str(reason), "probability": share, "cost_units": cost}
        for each in self.left_out:
            yield {"id": each.id, "reason": f"left out: {each.reason}", "probability": None, "cost_units": None}

    def decision_json(self) -> dict[str, Any]:
        """What was decided, without how long it took or what it cost: a replay must give the same."""
        evidence = self.receipt.evidence
        return {
            "selector": "top-k",
            "status": self.status.value,
            "outcome": self.outcome.value,
            "rule": self.rule,
            "reason": self.reason,
            "mode": self.mode.value,
            "applied": self.applied,
            "selected": [routed.to_json() for routed in self.selected],
            "dropped": list(self.dropped()),
            "evidence": None if evidence is None else evidence.to_json(),
            "clarification": None if evidence is None else evidence.probabilities[CLARIFICATION_ID],
            "policy": self.receipt.policy.to_json(),
            "bundle": self.bundle.to_json(),
            "left_out": [each.to_json() for each in self.left_out],
            "narrowed": [each.to_json() for each in self.narrowed],
            "failure": None if self.failure is None else failure_json(self.failure),
        }

    def to_json(self) -> dict[str, Any]:
        return {**self.decision_json(), "diagnostics": self.diagnostics.to_json()}

    @property
    def _blocked(self) -> bool:
        return self.bundle.rule is BundleRule.BLOCKED
