"""Tools that look through many files: literal text, two terms close together, names of files, TODO comments."""

from __future__ import annotations

import fnmatch
import json
import re
from collections.abc import Mapping
from typing import Any

from arena.worlds import lexing, records, sources
from arena.worlds.handlers import ToolError, ToolResult, handler
from arena.worlds.world import World

MAX_MATCHES = 100
MAX_RESULT_BYTES = 64_000
_TODO = re.compile(r"\bTODO\b:?\s*(?P<text>.*)")


@handler("search_text")
def search_text(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Case-sensitive and literal, in path then line order (limits: seed 002, search handler)."""
    query = arguments["query"]
    if "\n" in query:
        raise ToolError("The argument query holds a line break; send text of one line.")
    matches: list[dict[str, Any]] = []
    size = 0
    for path, content in sources.all_texts(world).items():
        for number, line in enumerate(content.split("\n"), start=1):
            if query not in line:
                continue
            match = {"path": path, "line": number, "text": line.rstrip("\r")}
            size += len(json.dumps(match, ensure_ascii=False).encode())
            if len(matches) == MAX_MATCHES or size > MAX_RESULT_BYTES:
                return ToolResult({"query": query, "matches": matches, "truncated": True})
            matches.append(match)
    return ToolResult({"query": query, "matches": matches, "truncated": False})


@handler("todo_scan")
def todo_scan(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Only comments count; the word in code or in a string is no note to anybody."""
    found = []
    for path, content in sources.below(world, arguments["directory"]).items():
        for number, line in enumerate(lexing.comment_only(content, path).split("\n"), start=1):
            todo = _TODO.search(line)
            if todo:
                text = todo["text"].strip().removesuffix("-->").removesuffix("*/").strip()
                found.append({"path": path, "line": number, "text": text})
    return ToolResult({"directory": arguments["directory"], "count": len(found), "todos": found})


@handler("find_by_name")
def find_by_name(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """A pattern with a slash is held against the whole path; nothing found is a result."""
    pattern = arguments["pattern"].strip()
    if not pattern:
        raise ToolError("The argument pattern is blank; send a wildcard like *.json.")
    found = [
        path
        for path in sources.below(world, arguments.get("directory", "."))
        if fnmatch.fnmatchcase(path if "/" in pattern else path.rpartition("/")[2], pattern)
    ]
    return ToolResult({"pattern": pattern, **records.capped("paths", found, MAX_MATCHES)})


@handler("search_nearby")
def search_nearby(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Every line with the first term and the nearest line with the second, if that is near enough."""
    first, second = (arguments[name].strip() for name in ("first", "second"))
    if not first or not second:
        raise ToolError(f"The argument {'second' if first else 'first'} is blank; send a word or phrase.")
    if records.fold(first) == records.fold(second):
        raise ToolError(f"The arguments first and second are the same: {sources.shown(first)}; send two terms.")
    reach = arguments.get("distance", 3)
    pairs: list[dict[str, Any]] = []
    for path, content in sources.below(world, arguments.get("directory", ".")).items():
        lines = content.split("\n")
        partners = _lines_with(second, lines)
        for number in _lines_with(first, lines):
            nearest = min(partners, key=lambda each: abs(each - number), default=None)
            if nearest is not None and abs(nearest - number) <= reach:
                texts = {"first_text": lines[number - 1].strip(), "second_text": lines[nearest - 1].strip()}
                pairs.append({"path": path, "first_line": number, "second_line": nearest, **texts})
    return ToolResult({"first": first, "second": second, **records.capped("pairs", pairs, MAX_MATCHES)})


def _lines_with(term: str, lines: list[str]) -> list[int]:
    return [number for number, line in enumerate(lines, start=1) if records.fold(term) in records.fold(line)]
