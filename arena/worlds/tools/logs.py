"""Tools on the logs of the services: search them, erase old lines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arena.worlds import dates, records
from arena.worlds.handlers import ToolError, ToolResult, handler
from arena.worlds.sources import shown
from arena.worlds.world import Effect, Record, World

LOGS = "logs"


@handler("search_logs")
def search_logs(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Oldest first; `of` counts every hit, also those that the limit leaves out."""
    span = dates.span(arguments)
    found = [
        line
        for line in lines(world, arguments)
        if span.holds(line["at"]) and records.holds(arguments.get("text", ""), [line["message"]])
    ]
    return ToolResult(records.capped("lines", found, arguments.get("limit", 20)))


@handler("purge_logs")
def purge_logs(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    before = dates.moment(arguments, "before")
    if before > dates.parse(world.now):
        cause = f"The argument before lies in the future: {shown(arguments['before'])}"
        raise ToolError(f"{cause}; name a day up to {world.now[:10]}.")
    doomed = [line["id"] for line in lines(world, arguments) if dates.parse(line["at"]) < before]
    content = {"deleted": len(doomed), "before": arguments["before"], "left": len(world.all(LOGS)) - len(doomed)}
    return ToolResult(content, tuple(Effect("delete", LOGS, key, {}) for key in doomed))


def lines(world: World, arguments: Mapping[str, Any]) -> list[Record]:
    """The lines of the wanted service and level, oldest first; raises ToolError for a service that never wrote one."""
    everything = world.all(LOGS)
    wanted = {name: arguments[name] for name in ("service", "level") if name in arguments}
    services = sorted({line["service"] for line in everything})
    if "service" in wanted and wanted["service"] not in services:
        cause = f"The argument service names no service with logs: {shown(wanted['service'])}"
        raise ToolError(f"{cause}; use one of {', '.join(services)}.")
    return [line for line in everything if wanted.items() <= line.items()]
