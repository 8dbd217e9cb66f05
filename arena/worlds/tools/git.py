"""Tools on the history of the code base: one commit, commits about something, the past of one file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arena.worlds import dates, history, records, sources, staff
from arena.worlds.handlers import ToolResult, handler
from arena.worlds.world import World

_SHOWN = 10
_BRIEF = ("id", "at", "author", "message")


@handler("show_commit")
def show_commit(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """An id may be cut short as long as it fits one commit only."""
    return ToolResult(history.commit(world, arguments["commit"]))


@handler("find_commits")
def find_commits(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Newest first, one short record per commit."""
    span = dates.span(arguments)
    author = staff.person(world, arguments["author"], argument="author")["id"] if "author" in arguments else None
    found = [
        {name: each[name] for name in _BRIEF}
        for each in reversed(world.all(history.COMMITS))
        if span.holds(each["at"])
        and author in (None, each["author_id"])
        and records.holds(arguments.get("text", ""), [each["message"]])
    ]
    return ToolResult(records.capped("commits", found, arguments.get("limit", _SHOWN)))


@handler("file_history")
def file_history(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Newest first; also for a file that is gone, as long as a commit touched it."""
    path = arguments["path"]
    touching = [each for each in world.all(history.COMMITS) if path in history.paths(each)]
    if not touching:
        # Raises for a path that never existed; what is left is a file older than the history.
        sources.text(world, path)
    newest_first = sorted(touching, key=lambda each: str(each["at"]), reverse=True)
    rows = [{name: each[name] for name in _BRIEF} for each in newest_first]
    return ToolResult({"path": path, **records.capped("commits", rows, arguments.get("limit", _SHOWN))})
