"""The table of a selection equals the engine, at any thresholds and exactly on the break-points."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import nextafter
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from policy.engine.breakpoints import Unanswered, again, of_selection, told
from policy.engine.profile import Profile, Thresholds
from policy.engine.receipts import SelectionCall
from policy.engine.selection import Selection
from policy.judges.scripted import Script
from tests.policy.engine.doubles import tools
from tests.policy.engine.selection.test_properties import CALLS, played, scripts

NET = SelectionCall(task="look up the host", candidates=tuple(tools(net="dig ping", disk="du")), profile=Profile())
NAMES = ("relevance", "selection", "confidence", "ask_first")


def said(**answers: Any) -> tuple[Selection, Any]:
    selection, recorder = played(NET, lambda request, call: Script(answers))
    return selection, recorder.exchanges


@st.composite
def cuts(draw: Callable[..., Any], points: list[float]) -> Thresholds:
    """Anywhere, on a measured value, or just above one."""
    near = [*points, *(nextafter(point, 1) for point in points if point < 1)]
    where = st.floats(0, 1) | (st.sampled_from(near) if near else st.nothing())
    return Thresholds(**{name: draw(where) for name in NAMES})


@given(CALLS, scripts(), st.data())
def test_the_table_is_the_engine(call: SelectionCall, script: Any, data: Any) -> None:
    selection, recorder = played(call, script)
    table = of_selection(selection, candidates=call.candidates, profile=call.profile, max_selected=call.max_selected)
    if table is None:
        assert selection.failure is not None or not selection.categories
        return
    points = [point for axes in table.tables for axis in axes.axes for point in axis.points]
    for _ in range(4):
        thresholds = data.draw(cuts(points))
        moved = replace(call, profile=replace(call.profile, thresholds=thresholds))
        try:
            expected = told(again(moved.steps(), recorder.exchanges))
        except Unanswered:
            expected = None
        assert table.at(thresholds) == expected


def test_a_lower_relevance_threshold_needs_a_new_request_where_no_pick_was_asked() -> None:
    selection, _ = said(rel_net={"noul": 0.8}, rel_disk={"noul": 0.3}, pick_net={"choice": "dig"})
    table = of_selection(selection, candidates=NET.candidates, profile=NET.profile)
    assert table is not None
    pieces = table.pieces("relevance", NET.profile.thresholds)
    outcomes = [(each.high, each.decision and each.decision["outcome"]) for each in pieces]
    assert outcomes == [(0.3, None), (0.8, "selected"), (1.0, "no_match")]


def test_a_failed_selection_has_no_break_points() -> None:
    selection, _ = said(rel_net={"omit": True})
    assert selection.failure is not None
    assert of_selection(selection, candidates=NET.candidates, profile=NET.profile) is None
