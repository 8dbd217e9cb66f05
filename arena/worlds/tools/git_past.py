"""Tools that go back in time: who wrote a line, how a file was, which commit brought a defect."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Any

from arena.worlds import findings, history
from arena.worlds.handlers import ToolError, ToolResult, handler
from arena.worlds.history import Version
from arena.worlds.world import Record, World


@handler("blame_line")
def blame_line(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """The commit after which the line has read as it reads now."""
    path, number = arguments["path"], arguments["line"]
    versions = history.versions(world, path)
    lines = versions[-1].text.splitlines()
    if number > len(lines):
        raise ToolError(f"The argument line is {number}, but {path} has {len(lines)} lines; send at most {len(lines)}.")
    place = number - 1
    for earlier, later in zip(reversed(versions[:-1]), reversed(versions), strict=False):
        before = _place_before(earlier.text.splitlines(), later.text.splitlines(), place)
        if before is None:
            return _blamed(path, number, lines, later.commit)
        place = before
    return _blamed(path, number, lines, versions[0].commit)


@handler("file_at_commit")
def file_at_commit(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    path = arguments["path"]
    commit = history.commit(world, arguments["commit"])
    text = history.text_at(world, path, history.positions(world)[commit["id"]])
    if text is None:
        first = history.versions(world, path)[0].commit
        cause = f"At {commit['id']} there was no {path} yet"
        raise ToolError(f"{cause}; it came with {first['id']} on {first['at'][:10]}.")
    return ToolResult({"path": path, "commit": commit["id"], "at": commit["at"], "content": text})


@handler("bisect_regression")
def bisect_regression(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Tests versions of the file itself, halving the span between a good and the present bad one."""
    path, rule = arguments["path"], arguments["rule"]
    versions = history.versions(world, path)
    _check_bad(versions[-1], path, rule)
    good = _known_good(world, versions, arguments)
    bad = len(versions) - 1
    tested: list[dict[str, Any]] = []
    while bad - good > 1:
        middle = (good + bad) // 2
        broken = _broken(versions[middle], path, rule)
        tested.append({"commit": versions[middle].commit["id"], "broken": broken})
        good, bad = (good, middle) if broken else (middle, bad)
    return ToolResult(
        {
            "path": path,
            "rule": rule,
            "first_bad": _brief(versions[bad].commit),
            "last_good": versions[good].commit["id"] if good >= 0 else None,
            "tested": tested,
            "versions": len(versions),
        }
    )


def _place_before(before: Sequence[str], after: Sequence[str], place: int) -> int | None:
    """Where the line at `place` stood before; None where it was not there as it is."""
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    for block in matcher.get_matching_blocks():
        if block.b <= place < block.b + block.size:
            return block.a + place - block.b
    return None


def _blamed(path: str, number: int, lines: Sequence[str], commit: Record) -> ToolResult:
    return ToolResult({"path": path, "line": number, "text": lines[number - 1], "commit": _brief(commit)})


def _brief(commit: Record) -> dict[str, Any]:
    return {name: commit[name] for name in ("id", "at", "author", "message")}


def _broken(version: Version, path: str, rule: str) -> bool:
    return any(found.rule == rule for found in findings.of({path: version.text}, path))


def _check_bad(newest: Version, path: str, rule: str) -> None:
    if _broken(newest, path, rule):
        return
    found = sorted({each.rule for each in findings.of({path: newest.text}, path)} - {"constant"})
    mend = f"it has {', '.join(found)}" if found else "no rule finds anything in it"
    raise ToolError(f"The file {path} as it is now has no {rule}, so there is nothing to search for; {mend}.")


def _known_good(world: World, versions: Sequence[Version], arguments: Mapping[str, Any]) -> int:
    """The place of the good version; -1, before the first, where none was named."""
    if "good" not in arguments:
        return -1
    path, rule = arguments["path"], arguments["rule"]
    good = history.commit(world, arguments["good"], argument="good")
    order = history.positions(world)
    place = sum(order[each.commit["id"]] <= order[good["id"]] for each in versions) - 1
    if place >= 0 and _broken(versions[place], path, rule):
        raise ToolError(f"The argument good is not good: {path} has {rule} at {good['id']}; name an older commit.")
    return place
