"""Charts of one question: how well it separates, whether its probabilities come true, what the unsure ones cost."""

from __future__ import annotations

import numpy as np

from policy.calibration.curves import Hits, hits
from policy.calibration.curves import risk as risk_of
from policy.calibration.measured import Stated
from policy.calibration.reliability import Reliability
from policy.charts.chart import (
    Chart,
    Figure,
    axis,
    curve,
    cut,
    layout,
    percent,
    point,
    see_through,
    share_axis,
    token,
    unit_axis,
    written,
)

MOST_POINTS = 200
MOST_ROWS = 20


def roc(name: str, stated: Stated, at: float | None, *, follows: str = "") -> Chart | None:
    """The receiver operating characteristic; None where one side is empty. A dot follows the slider of `follows`."""
    found = hits(stated.stated, stated.true)
    if found.area is None:
        return None
    kept = _thin(len(found.thresholds))
    true, false = [0.0, *found.recall[kept].tolist()], [0.0, *found.alarm_rate[kept].tolist()]
    traces = [_chance(), curve(false, true, "ROC")]
    if at is not None:
        hit, alarm, _ = _operating(stated, at)
        traces.append(point(alarm, hit, f"in use {cut(at)}", symbol="circle-open"))
    frame = layout(unit_axis("false alarms"), unit_axis("found"))
    word = "separates well" if found.area >= 0.9 else "separates" if found.area >= 0.7 else "hardly separates"
    return Chart(
        f"roc-{name}",
        f"{_word(name)} {word}: area {found.area:.2f} over {len(stated.true)} answers",
        {"data": traces, "layout": frame},
        ("threshold", "found", "false alarms"),
        tuple(
            (cut(found.thresholds[place]), percent(found.recall[place]), percent(found.alarm_rate[place]))
            for place in _some(len(found.thresholds))
        ),
        f"The dashed line is chance. {_dots(at, follows)}".strip(),
        follows=follows,
        height=320,
    )


def precision(name: str, stated: Stated, at: float | None, *, follows: str = "") -> Chart | None:
    """Precision against recall; None where one side is empty."""
    found = hits(stated.stated, stated.true)
    if found.area is None:
        return None
    kept = _thin(len(found.thresholds))
    traces = [curve(found.recall[kept].tolist(), found.precision[kept].tolist(), "precision")]
    base = float(stated.true.mean())
    title = f"{_word(name)}: {percent(base)} are true at all"
    if at is not None:
        hit, _, exact = _operating(stated, at)
        if exact is not None:
            traces.append(point(hit, exact, f"in use {cut(at)}", symbol="circle-open"))
            title = (
                f"{_word(name)} in use at {cut(at)}: {percent(exact)} of what it reports is so, {percent(hit)} is found"
            )
    return Chart(
        f"precision-{name}",
        title,
        {"data": traces, "layout": layout(unit_axis("recall"), unit_axis("precision"))},
        ("threshold", "recall", "precision"),
        _precise(found),
        f"A judge that reports everything has a precision of {percent(base)}. {_dots(at, follows)}".strip(),
        follows=follows,
        height=320,
    )


def reliable(name: str, found: Reliability | None, answers: int) -> Chart | None:
    """Stated against observed, with the band that a perfect judge of the same statements would be in."""
    if found is None:
        return None
    stated = [each.stated for each in found.bins]
    chance: Figure = {
        "type": "scatter",
        "mode": "lines",
        "name": "chance",
        "x": [*stated, *reversed(stated)],
        "y": [*(each.expected[1] for each in found.bins), *(each.expected[0] for each in reversed(found.bins))],
        "fill": "toself",
        "fillcolor": see_through("ink", 13),
        "line": {"width": 0},
        "hoverinfo": "skip",
    }
    bars: Figure = {
        "type": "bar",
        "name": "answers",
        "x": stated,
        "y": [each.rows for each in found.bins],
        "yaxis": "y2",
        "width": 0.02,
        "marker": {"color": token("quiet")},
        "hovertemplate": "%{y} answers<extra></extra>",
    }
    frame = layout(
        unit_axis("stated", anchor="y2"),
        unit_axis("observed", domain=[0.26, 1]),
        yaxis2=axis("answers", domain=[0, 0.18], nticks=2),
    )
    off = "do not come true" if found.miscalibrated else "come true as far as this sample can tell"
    rows = tuple(
        (written(each.stated), written(each.observed), f"{written(each.low)} to {written(each.high)}", str(each.rows))
        for each in found.bins
    )
    return Chart(
        f"reliability-{name}",
        f"The probabilities of {_word(name).lower()} {off}",
        {"data": [_chance(), chance, _observed(found), bars], "layout": frame},
        ("stated", "observed", "95 % interval", "answers"),
        rows,
        _told(found, answers),
        height=380,
    )


def _observed(found: Reliability) -> Figure:
    """How often it was true in each bin, with the exact interval."""
    return {
        "type": "scatter",
        "mode": "markers",
        "name": "observed",
        "x": [each.stated for each in found.bins],
        "y": [each.observed for each in found.bins],
        "text": [f"{each.rows} answers" for each in found.bins],
        "marker": {"size": 9, "color": token("ink")},
        "error_y": {
            "type": "data",
            "symmetric": False,
            "array": [each.high - each.observed for each in found.bins],
            "arrayminus": [each.observed - each.low for each in found.bins],
            "color": token("ink-3"),
            "thickness": 1.5,
        },
        "hovertemplate": "stated %{x:.2f}<br>observed %{y:.2f}<br>%{text}<extra></extra>",
    }


def _told(found: Reliability, answers: int) -> str:
    """The error never stands alone: a perfect judge has one, too."""
    error = f"{written(found.error, 3)} (95 %: {written(found.low, 3)} to {written(found.high, 3)}, debiased)"
    chance = f"{written(found.chance, 3)} on average and up to {written(found.chance_high, 3)} by chance"
    return (
        f"Calibration error {error}. The plain error is {written(found.plain, 3)}; a judge whose statements are all "
        f"true has {chance}. {answers} answers."
    )


def risk(name: str, stated: Stated, at: float | None) -> Chart | None:
    """How often the surest answers are wrong, by the share that is decided; the surest lie farthest from the cut."""
    if at is None or len(stated.true) < 2:
        return None
    found = risk_of(np.abs(stated.stated - at), (stated.stated >= at) == stated.true)
    kept = _thin(len(found.coverage))
    half = float(found.risk[np.searchsorted(found.coverage, 0.5)])
    traces = [curve(found.coverage[kept].tolist(), found.risk[kept].tolist(), "wrong")]
    decided, wrong = share_axis("decided, the surest first", range=[0, 1]), share_axis("wrong", rangemode="tozero")
    # Wide enough at the right for "100%", which Plotly leaves out where it would not fit.
    frame = layout(decided, wrong, margin={"l": 72, "r": 26, "t": 14, "b": 48})
    rows = tuple((percent(found.coverage[place]), percent(found.risk[place])) for place in _some(len(found.coverage)))
    return Chart(
        f"risk-{name}",
        f"{_word(name)}: the surer half is wrong in {percent(half)}, all in {percent(float(found.risk[-1]))}",
        {"data": traces, "layout": frame},
        ("decided", "wrong of these"),
        rows,
        f"Sure is what lies far from the threshold {cut(at)}; the rest would go to a person.",
    )


def _precise(found: Hits) -> tuple[tuple[str, ...], ...]:
    return tuple(
        (cut(found.thresholds[place]), percent(found.recall[place]), percent(found.precision[place]))
        for place in _some(len(found.thresholds))
    )


def _operating(stated: Stated, at: float) -> tuple[float, float, float | None]:
    told = stated.stated >= at
    reached, alarms = int((told & stated.true).sum()), int((told & ~stated.true).sum())
    exact = reached / (reached + alarms) if reached + alarms else None
    return reached / int(stated.true.sum()), alarms / int((~stated.true).sum()), exact


def _dots(at: float | None, follows: str) -> str:
    used = "" if at is None else "The open circle is the threshold in use"
    return (f"{used}, the dot follows the slider." if used and follows else f"{used}.") if used else ""


def _chance() -> Figure:
    line = curve([0, 1], [0, 1], "chance", dash="dash")
    return {**line, "line": {**line["line"], "color": token("quiet"), "width": 1.5}, "hoverinfo": "skip"}


def _thin(size: int) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    return np.unique(np.linspace(0, size - 1, min(size, MOST_POINTS)).astype(np.int64))


def _some(size: int) -> list[int]:
    return [int(place) for place in np.unique(np.linspace(0, size - 1, min(size, MOST_ROWS)).astype(int))]


def _word(name: str) -> str:
    return name.replace("_", " ").capitalize()
