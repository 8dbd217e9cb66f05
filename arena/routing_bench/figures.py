"""The trials of one comparison together: sums, and counts with how many trials they are of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from arena.routing_bench.trial import Trial


def summary(trials: Sequence[Trial]) -> dict[str, Any]:
    """One object; a count names its trials, and a sum is None as soon as one of its parts is unknown.

    The lean total holds the context and the router's request: fewer schemas alone are no saving.
    """
    figures = [trial.figures for trial in trials]
    full = sum(each.full_context_bytes for each in figures)
    lean = sum(each.lean_context_bytes for each in figures)
    return {
        "scenarios": len(trials),
        "outcomes": dict(sorted(Counter(trial.selection.outcome.value for trial in trials).items())),
        "expectationMet": _counted(each.expectation_met for each in figures),
        "fullContextBytes": full,
        "leanContextBytes": lean,
        "contextReductionFraction": 1 - lean / full if full else None,
        "fullContextEstimatedTokens": sum(each.full_context_estimated_tokens for each in figures),
        "leanContextEstimatedTokens": sum(each.lean_context_estimated_tokens for each in figures),
        "routerRequestBytes": _sum(each.router_request_bytes for each in figures),
        "leanTotalEstimatedInputTokens": _sum(each.lean_total_estimated_input_tokens for each in figures),
        "routerResponseEstimatedTokens": _sum(each.router_response_estimated_tokens for each in figures),
        "routerLatencyMs": _sum(trial.router_latency_ms for trial in trials),
        "fullAcceptableToolIncluded": _counted(each.full_acceptable_tool_included for each in figures),
        "leanAcceptableToolIncluded": _counted(each.lean_acceptable_tool_included for each in figures),
        "cheapestAcceptableSelected": _counted(each.cheapest_acceptable_selected for each in figures),
        "completeSetIncluded": _counted(trial.complete_set_included for trial in trials),
        "selectedEstimatedCostUnits": sum(each.selected_estimated_cost_units for each in figures),
        "handedOverBytes": sum(trial.handed_over_bytes for trial in trials),
        "executionLatencyMs": None,
    }


def _counted(found: Iterable[bool | None]) -> dict[str, int]:
    """How often it holds, of how many trials where it can be said."""
    known = [each for each in found if each is not None]
    return {"yes": sum(known), "of": len(known)}


def _sum(parts: Iterable[float | None]) -> float | None:
    listed = list(parts)
    known = [part for part in listed if part is not None]
    return sum(known) if len(known) == len(listed) else None
