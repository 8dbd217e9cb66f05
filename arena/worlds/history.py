"""The past of the source files, worked out from today's text and the commits: nothing is stored twice."""

from __future__ import annotations

from dataclasses import dataclass

from arena.worlds import patches, records, sources
from arena.worlds.handlers import ToolError
from arena.worlds.sources import shown
from arena.worlds.world import Record, World

COMMITS = "commits"


@dataclass(frozen=True, slots=True)
class Version:
    """One file as it was right after `commit`."""

    commit: Record
    text: str


def commit(world: World, wanted: str, *, argument: str = "commit") -> Record:
    """The commit whose id begins like this; raises ToolError where that is none or several."""
    wanted = wanted.strip()
    commits = world.all(COMMITS)
    found = [each for each in commits if each["id"].startswith(wanted)] if wanted else []
    if len(found) > 1:
        fitting = ", ".join(each["id"] for each in found[:5])
        raise ToolError(f"The argument {argument} fits {len(found)} commits: {shown(wanted)}; add letters: {fitting}.")
    if not found:
        hint = records.near(wanted, [each["id"] for each in commits])
        raise ToolError(f"The argument {argument} names no commit: {shown(wanted)}; {hint}.")
    return found[0]


def paths(commit: Record) -> set[str]:
    """The files that a commit touched."""
    return {touched["path"] for touched in commit["files"]}


def positions(world: World) -> dict[str, int]:
    """The place of every commit in the one line of history, the oldest first."""
    return {each["id"]: place for place, each in enumerate(world.all(COMMITS))}


def versions(world: World, path: str) -> list[Version]:
    """The texts that a file has had, oldest first; raises ToolError for a path without file or without commits."""
    text = sources.text(world, path)
    found: list[Version] = []
    for each in reversed(world.all(COMMITS)):
        touched = next((file for file in each["files"] if file["path"] == path), None)
        if touched is None:
            continue
        found.append(Version(each, text))
        if touched["status"] == "added":
            break
        text = patches.apply_patch(text, patches.reverse(touched["diff"]))
    if not found:
        raise ToolError(f"No commit has touched {path} so far; it has no past to look into.")
    return found[::-1]


def text_at(world: World, path: str, place: int) -> str | None:
    """A file as it was after the commit at this place of the history; None before its first one."""
    order = positions(world)
    past = [each.text for each in versions(world, path) if order[each.commit["id"]] <= place]
    return past[-1] if past else None
