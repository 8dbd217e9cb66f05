"""Tools that show logs in another way: counted, sampled, woven into a timeline, followed by a number."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from arena.worlds import dates, records
from arena.worlds.handlers import ToolError, ToolResult, handler
from arena.worlds.sources import shown
from arena.worlds.tools.logs import lines
from arena.worlds.world import Record, World

_REACH_MINUTES = 60
_MOST = 100
_WITH_DIGIT = re.compile(r"[\w.-]*\d[\w.-]*")
_GROUPS: dict[str, Callable[[Record], str]] = {
    "service": lambda line: str(line["service"]),
    "level": lambda line: str(line["level"]),
    "day": lambda line: str(line["at"])[:10],
    "hour": lambda line: str(line["at"])[:13] + ":00Z",
    "message": lambda line: _WITH_DIGIT.sub("#", str(line["message"])),
}
_BY_TIME = ("day", "hour")


@handler("count_log_lines")
def count_log_lines(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Days and hours in their order, other groups the largest first; `of` is the number of lines."""
    found = _found(world, arguments)
    group_by = arguments["group_by"]
    counts = Counter(_GROUPS[group_by](line) for line in found)
    rows = sorted(counts.items()) if group_by in _BY_TIME else sorted(counts.items(), key=lambda row: (-row[1], row[0]))
    groups = [{group_by: name, "count": count} for name, count in rows]
    return ToolResult({"of": len(found), "groups": groups[:_MOST], "group_count": len(groups)})


@handler("sample_log_lines")
def sample_log_lines(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """The first, the last and others at even steps between them; the same call gives the same lines."""
    found, size = _found(world, arguments), arguments["size"]
    if len(found) > size:
        step = (len(found) - 1) / (size - 1) if size > 1 else 0
        chosen = [found[round(number * step)] for number in range(size)] if size > 1 else [found[len(found) // 2]]
    else:
        chosen = found
    return ToolResult({"of": len(found), "lines": chosen})


@handler("log_timeline")
def log_timeline(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Warnings, errors and every deployment around the instant, oldest first; quieter lines stay out."""
    middle = dates.moment(arguments, "around")
    reach = timedelta(minutes=arguments.get("minutes", _REACH_MINUTES))
    span = dates.Span(middle - reach, middle + reach)
    services = arguments.get("services")
    rows = [
        {"at": each["at"], "service": each["service"], "kind": each["level"], "text": each["message"]}
        for each in lines(world, {})
        if each["level"] in ("warn", "error")
    ]
    rows += [
        {"at": each["at"], "service": each["service"], "kind": "deployment", "text": _told(each)}
        for each in world.all("deployments")
    ]
    near = [row for row in rows if span.holds(row["at"]) and (services is None or row["service"] in services)]
    near.sort(key=lambda row: dates.parse(row["at"]))
    return ToolResult({"around": arguments["around"], **records.capped("events", near, _MOST)})


@handler("trace_request")
def trace_request(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Goes by the parts of the reference that hold a digit; words like `order` are left aside."""
    reference = arguments["reference"].strip()
    marks = _WITH_DIGIT.findall(reference)
    if not marks:
        cause = f"The argument reference holds no number: {shown(reference)}"
        raise ToolError(f"{cause}; send the number of a basket, order or deployment.")
    patterns = [re.compile(rf"(?<![\w-]){re.escape(mark)}(?![\w-])", re.IGNORECASE) for mark in marks]
    found = [line for line in lines(world, {}) if all(pattern.search(line["message"]) for pattern in patterns)]
    content = {
        "reference": reference,
        "services": list(dict.fromkeys(line["service"] for line in found)),
        "errors": sum(line["level"] == "error" for line in found),
        **records.capped("lines", found, _MOST),
    }
    return ToolResult(content)


def _found(world: World, arguments: Mapping[str, Any]) -> list[Record]:
    span = dates.span(arguments)
    return [
        line
        for line in lines(world, arguments)
        if span.holds(line["at"]) and records.holds(arguments.get("text", ""), [line["message"]])
    ]


def _told(deployment: Record) -> str:
    version = f"{deployment['id']}: version {deployment['version']} to {deployment['environment']}"
    return f"{version}, {deployment['state'].replace('_', ' ')}"
