"""The result of a run as a small table for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.models import Arm, Lane, Run

UNKNOWN = "—"
_HEAD = ("", "arm", "state", "check", "tools", "input tokens", "output tokens", "working", "gate")


def lane_table(run: Run) -> str:
    """One row a lane; estimated counts say so, unknown ones are a dash."""
    lanes = list(run.lanes.all())
    note = (
        "\nThe judge is included in what the selected lane used."
        if Arm.SELECTED in {lane.arm for lane in lanes}
        else ""
    )
    return _aligned([_HEAD, *(_row(lane) for lane in lanes)]) + note


def _row(lane: Lane) -> tuple[str, ...]:
    measured = lane.metrics.get("measured", {})
    check = {None: "not run", True: "passed", False: "not passed"}[lane.passed]
    return (
        lane.letter,
        lane.arm,
        lane.state,
        check,
        _count(measured.get("tools_exposed")),
        _count(measured.get("input_tokens")),
        _count(measured.get("output_tokens")),
        _time(measured.get("working_ms")),
        _gate(lane, measured.get("gate_coverage")),
    )


def _gate(lane: Lane, coverage: dict[str, Any] | None) -> str:
    """How the gate stood, and the share of executed calls that it saw."""
    if lane.gate == "off":
        return "off"
    known = coverage is not None and coverage["value"] is not None
    return f"{lane.gate} {coverage['value']:.0%}" if known and coverage else f"{lane.gate} {UNKNOWN}"


def _time(metric: dict[str, Any] | None) -> str:
    if metric is None or metric["value"] is None:
        return UNKNOWN
    return f"{'≥ ' if metric['at_least'] else ''}{metric['value'] / 1000:.2f} s"


def _count(metric: dict[str, Any] | None) -> str:
    if metric is None or metric["value"] is None:
        return UNKNOWN
    bound = "≥ " if metric["at_least"] else ""
    return f"{bound}{metric['value']:,.0f}" + (" est." if metric["source"] == "estimated" else "")


def _aligned(rows: Sequence[tuple[str, ...]]) -> str:
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEAD))]
    lines = []
    for row in rows:
        cells = [
            cell.rjust(width) if column >= 4 else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)
