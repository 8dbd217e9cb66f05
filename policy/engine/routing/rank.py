"""Cost-aware top-k: which of the available tools are close enough to the best, and the cheapest of them first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from policy.engine.routing.catalog import CLARIFICATION_ID, ToolDefinition
from policy.engine.routing.policy import RoutingPolicy

# Differences of decimal fractions miss their window by as much as this (0.55 - 0.45 > 0.1).
EPSILON = 2.220446049250313e-16


class Passed(StrEnum):
    """Why an offered tool was not selected."""

    BELOW_FLOOR = "below the probability floor"
    OUTSIDE_WINDOW = "too far behind the best tool"
    OVER_BUDGET = "over the cost limit"
    BEYOND_TOP_K = "cheaper or likelier tools fill the top k"
    ASKS_FIRST = "a question comes first"


@dataclass(frozen=True, slots=True)
class Ranking:
    """The selected tools in order, and every other offered tool with the first limit that it misses."""

    selected: tuple[ToolDefinition, ...]
    passed: Mapping[str, Passed]


def rank(offered: Sequence[ToolDefinition], probabilities: Mapping[str, float], policy: RoutingPolicy) -> Ranking:
    """Candidates by cost, then probability, then id; the window is anchored at the best tool, even an over-dear one."""
    best = max((probabilities[tool.id] for tool in offered), default=0.0)
    passed: dict[str, Passed] = {}
    fitting: list[ToolDefinition] = []
    for tool in offered:
        if (missed := _missed(tool, probabilities[tool.id], best, policy)) is None:
            fitting.append(tool)
        else:
            passed[tool.id] = missed
    fitting.sort(key=lambda tool: (tool.estimated_cost_units, -probabilities[tool.id], tool.id))
    passed |= {tool.id: Passed.BEYOND_TOP_K for tool in fitting[policy.top_k :]}
    return Ranking(tuple(fitting[: policy.top_k]), passed)


def asks_back(choice: str, probabilities: Mapping[str, float]) -> bool:
    """Whether the answer that asks back was chosen or shares the lead."""
    return choice == CLARIFICATION_ID or probabilities[CLARIFICATION_ID] == max(probabilities.values())


def _missed(tool: ToolDefinition, probability: float, best: float, policy: RoutingPolicy) -> Passed | None:
    if probability < policy.probability_floor:
        return Passed.BELOW_FLOOR
    if best - probability > policy.relevance_window + EPSILON:
        return Passed.OUTSIDE_WINDOW
    return Passed.OVER_BUDGET if tool.estimated_cost_units > policy.max_cost_units else None
