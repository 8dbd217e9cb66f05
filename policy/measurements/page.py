"""The report as one HTML file that needs nothing else: tables, and curves drawn as SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.template.loader import render_to_string

from policy.calibration.overall import Overall
from policy.calibration.report import AxisReport, CaseReport, Menu, Report
from policy.calibration.verdicts import Standing

WIDTH, HEIGHT = 560, 160
MOST_CASES = 300


@dataclass(frozen=True, slots=True)
class Curve:
    """Agreement along one threshold, in the coordinates of the drawing; `finding` is its title."""

    axis: AxisReport
    finding: str
    points: str
    low: int
    high: int
    together: tuple[float, float] | None
    shaded: tuple[float, float]
    best: tuple[float, float]
    now_at: float
    then_at: float
    then: float | None
    proposed: str
    rows: tuple[tuple[float, int], ...]


@dataclass(frozen=True, slots=True)
class MenuCurve:
    """What `confidence` of tools does to menus: recall and size along it, `tall` the size at the top of the drawing."""

    menu: Menu
    finding: str
    recall: str
    size: str
    tall: float
    then_at: float
    rows: tuple[tuple[float, float, int, float], ...]


@dataclass(frozen=True, slots=True)
class Part:
    """One report of the file."""

    name: str
    report: Report
    curves: tuple[Curve, ...]
    menu: MenuCurve | None
    wrong: tuple[CaseReport, ...]
    nearest: tuple[CaseReport, ...]
    labels: tuple[str, ...]
    confusion: tuple[tuple[str, tuple[int, ...]], ...]


def html(document: Mapping[str, Any], found: Mapping[str, Report], thresholds: Sequence[Overall]) -> str:
    """The whole file; what a judge or a fixture says is escaped."""
    context = {
        "told": document,
        "parts": [_part(name, report) for name, report in found.items()],
        "thresholds": thresholds,
        "width": WIDTH,
        "height": HEIGHT,
        "most": MOST_CASES,
    }
    return render_to_string("policy/calibration_report.html", context)


def _part(name: str, report: Report) -> Part:
    labels = tuple(dict.fromkeys(each.label for each in report.current.confusion))
    decisions = tuple(dict.fromkeys(each.decision for each in report.current.confusion))
    counted = {(each.decision, each.label): each.cases for each in report.current.confusion}
    return Part(
        name=name,
        report=report,
        curves=tuple(_curve(axis, report) for axis in report.axes),
        menu=None if report.menu is None else _menu(report.menu),
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
    apart, refused = axis.separation, axis.verdict.standing is Standing.REFUSED
    return Curve(
        axis=axis,
        finding=_finding(axis),
        points=_line(axis.cuts, [(agreed - low) / tall for agreed in axis.curve]),
        low=low,
        high=high,
        together=None if axis.near_range is None else _span(*axis.near_range),
        shaded=_span(apart.first, apart.last),
        best=_span(*axis.best_range),
        now_at=now * WIDTH,
        then_at=then * WIDTH,
        then=None if refused else then,
        proposed=f"Now {now:.2f}, proposed {'nothing: a recommendation is refused' if refused else f'{then:.2f}'}.",
        rows=tuple(zip(axis.cuts[::10], axis.curve[::10], strict=True)),
    )


def _menu(menu: Menu) -> MenuCurve:
    tall = max(*menu.size, 1.0)
    columns = (menu.cuts, menu.recall, menu.complete, menu.size)
    best = max(menu.recall)
    finding = (
        f"confidence: {menu.smallest:.2f} is the lowest value with the best recall of expected tools, {best:.0%}"
        if menu.identified
        else "confidence is not identified by this set: moving it changes no menu"
    )
    return MenuCurve(
        menu=menu,
        finding=finding,
        recall=_line(menu.cuts, menu.recall),
        size=_line(menu.cuts, [each / tall for each in menu.size]),
        tall=tall,
        then_at=menu.smallest * WIDTH,
        rows=tuple(zip(*(column[::10] for column in columns), strict=True)),
    )


def _line(cuts: Sequence[float], heights: Sequence[float]) -> str:
    """The points of a drawn line; heights from 0 to 1."""
    return " ".join(
        f"{cut * WIDTH:.1f},{HEIGHT - tall * (HEIGHT - 20) - 10:.1f}" for cut, tall in zip(cuts, heights, strict=True)
    )


def _finding(axis: AxisReport) -> str:
    if not axis.identified:
        return f"{axis.name} is not identified by this set: every value agrees with as many labels"
    apart = axis.separation
    return f"{axis.name}: this sample cannot separate values between {apart.first:.2f} and {apart.last:.2f}"


def _span(first: float, last: float) -> tuple[float, float]:
    """Where a range begins and how wide it is drawn; a single value is still seen."""
    return first * WIDTH, max((last - first) * WIDTH, 2.0)
