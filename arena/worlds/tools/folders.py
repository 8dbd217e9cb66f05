"""Tools that look over many files at once: the tree of a folder, its largest files; and two settings files by key."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from arena.worlds import sources
from arena.worlds.handlers import ToolError, ToolResult, handler
from arena.worlds.world import World

_DEPTH = 3
_SHOWN = 5
_INDENT = "  "
_MEASURES: dict[str, Callable[[str], int]] = {
    "lines": lambda text: len(text.splitlines()),
    "characters": len,
    "bytes": lambda text: len(text.encode()),
}


@handler("folder_tree")
def folder_tree(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Folders first, each with the number of files below it; deeper levels are counted, not drawn."""
    prefix = sources.directory_prefix(arguments["directory"])
    names = [path.removeprefix(prefix) for path in sources.below(world, arguments["directory"])]
    content = {
        "directory": prefix.rstrip("/") or ".",
        "files": len(names),
        "folders": len({name.rpartition("/")[0] for name in names if "/" in name}),
        "tree": "\n".join(_drawn(names, 0, arguments.get("depth", _DEPTH))),
    }
    return ToolResult(content)


@handler("largest_files")
def largest_files(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Largest first; equal sizes in the order of paths."""
    measure = arguments.get("measure", "lines")
    texts = sources.below(world, arguments["directory"])
    sizes = sorted(
        ((_MEASURES[measure](text), path) for path, text in texts.items()), key=lambda row: (-row[0], row[1])
    )
    rows = [{"path": path, measure: size} for size, path in sizes[: arguments.get("limit", _SHOWN)]]
    total = sum(size for size, _ in sizes)
    return ToolResult({"of": len(sizes), f"total_{measure}": total, "files": rows})


@handler("compare_settings")
def compare_settings(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Nested keys are written with dots; lists are compared as wholes."""
    left, right = (dict(_settings(world, arguments, name)) for name in ("left", "right"))
    both = [key for key in left if key in right]
    equal = [key for key in both if left[key] == right[key]]
    differing = [{"key": key, "left": left[key], "right": right[key]} for key in both if key not in equal]
    content = {
        "left": arguments["left"],
        "right": arguments["right"],
        "equal": len(equal),
        "different": differing,
        "only_left": {key: left[key] for key in left if key not in right},
        "only_right": {key: right[key] for key in right if key not in left},
    }
    if not arguments.get("only_differences", True):
        content["same"] = {key: left[key] for key in equal}
    return ToolResult(content)


def _drawn(names: list[str], level: int, depth: int) -> Iterator[str]:
    folders = sorted({name.split("/")[0] for name in names if "/" in name})
    for folder in folders:
        below = [name.removeprefix(f"{folder}/") for name in names if name.startswith(f"{folder}/")]
        yield f"{_INDENT * level}{folder}/ ({len(below)})"
        if level + 1 < depth:
            yield from _drawn(below, level + 1, depth)
    yield from (f"{_INDENT * level}{name}" for name in names if "/" not in name)


def _settings(world: World, arguments: Mapping[str, Any], argument: str) -> Iterator[tuple[str, Any]]:
    path = arguments[argument]
    try:
        data = json.loads(sources.text(world, path, argument=argument))
    except json.JSONDecodeError:
        data = None
    if not isinstance(data, dict):
        raise ToolError(
            f"The argument {argument} names no JSON settings: {path}; send a path like config/staging.json."
        )
    return _flat(data, "")


def _flat(data: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    for key, value in data.items():
        if isinstance(value, dict) and value:
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value
