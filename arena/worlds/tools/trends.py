"""Tools that read something out of measured series: a change, a connection, a jump, a trend; and a watch on one."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import datetime, timedelta
from statistics import fmean
from typing import Any

from arena.worlds import dates, records, staff
from arena.worlds.handlers import ToolError, ToolResult, handler
from arena.worlds.tools.metrics import Point, named, within
from arena.worlds.world import Effect, World

ALERT_RULES = "alert_rules"
_TREND_POINTS = 10
_FEWEST_COMMON = 3
_FEWEST_PER_SIDE = 3
_FARTHEST = timedelta(days=365)
_CLEAR_SPREADS = 2
_SHARE_AT_ONCE = 0.5


@handler("compare_timespans")
def compare_timespans(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Means of both stretches; the change is told against the first one."""
    series = named(world, arguments)
    first, second = (
        _values(within(series, dates.span(arguments, f"{name}_since", f"{name}_until"))) for name in ("first", "second")
    )
    before, after = fmean(first), fmean(second)
    content = {
        "metric": series["id"],
        "unit": series["unit"],
        "first": {"mean": round(before, 2), "of": len(first)},
        "second": {"mean": round(after, 2), "of": len(second)},
        "difference": round(after - before, 2),
        "change_percent": round((after - before) / abs(before) * 100, 1) if before else None,
    }
    return ToolResult(content)


@handler("correlate_metrics")
def correlate_metrics(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Only instants at which both were measured count."""
    left, right = named(world, arguments, "left"), named(world, arguments, "right")
    if left["id"] == right["id"]:
        raise ToolError(f"The arguments left and right are both {left['id']}; name two series.")
    span = dates.span(arguments)
    values = {point["at"]: float(point["value"]) for point in within(left, span)}
    pairs = [(values[each["at"]], float(each["value"])) for each in within(right, span) if each["at"] in values]
    if len(pairs) < _FEWEST_COMMON:
        cause = f"The series {left['id']} and {right['id']} have {len(pairs)} instants in common in this time"
        raise ToolError(f"{cause}; at least {_FEWEST_COMMON} are needed, so choose a longer time or another pair.")
    coefficient = _pearson(pairs)
    content = {"left": left["id"], "right": right["id"], "of": len(pairs), "coefficient": coefficient}
    return ToolResult({**content, "reading": _reading(coefficient)})


@handler("find_jump")
def find_jump(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """The split that separates two levels best; `clear` tells whether it is a step and no slope or noise."""
    series = named(world, arguments)
    points = within(series, dates.span(arguments))
    if len(points) < 2 * _FEWEST_PER_SIDE:
        cause = f"The series {series['id']} has {len(points)} points in this time"
        raise ToolError(f"{cause}; at least {2 * _FEWEST_PER_SIDE} are needed, so choose a longer time.")
    values = _values(points)
    places = range(_FEWEST_PER_SIDE, len(values) - _FEWEST_PER_SIDE + 1)
    place = max(places, key=lambda at: _separation(values[:at], values[at:]))
    before, after = values[:place], values[place:]
    step = fmean(after) - fmean(before)
    content = {
        "metric": series["id"],
        "unit": series["unit"],
        "last_before": points[place - 1]["at"],
        "first_after": points[place]["at"],
        "mean_before": round(fmean(before), 2),
        "mean_after": round(fmean(after), 2),
        "clear": _is_clear(before, after, step),
    }
    return ToolResult(content)


@handler("forecast_metric")
def forecast_metric(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """A straight line through the newest points; nothing is promised beyond a year."""
    series, level = named(world, arguments), arguments["level"]
    points = series["points"][-arguments.get("last_points", _TREND_POINTS) :]
    instants = [dates.parse(point["at"]) for point in points]
    hours = [(instant - instants[-1]) / timedelta(hours=1) for instant in instants]
    slope, newest = _line(hours, _values(points))
    content = {
        "metric": series["id"],
        "unit": series["unit"],
        "last": points[-1],
        "level": level,
        "change_per_day": round(slope * 24, 2),
        "from_points": len(points),
    }
    reached = _reached(instants[-1], newest, slope, level)
    return ToolResult({**content, "reached_at": reached.strftime("%Y-%m-%dT%H:%M:%SZ") if reached else None})


@handler("set_alert_rule")
def set_alert_rule(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    series = named(world, arguments)
    person = staff.person(world, arguments["notify"], argument="notify")
    wanted = {"metric": series["id"], "condition": arguments["condition"], "threshold": arguments["threshold"]}
    twin = next((each for each in world.all(ALERT_RULES) if wanted.items() <= each.items()), None)
    if twin is not None:
        raise ToolError(f"The rule {twin['id']} watches exactly this already; leave it, or choose another threshold.")
    rule = {
        "id": records.following_id(world, ALERT_RULES, "al_"),
        **wanted,
        "unit": series["unit"],
        "notify": person["id"],
        "at": world.now,
        "by": "agent",
    }
    sets_off = _beyond(rule["condition"], float(series["points"][-1]["value"]), rule["threshold"])
    return ToolResult({**rule, "sets_off_now": sets_off}, (Effect("create", ALERT_RULES, str(rule["id"]), rule),))


def _values(points: list[Point]) -> list[float]:
    return [float(point["value"]) for point in points]


def _pearson(pairs: list[tuple[float, float]]) -> float | None:
    """From -1 to 1; None where one of the two never changes."""
    left, right = fmean(one for one, _ in pairs), fmean(other for _, other in pairs)
    together = sum((one - left) * (other - right) for one, other in pairs)
    alone = math.sqrt(sum((one - left) ** 2 for one, _ in pairs) * sum((other - right) ** 2 for _, other in pairs))
    return round(together / alone, 3) if alone else None


def _reading(coefficient: float | None) -> str:
    if coefficient is None:
        return "one of the two never changes, so nothing can be said"
    strength = next(
        word for least, word in ((0.7, "strong"), (0.4, "moderate"), (0.0, "weak")) if abs(coefficient) >= least
    )
    return f"{strength}, {'in the same direction' if coefficient >= 0 else 'in opposite directions'}"


def _separation(before: list[float], after: list[float]) -> float:
    """How much of the variance the split explains."""
    weight = len(before) * len(after) / (len(before) + len(after))
    return weight * (fmean(after) - fmean(before)) ** 2


def _is_clear(before: list[float], after: list[float], step: float) -> bool:
    """Far more than the values usually vary, and most of it between two neighbouring points."""
    at_once = abs(after[0] - before[-1])
    return abs(step) > _CLEAR_SPREADS * _spread(before, after) and at_once > abs(step) * _SHARE_AT_ONCE


def _spread(before: list[float], after: list[float]) -> float:
    """The usual distance of a value from the mean of its own side."""
    squares = [(value - fmean(side)) ** 2 for side in (before, after) for value in side]
    return math.sqrt(fmean(squares))


def _line(hours: list[float], values: list[float]) -> tuple[float, float]:
    """Slope per hour and value at hour 0 of the line with the least squares."""
    middle, mean = fmean(hours), fmean(values)
    squares = sum((hour - middle) ** 2 for hour in hours)
    slope = sum((hour - middle) * (value - mean) for hour, value in zip(hours, values, strict=True)) / squares
    return slope, mean - slope * middle


def _reached(last: datetime, newest: float, slope: float, level: float) -> datetime | None:
    """When the line meets the level after the last point, if it does within a year."""
    if slope == 0 or (level - newest) / slope < 0:
        return None
    hours = (level - newest) / slope
    return last + timedelta(hours=hours) if hours <= _FARTHEST / timedelta(hours=1) else None


def _beyond(condition: str, value: float, threshold: float) -> bool:
    return value > threshold if condition == "above" else value < threshold
