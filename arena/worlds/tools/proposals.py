"""Tools that record a proposal. Nothing here changes a file: `applied` is false and stays false."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from arena.worlds import formatting, patches, renames, sources, symbols
from arena.worlds.handlers import ToolError, ToolResult, handler
from arena.worlds.world import Effect, World

PROPOSALS = "proposals"
MAX_RETAINED_BYTES = 256_000
"""All proposals of one lane together (seed 002, tool server limits); more is refused, never cut."""

_TEST_NAME = re.compile(r".+\.(test|spec)\.(js|jsx|mjs|cjs|ts|tsx|mts|cts)")


@handler("propose_patch")
def propose_patch(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """The diff must be readable and name the path; whether it fits the file is told, not demanded."""
    path, patch = arguments["path"], arguments["patch"]
    content = sources.text(world, path)
    try:
        parsed = patches.parse(patch)
    except patches.PatchError as error:
        raise ToolError(f"The argument patch is no unified diff of one file: {error}.") from None
    if parsed.path != path:
        raise ToolError(f"The argument patch is for {sources.shown(parsed.path)}; name {path} in its head lines.")
    problem = _misfit(content, patch)
    fields = {"path": path, "patch": patch, "rationale": arguments["rationale"]}
    return recorded(world, "patch", fields, {"applies": problem is None, "problem": problem})


@handler("draft_test_proposal")
def draft_test_proposal(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """The path rules are those of seed 002: relative, new, and named like a test."""
    path = arguments["path"]
    problem = _test_path_problem(world, path)
    if problem:
        raise ToolError(f"The argument path {problem}: {sources.shown(path)}; send a new path like tests/name.test.ts.")
    if not arguments["content"].strip():
        raise ToolError("The argument content is blank; send the text of the test file.")
    return recorded(world, "test", {"path": path, "content": arguments["content"]}, {})


@handler("rename_symbol_proposal")
def rename_symbol_proposal(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    path, old, new = arguments["path"], arguments["from"], arguments["to"]
    texts = sources.all_texts(world)
    content = sources.text(world, path)
    _check_rename(content, path, old, new)
    taken = renames.collision(texts, path, old, new)
    if taken:
        raise ToolError(f"The argument to is already in use in {taken}: {new}; choose a name that is free.")
    edits = [
        {
            "path": edit.path,
            "patch": patches.make(edit.path, texts[edit.path], edit.after),
            "changed": edit.changed,
            "mentions_left": list(edit.mentions),
        }
        for edit in renames.edits(texts, path, old, new)
    ]
    return recorded(world, "rename", {"path": path, "from": old, "to": new, "edits": edits}, {"edits": edits})


@handler("format_proposal")
def format_proposal(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    path = arguments["path"]
    content = sources.text(world, path)
    config = world.find("files", formatting.CONFIG_PATH)
    rules = formatting.settings(config["content"] if config else "", path)
    patch = patches.make(path, content, formatting.formatted(content, path, rules))
    if not patch:
        return ToolResult({"status": "nothing_to_do", "path": path, "rules": rules})
    return recorded(world, "format", {"path": path, "patch": patch}, {"patch": patch, "rules": rules})


def recorded(world: World, kind: str, fields: Mapping[str, Any], answer: Mapping[str, Any]) -> ToolResult:
    """Keeps a proposal for review; raises ToolError where all of them together would grow too large."""
    key = world.next_id(PROPOSALS, "proposal_")
    record = {"id": key, "kind": kind, **fields, "applied": False}
    retained = sum(_size(earlier) for earlier in world.all(PROPOSALS))
    if retained + _size(record) > MAX_RETAINED_BYTES:
        raise ToolError(
            f"The proposals of this session would exceed {MAX_RETAINED_BYTES} bytes; send a smaller one or stop here."
        )
    content = {"status": "recorded_pending", "id": key, "path": fields["path"], "applied": False, **answer}
    return ToolResult(content, (Effect("create", PROPOSALS, key, record),))


def _size(record: Mapping[str, Any]) -> int:
    return len(json.dumps(record, ensure_ascii=False).encode())


def _misfit(content: str, patch: str) -> str | None:
    try:
        patches.apply_patch(content, patch)
    except patches.PatchError as error:
        return str(error)
    return None


def _test_path_problem(world: World, path: str) -> str | None:
    if path.startswith("/") or re.search(r"[\\:\x00-\x1f\x7f]", path):
        return "must be relative, without backslash, colon or control characters"
    if any(segment in ("", ".", "..") for segment in path.split("/")):
        return "has an empty, . or .. segment"
    if not _TEST_NAME.fullmatch(path.rpartition("/")[2]):
        return "must end in .test or .spec and a JavaScript or TypeScript ending"
    # Some file systems do not tell upper from lower case.
    if path.casefold() in {known.casefold() for known in sources.all_texts(world)}:
        return "is taken by a file of the project"
    return None


def _check_rename(content: str, path: str, old: str, new: str) -> None:
    if symbols.find(content, path, old) is None:
        names = ", ".join(dict.fromkeys(symbol.name for symbol in symbols.declared(content, path))) or "nothing"
        raise ToolError(f"The argument from is not declared in {path}: {sources.shown(old)}; that file has {names}.")
    if not renames.allowed(new):
        raise ToolError(f"The argument to is no usable name: {sources.shown(new)}; send letters, digits, _ or $.")
