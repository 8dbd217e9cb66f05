"""Tools that propose to move a commit: take it back, or bring it alone to production. No file changes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arena.worlds import history, patches, records
from arena.worlds.handlers import ToolError, ToolResult, handler
from arena.worlds.load import FILES
from arena.worlds.tools.proposals import recorded
from arena.worlds.world import Record, World


@handler("revert_commit_proposal")
def revert_commit_proposal(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Whether the inverse fits today's files is told per file, not demanded."""
    commit = history.commit(world, arguments["commit"])
    reason = records.said(arguments, "reason")
    edits = [_taken_back(world, commit, touched) for touched in commit["files"]]
    return _proposed(world, "revert", commit, edits, {"rationale": reason})


@handler("cherry_pick_proposal")
def cherry_pick_proposal(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Tries the commit on the files as the service has them in production."""
    commit, service = history.commit(world, arguments["commit"]), arguments["service"]
    reason = records.said(arguments, "reason")
    live = _in_production(world, service)
    order = history.positions(world)
    base = order[live["commit"]]
    if order[commit["id"]] <= base:
        cause = f"The version {live['version']} of {service}, which runs in production, holds {commit['id']} already"
        raise ToolError(f"{cause}; name a commit after {live['commit']}.")
    edits = [_brought_over(world, commit, touched, base) for touched in commit["files"]]
    onto = {"service": service, "version": live["version"], "base": live["commit"]}
    return _proposed(world, "cherry-pick", commit, edits, {"rationale": reason, **onto})


def _proposed(
    world: World, kind: str, commit: Record, edits: list[dict[str, Any]], more: Mapping[str, Any]
) -> ToolResult:
    applies = all(edit["applies"] for edit in edits)
    fields = {"path": edits[0]["path"], "commit": commit["id"], "edits": edits, **more}
    return recorded(world, kind, fields, {"commit": commit["id"], "applies": applies, "edits": edits, **more})


def _taken_back(world: World, commit: Record, touched: Mapping[str, Any]) -> dict[str, Any]:
    path = touched["path"]
    record = world.find(FILES, path)
    if record is None:
        return _edit(path, "", "the file is gone already")
    content = record["content"]
    if touched["status"] == "added":
        newest = history.versions(world, path)[-1].commit["id"]
        changed = None if newest == commit["id"] else f"the file was changed since, last by {newest}"
        return _edit(path, patches.make(path, content, ""), changed)
    return _tried(path, content, patches.reverse(touched["diff"]))


def _brought_over(world: World, commit: Record, touched: Mapping[str, Any], base: int) -> dict[str, Any]:
    path = touched["path"]
    before = history.text_at(world, path, base)
    if touched["status"] == "added":
        after = history.text_at(world, path, history.positions(world)[commit["id"]]) or ""
        return _edit(path, patches.make(path, "", after), None)
    if before is None:
        return _edit(path, touched["diff"], "production has no such file yet")
    return _tried(path, before, touched["diff"])


def _tried(path: str, content: str, patch: str) -> dict[str, Any]:
    """The edit as it comes out on this content; the bare patch with the problem where it does not fit."""
    try:
        after = patches.apply_patch(content, patch)
    except patches.PatchError as error:
        return _edit(path, patch, str(error))
    return _edit(path, patches.make(path, content, after), None)


def _edit(path: str, patch: str, problem: str | None) -> dict[str, Any]:
    return {"path": path, "patch": patch, "applies": problem is None, "problem": problem}


def _in_production(world: World, service: str) -> Record:
    running = [each for each in world.all("deployments") if each["state"] == "live" and each["service"] == service]
    production = [each for each in running if each["environment"] == "production"]
    if not production:
        raise ToolError(f"The service {service} does not run in production; name one that does.")
    return production[-1]
