"""Recorded proposals as coloured diffs. Nothing of them was applied, and the page says so."""

from __future__ import annotations

import difflib
import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from arena.live import figures
from arena.live.story_events import LaneLog

_HUNK = re.compile(r"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@")
_MAX_LINES = 400


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a line; `changed` stands on a stronger ground."""

    text: str
    changed: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a diff; `old` and `new` are its numbers where it has one."""

    kind: Literal["same", "add", "del", "gap"]
    old: str
    new: str
    parts: tuple[Part, ...]


@dataclass(slots=True)
class Proposal:
    """A proposal with the lanes that recorded the same text, and the lanes behind each reason."""

    path: str
    kind: str
    lines: tuple[Line, ...]
    left_out: int
    summary: str
    digest: str
    reasons: dict[str, list[str]] = field(default_factory=dict)
    lanes: list[tuple[str, str]] = field(default_factory=list)


def tell(lanes: Sequence[LaneLog]) -> tuple[Proposal, ...]:
    """Every proposal of every lane, equal texts once, in the order recorded."""
    found: dict[tuple[str, str], Proposal] = {}
    for lane in lanes:
        for path, kind, patch, reason in _recorded(lane):
            proposal = found.setdefault((path, patch), _proposal(path, kind, patch))
            if (lane.letter, lane.css) not in proposal.lanes:
                proposal.lanes.append((lane.letter, lane.css))
            if reason and lane.letter not in proposal.reasons.setdefault(reason, []):
                proposal.reasons[reason].append(lane.letter)
    return tuple(found.values())


def _recorded(lane: LaneLog) -> Iterator[tuple[str, str, str, str]]:
    for effect in (effect for call in lane.calls for effect in call.effects):
        if effect["collection"] == "proposals" and effect["op"] == "create":
            record = effect["fields"]
            for edit in record.get("edits") or [record]:
                yield edit["path"], record["kind"], _patch(edit), str(record.get("rationale", ""))


def _patch(edit: Mapping[str, Any]) -> str:
    """The diff of a proposal; the text of a new file becomes one that only adds."""
    if "patch" in edit:
        return str(edit["patch"])
    lines = str(edit.get("content", "")).removesuffix("\n").split("\n")
    return f"@@ -0,0 +1,{len(lines)} @@\n" + "\n".join(f"+{line}" for line in lines)


def _proposal(path: str, kind: str, patch: str) -> Proposal:
    lines = tuple(_marked(list(_lines(patch))))
    added, removed = (sum(line.kind == kind for line in lines) for kind in ("add", "del"))
    summary = f"{figures.plural(added, 'line')} added, {removed:,} removed"
    digest = hashlib.sha256(patch.encode()).hexdigest()
    return Proposal(path, kind, lines[:_MAX_LINES], max(len(lines) - _MAX_LINES, 0), summary, digest)


def _lines(patch: str) -> Iterator[Line]:
    old = new = 0
    inside = False
    for text in patch.removesuffix("\n").split("\n"):
        head = _HUNK.match(text)
        if head:
            if inside:
                yield Line("gap", "", "", (Part("⋯"),))
            inside, old, new = True, int(head[1]), int(head[2])
        elif inside and text[:1] in (" ", "", "-", "+"):
            kind: Literal["same", "add", "del"] = {"-": "del", "+": "add"}.get(text[:1], "same")  # type: ignore[assignment]
            numbers = "" if kind == "add" else str(old), "" if kind == "del" else str(new)
            yield Line(kind, *numbers, (Part(text[1:]),))
            old += kind != "add"
            new += kind != "del"


def _marked(lines: list[Line]) -> Iterable[Line]:
    """Where as many lines come as go, the characters that differ are marked."""
    at = 0
    while at < len(lines):
        gone = _run(lines, at, "del")
        come = _run(lines, at + gone, "add")
        if gone and gone == come:
            pairs = zip(lines[at : at + gone], lines[at + gone : at + gone + come], strict=True)
            both = [_pair(before, after) for before, after in pairs]
            yield from (before for before, _ in both)
            yield from (after for _, after in both)
        else:
            yield from lines[at : at + max(gone + come, 1)]
        at += max(gone + come, 1)


def _run(lines: Sequence[Line], start: int, kind: str) -> int:
    end = start
    while end < len(lines) and lines[end].kind == kind:
        end += 1
    return end - start


def _pair(before: Line, after: Line) -> tuple[Line, Line]:
    old, new = before.parts[0].text, after.parts[0].text
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    if matcher.quick_ratio() < 0.5:
        return before, after
    gone, come = [], []
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        gone.append(Part(old[i1:i2], tag != "equal"))
        come.append(Part(new[j1:j2], tag != "equal"))
    return (
        Line("del", before.old, "", tuple(part for part in gone if part.text)),
        Line("add", "", after.new, tuple(part for part in come if part.text)),
    )
