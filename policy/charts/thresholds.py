"""Charts along thresholds: measured scores by label, agreement with its interval, agreement over two thresholds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from policy.calibration.cuts import Floats
from policy.calibration.intervals import wilson
from policy.calibration.region import Mask
from policy.calibration.reliability import Truth
from policy.calibration.report import AxisReport, Report
from policy.calibration.verdicts import Standing
from policy.charts.chart import (
    Chart,
    Figure,
    axis,
    band,
    curve,
    cut,
    layout,
    percent,
    see_through,
    share_axis,
    token,
    unit_axis,
)

BINS = 25
MOST_POINTS = 600
MOST_ROWS = 21


@dataclass(frozen=True, slots=True)
class Marks:
    """What one threshold is compared with: measured values, and whether each belongs above it."""

    values: Floats
    reach: Truth


def name_of(threshold: str) -> str:
    return threshold.replace("_", " ")


def scores(report: Report, threshold: str, marks: Marks) -> Chart:
    """Bars of measured values, upwards for those that should reach the threshold, and every value as a mark.

    Those on their own side of the threshold are neutral; the script colours the others as it moves.
    """
    at = report.current.thresholds[threshold]
    counts = {
        (up, right): np.histogram(
            marks.values[(marks.reach == up) & (((marks.values >= at) == up) == right)], BINS, (0, 1)
        )[0]
        for up in (True, False)
        for right in (True, False)
    }
    middles = [(place + 0.5) / BINS for place in range(BINS)]
    traces = [_bars(middles, many, *key) for key, many in counts.items()]
    traces += [_strip(marks.values[marks.reach == up], up) for up in (True, False)]
    height = max(int((counts[up, True] + counts[up, False]).max()) for up in (True, False))
    one = _axis(report, threshold)
    frame = layout(
        unit_axis(f"measured {name_of(threshold)}", anchor="y2"),
        axis("values", domain=[0.2, 1], range=[-height * 1.08, height * 1.08], nticks=6, automargin=False),
        barmode="relative",
        bargap=0.08,
        shapes=_shades(one),
        yaxis2=axis(
            "",
            domain=[0, 0.16],
            range=[-0.6, 1.6],
            tickvals=[0, 1],
            ticktext=["below", "above"],
            showgrid=False,
            automargin=False,
        ),
    )
    edges = zip(middles, *counts.values(), strict=True)
    rows = tuple(
        (f"{cut(at - 0.5 / BINS)} to {cut(at + 0.5 / BINS)}", str(a + b), str(c + d), str(b + d))
        for at, a, b, c, d in edges
    )
    ups = int(marks.reach.sum())
    return Chart(
        f"scores-{threshold}",
        f"{ups} values belong above the threshold, {len(marks.reach) - ups} below",
        {"data": traces, "layout": frame},
        ("measured", "belong above", "belong below", "wrong side now"),
        rows,
        "Bars upwards belong above the threshold, downwards below; hatched: on the wrong side. Below: a mark a value.",
        line=threshold,
        height=340,
    )


def agreement(report: Report, threshold: str) -> Chart:
    """Agreement with the labels at every value of one threshold, the others at the proposal."""
    one = _axis(report, threshold)
    cases = report.proposal.cases
    rates = [agreed / cases for agreed in one.curve]
    ends = [wilson(rate, cases) for rate in rates]
    low, high = [end[0] for end in ends], [end[1] for end in ends]
    outline: Figure = {
        "type": "scatter",
        "mode": "lines",
        "name": "95 % interval",
        "x": [*one.cuts, *reversed(one.cuts)],
        "y": [*high, *reversed(low)],
        "fill": "toself",
        "fillcolor": see_through("ink", 13),
        "line": {"width": 0},
        "hoverinfo": "skip",
    }
    frame = layout(
        unit_axis("threshold" if threshold == "threshold" else f"threshold {name_of(threshold)}"),
        share_axis("agreement", range=[max(min(low) - 0.02, 0), min(max(high) + 0.02, 1)], automargin=False),
        shapes=[*_shades(one), *_together(one)],
    )
    line = curve(one.cuts, rates, "agreement", shape="vh")
    rows = tuple(
        (cut(one.cuts[at]), percent(rates[at]), f"{percent(low[at])} to {percent(high[at])}", str(one.curve[at]))
        for at in _some(len(one.cuts))
    )
    return Chart(
        f"agreement-{threshold}",
        finding(report, one),
        {"data": [outline, line], "layout": frame},
        ("threshold", "agreement", "95 % interval", f"of {cases}"),
        rows,
        _shaded(one),
        line=threshold,
    )


def heat(report: Report, *, across: str, up: str) -> Chart | None:
    """Agreement over two thresholds, any other one at the proposal; None where there are no two."""
    names = [each.name for each in report.axes]
    if report.grid is None or across not in names or up not in names:
        return None
    fixed = {
        each.name: int(np.argmin(np.abs(np.array(each.cuts) - report.proposal.thresholds[each.name])))
        for each in report.axes
    }
    place = tuple(slice(None) if name in (across, up) else fixed[name] for name in names)
    table = np.asarray(report.grid[place], dtype=float) / report.proposal.cases
    table = table if names.index(up) < names.index(across) else table.T
    cuts = _axis(report, across).cuts
    # Every second line is enough for a picture of this size, and a fifth of the way for a table.
    picture = np.round(table[::2, ::2], 4)
    trace: Figure = {
        "type": "heatmap",
        "x": list(cuts[::2]),
        "y": list(cuts[::2]),
        "z": picture.tolist(),
        "colorscale": [[0, token("grid")], [1, token("ink")]],
        "colorbar": {"tickformat": ".0%", "thickness": 10, "outlinewidth": 0},
        "hovertemplate": f"{name_of(across)} %{{x:.2f}}<br>{name_of(up)} %{{y:.2f}}<br>%{{z:.1%}}<extra></extra>",
    }
    near = None if report.near_mask is None else np.asarray(report.near_mask[place])
    if near is not None and names.index(up) > names.index(across):
        near = near.T
    lines = range(0, 101, 20)
    rows = tuple((cut(cuts[y]), *(percent(float(table[y, x])) for x in lines)) for y in lines)
    return Chart(
        f"heat-{across}-{up}",
        _dependence(table, across, up),
        {
            "data": [trace, *_outline(near, cuts)],
            "layout": layout(unit_axis(name_of(across)), unit_axis(name_of(up))),
        },
        (f"{name_of(up)} \\ {name_of(across)}", *(cut(cuts[x]) for x in lines)),
        rows,
        f"The stronger the tone, the more agreement. The ring is the point that is chosen now.{_enclosed(near)}",
        cross=(across, up),
        height=360,
    )


def finding(report: Report, one: AxisReport) -> str:
    """What the agreement curve shows, in a sentence; no value is named where none may be recommended."""
    low, high = one.separation.first, one.separation.last
    if not one.identified:
        return f"{name_of(one.name).capitalize()} is not identified by this set: moving it changes no agreement"
    if one.verdict.standing is Standing.REFUSED:
        return f"No value of {name_of(one.name)} can be recommended from these labels"
    best = report.proposal.thresholds[one.name]
    if low == high:
        return f"{cut(best)} agrees best, and this sample separates it from every other value"
    return f"{cut(best)} agrees best, but anything from {cut(low)} to {cut(high)} does as well on this sample"


def _axis(report: Report, threshold: str) -> AxisReport:
    return next(each for each in report.axes if each.name == threshold)


def _shades(one: AxisReport) -> list[Figure]:
    apart = band(one.separation.first, one.separation.last, 10)
    # Where nothing may be recommended no value is marked as the best.
    return [apart] if one.verdict.standing is Standing.REFUSED else [apart, band(*one.best_range, 12)]


def _together(one: AxisReport) -> list[Figure]:
    """A bar along the axis: the values of all combinations that cannot be told from the best one."""
    if one.near_range is None or one.verdict.standing is Standing.REFUSED:
        return []
    low, high = one.near_range
    return [{**band(low, max(high, low + 0.004), 55), "y1": 0.025}]


def _shaded(one: AxisReport) -> str:
    said = "Shaded: values that this sample cannot separate from the best; darker: those that agree best."
    return f"{said} Bar below: the same with all thresholds moving together." if _together(one) else said


def _outline(near: Mask | None, cuts: Sequence[float]) -> list[Figure]:
    """The edge of the combinations that cannot be told from the best one, in blocks of two lines as the picture."""
    if near is None or near.all() or not near.any():
        return []
    rows, columns = (range(0, side, 2) for side in near.shape)
    blocks = np.logical_or.reduceat(np.logical_or.reduceat(near, rows, axis=0), columns, axis=1)
    return [
        {
            "type": "contour",
            "x": list(cuts[::2]),
            "y": list(cuts[::2]),
            "z": blocks.astype(int).tolist(),
            "contours": {"start": 0.5, "end": 0.5, "size": 1, "coloring": "none"},
            "line": {"color": token("ask-mark"), "width": 2, "dash": "dash", "smoothing": 0},
            "showscale": False,
            "hoverinfo": "skip",
        }
    ]


def _enclosed(near: Mask | None) -> str:
    if near is None:
        return ""
    if near.all():
        return " This sample can tell no point of it from the best."
    return " Within the dashed line this sample cannot tell a point from the best."


def _bars(middles: Sequence[float], counts: Iterable[int], up: bool, right: bool) -> Figure:
    colour = ("ink" if up else "quiet") if right else ("bad-mark" if up else "ask-mark")
    name = f"{'above' if up else 'below'}, {'decided right' if right else 'decided wrong'}"
    sign = 1 if up else -1
    marker: Figure = {"color": token(colour)}
    if not right:
        # Wrong ones are hatched, too: they are seen without any colour.
        marker["pattern"] = {
            "shape": "/" if up else "\\",
            "fgcolor": token("panel"),
            "size": 6,
            "solidity": 0.25,
            "fillmode": "overlay",
        }
    return {
        "type": "bar",
        "name": name,
        "x": list(middles),
        "y": [sign * int(count) for count in counts],
        "marker": marker,
        "hovertemplate": "%{x:.2f}: %{y}<extra>%{fullData.name}</extra>",
    }


def _strip(values: Floats, up: bool) -> Figure:
    shown = np.sort(values)[:: max(len(values) // MOST_POINTS, 1)].tolist()
    symbol, colour = ("line-ns-open", "ink") if up else ("circle-open", "quiet")
    return {
        "type": "scatter",
        "mode": "markers",
        "name": "above" if up else "below",
        "xaxis": "x",
        "yaxis": "y2",
        "x": shown,
        # Spread by their place, so that the same page is drawn the same way.
        "y": [(1 if up else 0) + 0.35 * ((place * 7) % 11 - 5) / 5 for place in range(len(shown))],
        "marker": {"symbol": symbol, "size": 6, "color": token(colour)},
        "hovertemplate": "%{x:.2f}<extra></extra>",
    }


def _some(size: int) -> range:
    return range(0, size, max((size - 1) // (MOST_ROWS - 1), 1))


def _dependence(table: np.ndarray[tuple[int, ...], np.dtype[np.float64]], across: str, up: str) -> str:
    """Whether the best value of one threshold moves with the other, by the best columns of the rows near the top."""
    rows = table[table.max(axis=1) >= table.max() - 0.02]
    best = [np.flatnonzero(row >= row.max() - 1e-9) for row in rows]
    low, high = max(int(each[0]) for each in best), min(int(each[-1]) for each in best)
    if low <= high:
        return f"{name_of(across).capitalize()} and {name_of(up)} hardly depend on each other"
    return f"The best {name_of(across)} depends on {name_of(up)}: choose them together"
