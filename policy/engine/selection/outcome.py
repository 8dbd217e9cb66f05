"""Which outcome a plan has, by which rule, in one sentence for people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from policy.engine.failures import Failure
from policy.engine.profile import Thresholds
from policy.engine.rules import number_text
from policy.engine.selection.plan import Plan, Standing
from policy.engine.selection.records import CategoryResult, Chosen, Outcome, Rule, Status


@dataclass(frozen=True, slots=True)
class Conclusion:
    status: Status
    outcome: Outcome
    rule: Rule
    reason: str


OFF = Conclusion(Status.OFF, Outcome.UNAVAILABLE, Rule.OFF, "the mode is off, so no judge was asked")
EMPTY = Conclusion(Status.ABSTAINED, Outcome.NO_MATCH, Rule.NO_CANDIDATES, "there is no tool that may be offered")


def failed(failure: Failure) -> Conclusion:
    """No partial plan: a failure anywhere leaves the selection unavailable."""
    reason = f"{failure.code.value}: {failure.message}"
    return Conclusion(Status.FALLBACK, Outcome.UNAVAILABLE, Rule.FAILURE, reason)


def conclude(made: Plan, results: Sequence[CategoryResult], ask_first: float | None, cuts: Thresholds) -> Conclusion:
    """The first rule that holds: ask first, nothing relevant, selected, weak winner, cap, none fits."""
    if ask_first is not None and ask_first >= cuts.ask_first:
        measured = f"{number_text(ask_first)} >= {number_text(cuts.ask_first)}"
        return _asks(Rule.ASK_FIRST, f"the task leaves something open ({measured})")
    if not any(result.relevant for result in results):
        return _no_match(Rule.NO_RELEVANT_CATEGORY, _nothing_relevant(results, cuts))
    if winners := made.chosen(Standing.WINNER):
        reason = f"picked {_names(winners)}, each at {number_text(cuts.selection)} or more"
        return Conclusion(Status.SELECTED, Outcome.SELECTED, Rule.SELECTED, reason)
    if weak := made.chosen(Standing.WEAK_WINNER):
        return _asks(Rule.WEAK_WINNER, f"the best fit is too weak: {_names(weak)} below {number_text(cuts.selection)}")
    if any(offer.standing is not Standing.ALTERNATIVE for offer in made.cut):
        reason = "a tool was picked, but the cap on selected tools leaves room for none"
        return Conclusion(Status.ABSTAINED, Outcome.UNAVAILABLE, Rule.CAP, reason)
    return _no_match(Rule.NONE_FITS, "no tool of the relevant categories fits the task")


def _nothing_relevant(results: Sequence[CategoryResult], cuts: Thresholds) -> str:
    best = max(results, key=lambda result: result.relevance or 0.0)
    measured = f"{best.category} at {number_text(best.relevance or 0.0)}"
    return f"no category reaches relevance {number_text(cuts.relevance)}; the nearest is {measured}"


def _asks(rule: Rule, reason: str) -> Conclusion:
    return Conclusion(Status.ABSTAINED, Outcome.NEEDS_CLARIFICATION, rule, reason)


def _no_match(rule: Rule, reason: str) -> Conclusion:
    return Conclusion(Status.ABSTAINED, Outcome.NO_MATCH, rule, reason)


def _names(chosen: Sequence[Chosen]) -> str:
    shown = ", ".join(f"{each.id} ({number_text(each.probability)})" for each in chosen[:3])
    return shown + (f" and {len(chosen) - 3} more" if len(chosen) > 3 else "")
