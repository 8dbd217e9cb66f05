"""The break-points of a selection: relevance, selection, confidence and ask-first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from policy.engine.breakpoints.tables import Axis, Breakpoints, Decided, breakpoints
from policy.engine.mode import Mode
from policy.engine.profile import Profile, Thresholds
from policy.engine.selection import Candidate, CategoryResult, Chosen, Outcome, Selection, Status
from policy.engine.selection.menu import Menu, arrange
from policy.engine.selection.outcome import conclude
from policy.engine.selection.plan import Plan, Standing, plan_picks


def of_selection(
    selection: Selection, *, candidates: Sequence[Candidate], profile: Profile, max_selected: int | None = None
) -> Breakpoints | None:
    """Every decision that other thresholds make of the same answers; None where there is no usable answer.

    Where a lower relevance threshold or a higher ask-first one calls for picks that nobody was asked for, the cell is
    None: it takes a new request to know.
    """
    if selection.failure is not None or selection.status is Status.OFF or not selection.categories:
        return None
    menu = arrange(candidates, ())
    cap = profile.limits.max_selected_tools if max_selected is None else max_selected

    def decide(cuts: Thresholds) -> Decided | None:
        return _decided(selection, menu, cuts, cap)

    return breakpoints(tuple(_axes(selection)), decide, base=profile.thresholds)


def _axes(selection: Selection) -> Iterator[Axis]:
    picks = [pick for result in selection.categories for pick in result.picks if pick.tool is not None]
    yield Axis.of("relevance", _relevances(selection.categories))
    yield Axis.of("selection", (pick.probability for pick in picks))
    yield Axis.of("confidence", (pick.confidence for pick in picks))
    if selection.ask_first is not None:
        yield Axis.of("ask_first", [selection.ask_first])


def _relevances(results: Sequence[CategoryResult]) -> list[float]:
    """Below the most relevant category without a pick nothing is known, so no smaller value has a cell of its own."""
    unasked = max((result.relevance or 0.0 for result in results if not result.picks), default=0.0)
    return [result.relevance for result in results if result.relevance is not None and result.relevance >= unasked]


def _decided(selection: Selection, menu: Menu, cuts: Thresholds, cap: int) -> Decided | None:
    results = [_under(result, cuts) for result in selection.categories]
    asks = selection.ask_first is not None and selection.ask_first >= cuts.ask_first
    if not asks and any(result.relevant and not result.picks for result in results):
        return None
    relevant = [result for result in results if result.relevant]
    made = Plan() if asks else plan_picks(relevant, menu, cuts=cuts, cap=cap)
    conclusion = conclude(made, results, selection.ask_first, cuts)
    return _told(
        status=conclusion.status,
        outcome=conclusion.outcome,
        rule=conclusion.rule.value,
        mode=selection.mode,
        selected=made.chosen(Standing.WINNER),
        expand=made.chosen(Standing.WEAK_WINNER, Standing.ALTERNATIVE),
    )


def _under(result: CategoryResult, cuts: Thresholds) -> CategoryResult:
    return replace(result, relevant=result.relevance is not None and result.relevance >= cuts.relevance)


def _told(
    *,
    status: Status,
    outcome: Outcome,
    rule: str,
    mode: Mode,
    selected: Sequence[Chosen],
    expand: Sequence[Chosen],
) -> dict[str, Any]:
    return {
        "status": status.value,
        "outcome": outcome.value,
        "rule": rule,
        "applied": mode is Mode.ENFORCE and status is Status.SELECTED,
        "selected": [chosen.to_json() for chosen in selected],
        "expand": [chosen.to_json() for chosen in expand],
    }
