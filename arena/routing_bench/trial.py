"""One scenario played: the selection, its receipt, and its figures beside the full context."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from arena.catalogs.menus import recall_at_menu
from arena.routing_bench.scenarios import Scenario
from policy.engine import drive, receipts
from policy.engine.judge import JudgeReply
from policy.engine.plain import utf8_bytes
from policy.engine.routing import TopK, metrics
from policy.engine.routing.evidence import read_reply


@dataclass(frozen=True, slots=True)
class Trial:
    """`figures` are those of seed 002; the others are ours.

    `complete_set_included` says whether the handed-over tools, prerequisites included, hold a whole acceptable set
    (None where the case needs no tool). `router_latency_ms` is the judge's time, None for a script.
    """

    scenario: Scenario
    selection: TopK
    figures: metrics.Comparison
    complete_set_included: bool | None
    handed_over_bytes: int
    router_latency_ms: float | None
    receipt: dict[str, Any]

    def to_json(self) -> dict[str, Any]:
        receipt = self.selection.receipt
        return {
            "name": self.scenario.name,
            "case": self.scenario.case.id,
            "outcome": self.selection.outcome.value,
            "rule": self.selection.rule,
            "expectedOutcome": self.scenario.labels.expected_outcome,
            "offered": len(receipt.available_ids),
            "leftOut": [each.id for each in self.selection.left_out],
            "selectedIds": list(receipt.selected_ids),
            "handedOverIds": list(self.selection.tool_ids),
            "handedOverBytes": self.handed_over_bytes,
            "completeSetIncluded": self.complete_set_included,
            "routerLatencyMs": self.router_latency_ms,
            **self.figures.to_json(),
        }


def attempt(scenario: Scenario) -> Trial:
    """Route once; labels are looked at when the receipt stands."""
    recorder = receipts.Recorder()
    selection = drive.run(
        scenario.call.steps(),
        scenario.judge,
        budget_ms=scenario.call.profile.limits.budget_ms,
        on_exchange=recorder,
    )
    receipt = receipts.write(scenario.call, recorder.exchanges, selection)
    measured = _measured(recorder) if scenario.measures else None
    return Trial(
        scenario=scenario,
        selection=selection,
        figures=metrics.compare(selection.receipt, scenario.labels, measured),
        complete_set_included=recall_at_menu(scenario.case, scenario.catalog, selection.tool_ids),
        handed_over_bytes=utf8_bytes(selection.bundle.context.serialized),
        router_latency_ms=selection.diagnostics.latency_ms if scenario.measures else None,
        receipt=receipt,
    )


def _measured(recorder: receipts.Recorder) -> metrics.Measured:
    """The bytes of the one exchange; tokens only where the judge reported them."""
    for request, sent in recorder.exchanges:
        if not isinstance(sent, JudgeReply):
            return metrics.Measured(len(request.encoded()))
        return metrics.Measured(len(request.encoded()), len(sent.raw), _reported_tokens(sent))
    return metrics.Measured()


def _reported_tokens(reply: JudgeReply) -> int | None:
    usage = read_reply(reply.body)
    if reply.token_source != "reported" or usage.input_tokens is None or usage.output_tokens is None:
        return None
    return usage.input_tokens + usage.output_tokens
