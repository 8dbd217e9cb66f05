"""Tools that look at whole files: read, list, count, compare."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any

from arena.worlds import sources
from arena.worlds.handlers import ToolResult, handler
from arena.worlds.world import World


@handler("read_file")
def read_file(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    path = arguments["path"]
    return ToolResult({"path": path, "content": sources.text(world, path), "source": f"world {world.name}"})


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
