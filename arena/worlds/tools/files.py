"""Tools that look at one file: read it or some lines of it, list a folder, count, compare two."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any

from arena.worlds import sources
from arena.worlds.handlers import ToolError, ToolResult, handler
from arena.worlds.world import World

MAX_LINES = 200


@handler("read_file")
def read_file(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    path = arguments["path"]
    return ToolResult({"path": path, "content": sources.text(world, path), "source": f"world {world.name}"})


@handler("read_lines")
def read_lines(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Lines count from 1, both ends belong to the excerpt; past the end of the file it just stops."""
    path, first, last = arguments["path"], arguments["first"], arguments["last"]
    lines = sources.text(world, path).splitlines()
    if last < first:
        raise ToolError(f"The argument last is {last} and lies before first, {first}; exchange the two.")
    if first > len(lines):
        raise ToolError(f"The argument first is {first}, but {path} has {len(lines)} lines; send at most {len(lines)}.")
    if last - first >= MAX_LINES:
        raise ToolError(f"The excerpt has {last - first + 1} lines; ask for at most {MAX_LINES} at once.")
    excerpt = [{"line": number, "text": lines[number - 1]} for number in range(first, min(last, len(lines)) + 1)]
    return ToolResult({"path": path, "of": len(lines), "lines": excerpt})


@handler("list_directory")
def list_directory(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Direct members only; a directory without files of its own still shows its subdirectories."""
    prefix = sources.directory_prefix(arguments["directory"])
    names = [path.removeprefix(prefix) for path in sources.below(world, arguments["directory"])]
    return ToolResult(
        {
            "directory": prefix.rstrip("/") or ".",
            "directories": sorted({name.split("/")[0] for name in names if "/" in name}),
            "files": [name for name in names if "/" not in name],
        }
    )


@handler("file_stats")
def file_stats(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    path = arguments["path"]
    content = sources.text(world, path)
    lines = content.splitlines()
    return ToolResult(
        {
            "path": path,
            "lines": len(lines),
            "blank_lines": sum(not line.strip() for line in lines),
            "longest_line": max((len(line) for line in lines), default=0),
            "characters": len(content),
            "bytes": len(content.encode()),
        }
    )


@handler("compare_files")
def compare_files(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    left, right = arguments["left"], arguments["right"]
    before = sources.text(world, left, argument="left").splitlines()
    after = sources.text(world, right, argument="right").splitlines()
    diff = list(difflib.unified_diff(before, after, left, right, lineterm=""))
    return ToolResult(
        {
            "left": left,
            "right": right,
            "identical": not diff,
            "only_left": sum(line.startswith("-") for line in diff[2:]),
            "only_right": sum(line.startswith("+") for line in diff[2:]),
            "diff": "\n".join(diff),
        }
    )
