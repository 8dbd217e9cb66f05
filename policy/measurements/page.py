"""The report as one HTML file that needs nothing else: tables, and curves drawn as SVG."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.template.loader import render_to_string

from policy.calibration.report import AxisReport, CaseReport, Report
from policy.calibration.verdicts import Standing

WIDTH, HEIGHT = 560, 160
MOST_CASES = 300


@dataclass(frozen=True, slots=True)
class Curve:
    """Agreement along one threshold, in the coordinates of the drawing; `finding` is its title."""

    axis: AxisReport
    finding: str
    points: str
    shaded: tuple[float, float]
    best: tuple[float, float]
    now_at: float
    then_at: float
    then: float | None
    proposed: str
    rows: tuple[tuple[float, int], ...]


@dataclass(frozen=True, slots=True)
class Part:
    """One report of the file."""

    name: str
    report: Report
    curves: tuple[Curve, ...]
    wrong: tuple[CaseReport, ...]
    nearest: tuple[CaseReport, ...]
    labels: tuple[str, ...]
    confusion: tuple[tuple[str, tuple[int, ...]], ...]


def html(document: Mapping[str, Any], found: Mapping[str, Report]) -> str:
    """The whole file; what a judge or a fixture says is escaped."""
    parts = [_part(name, report) for name, report in found.items()]
    context = {"told": document, "parts": parts, "width": WIDTH, "height": HEIGHT, "most": MOST_CASES}
    return render_to_string("policy/calibration_report.html", context)


def _part(name: str, report: Report) -> Part:
    labels = tuple(dict.fromkeys(each.label for each in report.current.confusion))
    decisions = tuple(dict.fromkeys(each.decision for each in report.current.confusion))
    counted = {(each.decision, each.label): each.cases for each in report.current.confusion}
    return Part(
        name=name,
        report=report,
        curves=tuple(_curve(axis, report) for axis in report.axes),
        wrong=tuple(each for each in report.cases if each.now != each.label)[:MOST_CASES],
        nearest=tuple(sorted(report.cases, key=lambda each: each.margin)[:20]),
        labels=labels,
        confusion=tuple(
            (decision, tuple(counted.get((decision, label), 0) for label in labels)) for decision in decisions
        ),
    )


def _curve(axis: AxisReport, report: Report) -> Curve:
    low, high = min(axis.curve), max(axis.curve)
    tall = max(high - low, 1)
    now, then = report.current.thresholds[axis.name], report.proposal.thresholds[axis.name]
    points = " ".join(
        f"{cut * WIDTH:.1f},{HEIGHT - (agreed - low) / tall * (HEIGHT - 20) - 10:.1f}"
        for cut, agreed in zip(axis.cuts, axis.curve, strict=True)
    )
    apart, refused = axis.separation, axis.verdict.standing is Standing.REFUSED
    return Curve(
        axis=axis,
        finding=_finding(axis),
        points=points,
        shaded=_span(apart.first, apart.last),
        best=_span(*axis.best_range),
        now_at=now * WIDTH,
        then_at=then * WIDTH,
        then=None if refused else then,
        proposed=f"Now {now:.2f}, proposed {'nothing: a recommendation is refused' if refused else f'{then:.2f}'}.",
        rows=tuple(zip(axis.cuts[::10], axis.curve[::10], strict=True)),
    )


def _finding(axis: AxisReport) -> str:
    if not axis.identified:
        return f"{axis.name} is not identified by this set: every value agrees with as many labels"
    apart = axis.separation
    return f"{axis.name}: this sample cannot separate values between {apart.first:.2f} and {apart.last:.2f}"


def _span(first: float, last: float) -> tuple[float, float]:
    """Where a range begins and how wide it is drawn; a single value is still seen."""
    return first * WIDTH, max((last - first) * WIDTH, 2.0)
