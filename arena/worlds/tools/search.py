"""Tools that look through many files: literal text and TODO comments."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from arena.worlds import lexing, sources
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
