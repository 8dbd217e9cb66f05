"""Tools on the history of the code base: one commit, the past of one file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arena.worlds import records, sources
from arena.worlds.handlers import ToolError, ToolResult, handler
from arena.worlds.sources import shown
from arena.worlds.world import Record, World

COMMITS = "commits"
_SHOWN = 10


@handler("show_commit")
def show_commit(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """An id may be cut short as long as it fits one commit only."""
    wanted = arguments["commit"].strip()
    commits = world.all(COMMITS)
    found = [each for each in commits if each["id"].startswith(wanted)] if wanted else []
    if len(found) > 1:
        fitting = ", ".join(each["id"] for each in found[:5])
        raise ToolError(f"The argument commit fits {len(found)} commits: {shown(wanted)}; add letters: {fitting}.")
    if not found:
        hint = records.near(wanted, [each["id"] for each in commits])
        raise ToolError(f"The argument commit names no commit: {shown(wanted)}; {hint}.")
    return ToolResult(found[0])


@handler("file_history")
def file_history(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Newest first; also for a file that is gone, as long as a commit touched it."""
    path = arguments["path"]
    touching = [each for each in world.all(COMMITS) if path in _paths(each)]
    if not touching:
        # Raises for a path that never existed; what is left is a file older than the history.
        sources.text(world, path)
    newest_first = sorted(touching, key=lambda each: str(each["at"]), reverse=True)
    rows = [{name: each[name] for name in ("id", "at", "author", "message")} for each in newest_first]
    return ToolResult({"path": path, **records.capped("commits", rows, arguments.get("limit", _SHOWN))})


def _paths(commit: Record) -> set[str]:
    return {touched["path"] for touched in commit["files"]}
