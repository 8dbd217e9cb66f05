"""The tool that reads measured series: their points, or one figure of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from arena.worlds import dates, records
from arena.worlds.handlers import ToolError, ToolResult, handler
from arena.worlds.sources import shown
from arena.worlds.world import Record, World

METRICS = "metrics"
_POINTS_SHOWN = 60
Point = Mapping[str, Any]
_SINGLE: dict[str, Callable[[list[Point]], Point]] = {
    "min": lambda points: min(points, key=lambda point: float(point["value"])),
    "max": lambda points: max(points, key=lambda point: float(point["value"])),
    "last": lambda points: points[-1],
}


@handler("query_metric")
def query_metric(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    series = named(world, arguments)
    points = within(series, dates.span(arguments))
    head = {"metric": series["id"], "name": series["name"], "unit": series["unit"]}
    return ToolResult({**head, **_figures(points, arguments.get("summary", "points"))})


def _figures(points: list[Point], summary: str) -> dict[str, Any]:
    if summary == "points":
        return records.capped("points", points, _POINTS_SHOWN)
    if summary == "mean":
        mean = round(sum(float(point["value"]) for point in points) / len(points), 2)
        return {"summary": summary, "of": len(points), "value": mean}
    return {"summary": summary, "of": len(points), **_SINGLE[summary](points)}


def named(world: World, arguments: Mapping[str, Any], argument: str = "metric") -> Record:
    """The series that an argument names; raises ToolError with those that there are."""
    series = world.find(METRICS, arguments[argument])
    if series is None:
        known = ", ".join(each["id"] for each in world.all(METRICS))
        raise ToolError(f"The argument {argument} names no series: {shown(arguments[argument])}; use one of {known}.")
    return series


def within(series: Record, span: dates.Span) -> list[Point]:
    """The points of a time, in order; raises ToolError where there are none."""
    points: list[Point] = [point for point in series["points"] if span.holds(point["at"])]
    if not points:
        first, last = series["points"][0]["at"], series["points"][-1]["at"]
        raise ToolError(f"The series {series['id']} has no value in this time; it runs from {first} to {last}.")
    return points
