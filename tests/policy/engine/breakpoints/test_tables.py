"""Cells, tables and pieces, on rules simple enough to check by hand."""

from __future__ import annotations

from dataclasses import replace
from math import nextafter
from typing import Any

import pytest

from policy.engine.breakpoints import Axis, Breakpoints, breakpoints
from policy.engine.profile import Thresholds

BASE = Thresholds()
AXES = (Axis.of("restriction", [0.9]), Axis.of("task_match", [0.4, None]))


def decide(cuts: Thresholds) -> dict[str, Any]:
    """Deny from .9 on, ask below .4."""
    return {"status": "deny" if cuts.restriction <= 0.9 else "ask" if cuts.task_match > 0.4 else "allow"}


def under(table: Breakpoints, **cuts: float) -> Any:
    decided = table.at(replace(BASE, **cuts))
    return decided and decided["status"]


def test_a_point_belongs_to_the_cell_below_it() -> None:
    axis = Axis.of("restriction", [0.9, 0.2, 0.9])
    above = nextafter(0.2, 1)
    assert [axis.cell(cut) for cut in (0.0, 0.2, above, 0.9, 1.0)] == [0, 0, 1, 1, 2]
    assert axis.ends == (0.2, 0.9, 1.0)


def test_nothing_lies_above_a_value_of_one() -> None:
    assert Axis.of("skill", [1.0]).ends == (1.0,)
    assert Axis.of("skill", []).ends == (1.0,)


def test_three_thresholds_with_a_value_each_make_eight_cells_at_most() -> None:
    table = breakpoints((*AXES, Axis.of("missing_information", [0.1])), decide, base=BASE)
    assert len(table.tables[0].cells) == 8
    assert len(table.tables[0].decisions) == 3


def test_thresholds_move_together() -> None:
    table = breakpoints(AXES, decide, base=BASE)
    assert under(table, restriction=0.9, task_match=0.9) == "deny"
    assert under(table, restriction=0.91, task_match=0.9) == "ask"
    assert under(table, restriction=0.91, task_match=0.4) == "allow"


def test_pieces_join_cells_that_decide_the_same() -> None:
    table = breakpoints(AXES, decide, base=BASE)
    assert [(each.low, each.high) for each in table.pieces("task_match", BASE)] == [(0.0, 1.0)]
    moved = table.pieces("task_match", replace(BASE, restriction=1.0))
    assert [(each.high, each.decision) for each in moved] == [(0.4, {"status": "allow"}), (1.0, {"status": "ask"})]


def test_too_many_cells_leave_one_threshold_at_a_time() -> None:
    table = breakpoints(AXES, decide, base=BASE, most_cells=3)
    assert not table.joint
    assert under(table, task_match=0.9) == "deny"
    assert under(table, restriction=1.0) == "allow"
    with pytest.raises(ValueError, match="one threshold at a time"):
        table.at(replace(BASE, restriction=1.0, task_match=0.9))


def test_the_wire_form_names_each_decision_once() -> None:
    wire = breakpoints(AXES, decide, base=BASE).to_json()["tables"][0]
    assert [axis["name"] for axis in wire["axes"]] == ["restriction", "task_match"]
    assert [wire["decisions"][cell]["status"] for cell in wire["cells"]] == ["deny", "deny", "allow", "ask"]
