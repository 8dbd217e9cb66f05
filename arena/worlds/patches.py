"""Single-file unified diffs: read one, apply one, make one. Nothing is guessed: counts and lines must be exact."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_NO_NEWLINE = "\\ No newline at end of file"
_PREAMBLE = ("diff --git ", "index ")


class PatchError(ValueError):
    """A diff that cannot be read or applied; the text says where, why and how to mend it."""


@dataclass(frozen=True, slots=True)
class Hunk:
    """`start` is the first old line, counted from 1; `old` and `new` keep their line ends."""

    start: int
    old: tuple[str, ...]
    new: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Patch:
    path: str
    hunks: tuple[Hunk, ...]


def parse(patch: str) -> Patch:
    """The one file's changes; raises PatchError."""
    lines = patch.removesuffix("\n").split("\n")
    while lines and lines[0].startswith(_PREAMBLE):
        lines.pop(0)
    if len(lines) < 2 or not lines[0].startswith("--- ") or not lines[1].startswith("+++ "):
        raise PatchError("the patch has no file head; begin with the lines '--- a/PATH' and '+++ b/PATH'")
    path = _path(lines[0], lines[1])
    hunks = tuple(_hunks(lines[2:]))
    if not hunks:
        raise PatchError("the patch has no hunk; add one that begins with '@@ -START,COUNT +START,COUNT @@'")
    if all(hunk.old == hunk.new for hunk in hunks):
        raise PatchError("the patch changes nothing; add lines that begin with - or +")
    return Patch(path, hunks)


def apply_patch(text: str, patch: str) -> str:
    """The text after the patch; raises PatchError where a line differs from what the patch expects."""
    before = _lines(text)
    after: list[str] = []
    done = 0
    for number, hunk in enumerate(parse(patch).hunks, start=1):
        # A hunk without old lines names the line after which it inserts.
        begin = hunk.start - 1 if hunk.old else hunk.start
        if begin < done or begin > len(before):
            raise PatchError(f"hunk {number}: line {hunk.start} is out of order or past the end; correct its head")
        _match(number, before, begin, hunk.old)
        after += before[done:begin] + list(hunk.new)
        done = begin + len(hunk.old)
    return "".join(after + before[done:])


def make(path: str, before: str, after: str) -> str:
    """A unified diff that `apply_patch` takes back; empty when nothing differs."""
    parts: list[str] = []
    for line in difflib.unified_diff(_lines(before), _lines(after), f"a/{path}", f"b/{path}"):
        parts.append(line if line.endswith("\n") else f"{line}\n{_NO_NEWLINE}\n")
    return "".join(parts)


def reverse(patch: str) -> str:
    """The same patch the other way round: what it added goes, what it took out comes back."""
    lines = patch.split("\n")
    return "\n".join([*lines[:2], *(_turned(line) for line in lines[2:])])


def _turned(line: str) -> str:
    head = _HUNK.match(line)
    if head is None:
        return {"-": "+", "+": "-"}.get(line[:1], line[:1]) + line[1:]
    old, new = line.split(" ")[1:3]
    return f"@@ -{new[1:]} +{old[1:]} @@"


def _path(old_head: str, new_head: str) -> str:
    old, new = (head[4:].split("\t")[0].strip() for head in (old_head, new_head))
    if "/dev/null" in (old, new):
        raise PatchError("the patch adds or removes a whole file; name the same existing file in both head lines")
    old, new = old.removeprefix("a/"), new.removeprefix("b/")
    if old != new:
        raise PatchError(f"the head lines name two files, {old!r} and {new!r}; name one file in both")
    return new


def _hunks(lines: Sequence[str]) -> Iterator[Hunk]:
    position = 0
    number = 0
    while any(lines[position:]):
        number += 1
        head = _HUNK.match(lines[position])
        if lines[position].startswith(("--- ", "diff ")):
            raise PatchError("the patch touches a second file; send one patch per file")
        if head is None:
            raise PatchError(f"hunk {number} should begin with '@@ -START,COUNT +START,COUNT @@'; write that head")
        old_count, new_count = (1 if count is None else int(count) for count in (head[2], head[4]))
        old, new, position = _body(number, lines, position + 1, old_count, new_count)
        yield Hunk(int(head[1]), tuple(old), tuple(new))


def _body(
    number: int, lines: Sequence[str], position: int, old_count: int, new_count: int
) -> tuple[list[str], list[str], int]:
    old: list[str] = []
    new: list[str] = []
    while len(old) < old_count or len(new) < new_count:
        # Many editors strip the single blank of an empty context line.
        line = (lines[position] or " ") if position < len(lines) else ""
        if line[:1] not in (" ", "-", "+"):
            raise PatchError(_count_fault(number, old_count, new_count, len(old), len(new)))
        position += 1
        end = "\n"
        if position < len(lines) and lines[position] == _NO_NEWLINE:
            end, position = "", position + 1
        if line[0] in " -":
            old.append(line[1:] + end)
        if line[0] in " +":
            new.append(line[1:] + end)
    if len(old) > old_count or len(new) > new_count or _more(lines, position):
        raise PatchError(f"hunk {number} has more lines than its head says; correct the counts")
    return old, new, position


def _more(lines: Sequence[str], position: int) -> bool:
    return position < len(lines) and lines[position][:1] in (" ", "-", "+") and not lines[position].startswith("--- ")


def _count_fault(number: int, old_count: int, new_count: int, old: int, new: int) -> str:
    return (
        f"hunk {number} says {old_count} old and {new_count} new lines but holds {old} and {new}; "
        "correct the counts, and begin every line with a blank, - or +"
    )


def _match(number: int, before: Sequence[str], begin: int, expected: Sequence[str]) -> None:
    for offset, line in enumerate(expected):
        found = before[begin + offset] if begin + offset < len(before) else None
        if found == line:
            continue
        where = f"hunk {number}, line {begin + offset + 1}"
        if found is None:
            raise PatchError(f"{where}: the file ends before it; correct the line numbers")
        if found.rstrip("\n") == line.rstrip("\n"):
            raise PatchError(f"{where}: only the newline at the end of the file differs; add '{_NO_NEWLINE}'")
        raise PatchError(f"{where}: the patch has {line.rstrip()!r}, the file {found.rstrip()!r}; copy that line")


def _lines(text: str) -> list[str]:
    """Lines with their ends; only the newline ends a line, so that other separators survive."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)
