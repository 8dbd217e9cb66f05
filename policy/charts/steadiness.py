"""Charts of how steady answers are: the noise of repeats, and the order of the options."""

from __future__ import annotations

from collections.abc import Sequence

from policy.calibration.stability import Noise, Turned
from policy.charts.chart import Chart, Figure, axis, layout, percent, share_axis, token, written


def noise(found: Sequence[Noise]) -> Chart | None:
    """How far answers to the same request lie apart, question by question; None where nothing was repeated."""
    if not found:
        return None
    names = [each.question.replace("_", " ") for each in found]
    most = max(found, key=lambda each: each.most)
    title = (
        "Asked again, the judge answers the same"
        if not most.most
        else f"Asked again, answers lie up to {most.most:.2f} apart"
    )
    traces = [
        _bars(names, [each.mean for each in found], "mean", "ink"),
        _bars(names, [each.most for each in found], "most", "quiet"),
    ]
    frame = layout(axis(""), axis("highest less lowest", rangemode="tozero"), barmode="group", showlegend=True)
    rows = tuple((each.question, str(each.fixtures), written(each.mean, 3), written(each.most, 3)) for each in found)
    return Chart("noise", title, {"data": traces, "layout": frame}, ("question", "cases", "mean", "most"), rows)


def orders(found: Sequence[Turned]) -> Chart | None:
    """How many choices change when the options come in another order; None where that was not checked."""
    compared = [each for each in found if each.compared]
    if not compared:
        return None
    changed, whole = sum(each.changed for each in compared), sum(each.compared for each in compared)
    title = (
        f"No choice of {whole} changes with the order of its options"
        if not changed
        else f"{changed} of {whole} choices change with the order of their options"
    )
    shares = [each.changed / each.compared for each in compared]
    trace = _bars([each.order for each in compared], shares, "changed", "ink")
    frame = layout(axis("order"), share_axis("choices that change", rangemode="tozero"))
    rows = tuple(
        (
            each.order,
            str(each.compared),
            str(each.changed),
            percent(each.changed / each.compared),
            written(each.mean, 3),
            ", ".join(each.examples) or "none",
        )
        for each in compared
    )
    head = ("order", "choices", "changed", "share", "mean distance", "for instance")
    return Chart("orders", title, {"data": [trace], "layout": frame}, head, rows)


def _bars(names: Sequence[str], values: Sequence[float], name: str, colour: str) -> Figure:
    return {"type": "bar", "name": name, "x": list(names), "y": list(values), "marker": {"color": token(colour)}}
