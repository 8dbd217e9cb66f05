"""Recorded proposals as diffs: numbers, changed characters, equal texts once."""

from __future__ import annotations

from typing import Any

from arena.live.story_patches import Line, Proposal
from tests.arena.live.scenes import Scene, whole


def recorded(**fields: Any) -> tuple[Proposal, ...]:
    effect = {"op": "create", "collection": "proposals", "id": "p1", "fields": {"kind": "patch", **fields}}
    scene = Scene("full").menus().lane("A", "starting").calls("A", "propose_patch", effects=[effect])
    return scene.lane("A", "completed").settled().tell().proposals


def shown(line: Line) -> str:
    return "".join(f"[{part.text}]" if part.changed else part.text for part in line.parts)


def test_the_same_text_of_both_lanes_stands_once() -> None:
    (proposal,) = whole().tell().proposals
    assert proposal.lanes == [("A", "lane-a"), ("B", "lane-b")]
    assert proposal.reasons == {"It throws.": ["A", "B"]}


def test_lines_are_numbered_and_the_changed_characters_marked() -> None:
    (proposal,) = whole().tell().proposals
    assert [(line.kind, line.old, line.new, shown(line)) for line in proposal.lines] == [
        ("same", "1", "1", "const start = 1;"),
        ("del", "2", "", "sum(total);"),
        ("add", "", "2", "sum(total[, 0]);"),
    ]
    assert proposal.summary == "1 line added, 1 removed"


def test_two_hunks_are_parted_by_a_gap() -> None:
    (proposal,) = recorded(path="a", patch="--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n@@ -9 +9 @@\n-x\n+y\n")
    assert [line.kind for line in proposal.lines] == ["del", "add", "gap", "del", "add"]
    assert proposal.lines[-1].new == "9"


def test_a_new_file_is_shown_as_added_lines() -> None:
    (proposal,) = recorded(path="a.test.ts", content="one\ntwo\n")
    assert [(line.kind, line.new, shown(line)) for line in proposal.lines] == [("add", "1", "one"), ("add", "2", "two")]


def test_a_rename_shows_every_file() -> None:
    patch = "@@ -1 +1 @@\n-x\n+y\n"
    proposals = recorded(path="a", edits=[{"path": "a", "patch": patch}, {"path": "b", "patch": patch + " "}])
    assert [proposal.path for proposal in proposals] == ["a", "b"]


def test_a_very_long_diff_says_how_much_is_left_out() -> None:
    (proposal,) = recorded(path="a", content="\n".join(str(n) for n in range(500)))
    assert (len(proposal.lines), proposal.left_out) == (400, 100)
