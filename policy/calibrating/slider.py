"""The measured values of a report as compact arrays: what the page needs to decide every case itself, at once.

An assessment is decided from its three values by the rule of the script; every other kind has a small table of the
engine's own decisions for each of its cells.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

from policy.calibrating.marks import KINDS, marks
from policy.calibrating.set_pages import told as told_of
from policy.calibration import measured, report_choices
from policy.calibration.measured import Reading
from policy.calibration.measured_choices import ROUTE, SELECTION, SKILL
from policy.calibration.report import Report
from policy.engine.profile import Thresholds

CALL = ("deny", "ask", "allow", "hold")
# A case with more cells than this is told as not measured instead of making the page wait.
MOST_CELLS = 4096


@dataclass(slots=True)
class _Words:
    """Decisions and labels as small numbers."""

    known: dict[str, int]

    def number(self, word: str) -> int:
        return self.known.setdefault(word, len(self.known))


def data(report: Report, readings: Sequence[Reading], base: Thresholds) -> dict[str, Any]:
    """Everything that the page decides from, case by case in the order of the report."""
    words = _Words({word: place for place, word in enumerate(CALL)} if report.kind == "assessment" else {})
    names = [axis.name for axis in report.axes]
    about = {each.fixture.id: told_of(each) for each in measured.first(readings, KINDS[report.kind])}
    told: dict[str, Any] = {
        "kind": report.kind,
        "axes": names,
        "current": dict(report.current.thresholds),
        "ids": [case.id for case in report.cases],
        "titles": [about.get(case.id, "") for case in report.cases],
        "labels": [words.number(case.label) for case in report.cases],
        "marks": {
            name: {"values": each.values.tolist(), "reach": each.reach.tolist()}
            for name, each in marks(report, readings).items()
        },
    }
    if report.menu is not None:
        told["current"]["confidence"] = base.confidence
        told["menu"] = {"recall": report.menu.recall, "size": report.menu.size}
    if report.kind == "assessment":
        told["values"] = [[case.values[name][0] for case in report.cases] for name in names]
    else:
        told["cells"] = cells(report, readings, base, words.number)
    return {**told, "words": list(words.known)}


def cells(report: Report, readings: Sequence[Reading], base: Thresholds, number: Any) -> list[dict[str, Any] | None]:
    """Per case the rising values on each axis, and the engine's decision in every cell between them."""
    if report.kind == "rows":
        yes, no = number("yes"), number("no")
        return [{"points": [[case.values["threshold"][0]]], "cells": [yes, no]} for case in report.cases]
    names, decide = _engine(report.kind, readings, base)
    return [_table(case.values, names, decide[case.id], number) for case in report.cases]


def _engine(kind: str, readings: Sequence[Reading], base: Thresholds) -> tuple[tuple[str, ...], Mapping[str, Any]]:
    wanted, names = KINDS[kind], {"selection": SELECTION, "skill": SKILL}.get(kind, ROUTE)
    found, used = measured.choices(measured.first(readings, wanted), wanted)
    ids = [each.fixture.id for each in used]
    make: Any = {"selection": report_choices.selections, "skill": report_choices.skills}.get(
        kind, report_choices.routes
    )
    judged = make(ids, found, base).judged
    return names, {each.id: each.decided for each in judged}


def _table(
    values: Mapping[str, Sequence[float]], names: Sequence[str], decide: Any, number: Any
) -> dict[str, Any] | None:
    points = [sorted(set(values[name])) for name in names]
    ends = [each if each and each[-1] >= 1 else [*each, 1.0] for each in points]
    if prod(len(each) for each in ends) > MOST_CELLS:
        return None
    return {"points": points, "cells": [number(decide(at)) for at in product(*ends)]}
