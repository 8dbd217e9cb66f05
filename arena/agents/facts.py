"""What of a tool's result bears on the task: short statements, the most relevant ones, in their order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena.agents import entities, words
from arena.agents.memory import scalars

MAX_STATEMENTS = 10
FEW = 8
"""Up to this many statements are all told; of more only those near the most relevant one."""
MAX_CHARS = 240
"""Longer texts are read line by line, longer lines are cut."""
NEAR_THE_BEST = 0.5
"""A line of a long text counts when it has this share of the best line's score."""
_IDENTITY = ("id", "path", "name", "title", "file")


@dataclass(frozen=True, slots=True)
class Focus:
    """What the task is about: its meanings and its literals."""

    concepts: tuple[tuple[str, ...], ...]
    literals: tuple[str, ...]

    @classmethod
    def of(cls, text: str, *, german: bool) -> Focus:
        literals = tuple(entity.value for entity in entities.find(text))
        return cls(tuple(words.concepts(text, german=german)), literals)

    def score(self, text: str) -> int:
        """How many meanings and literals of the task the text holds; literals count double."""
        stems = set(words.content_words(text))
        shared = sum(bool(stems & set(concept)) for concept in self.concepts)
        return shared + 2 * sum(entities.holds(text, literal) for literal in self.literals)


def statements(content: Any, focus: Focus) -> list[str]:
    """At most `MAX_STATEMENTS` short statements about a result."""
    heads, rest = _parted(content)
    told = list(_statements("", heads, focus))
    found = list(_statements("", rest, focus))
    scores = [focus.score(statement) for statement in found]
    floor = max(max(scores, default=0) * NEAR_THE_BEST, 1) if len(found) > FEW and any(scores) else 0
    near = [at for at, score in enumerate(scores) if score >= floor]
    kept = sorted(near, key=lambda at: (-scores[at], at))[:MAX_STATEMENTS]
    return [*told[:MAX_STATEMENTS], *(found[at] for at in sorted(kept))]


def _parted(content: Any) -> tuple[Any, Any]:
    """The short single values at the top of a result, such as a count or a path, and everything else."""
    if not isinstance(content, Mapping):
        return {}, content
    heads = {
        key: value for key, value in content.items() if not isinstance(value, Mapping | list | str) or _is_short(value)
    }
    return heads, {key: value for key, value in content.items() if key not in heads}


def _is_short(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= MAX_CHARS and "\n" not in value


def _statements(key: str, content: Any, focus: Focus) -> Iterator[str]:
    if isinstance(content, Mapping):
        for name, value in content.items():
            yield from _statements(name, value, focus)
    elif isinstance(content, str) and (len(content) > MAX_CHARS or "\n" in content.strip()):
        yield from _lines(content, focus)
    elif isinstance(content, Sequence) and not isinstance(content, str):
        yield from _entries(key, content, focus)
    elif isinstance(content, bool):
        yield f"{key}: {'yes' if content else 'no'}"
    elif content not in (None, ""):
        yield f"{key}: {content}" if key else str(content)


def _entries(key: str, entries: Sequence[Any], focus: Focus) -> Iterator[str]:
    if not entries:
        yield f"{key}: -"
    elif not any(isinstance(entry, Mapping | list) for entry in entries):
        yield f"{key}: " + ", ".join(str(entry) for entry in entries)
    else:
        yield from (_record(entry, focus) for entry in entries)


def _record(entry: Any, focus: Focus) -> str:
    if not isinstance(entry, Mapping):
        return " ".join(str(value) for value in scalars(entry))
    parts = [
        f"{key} {_short(value, focus)}" if key not in _IDENTITY else str(value)
        for key, value in entry.items()
        if value not in (None, "", [])
    ]
    return ", ".join(parts)


def _short(value: Any, focus: Focus) -> str:
    if isinstance(value, str) and len(value) > MAX_CHARS:
        return " ".join(_lines(value, focus))
    if isinstance(value, Mapping | list):
        return "(" + ", ".join(str(each) for each in scalars(value)) + ")"
    return str(value)


def _lines(text: str, focus: Focus) -> Iterator[str]:
    """The lines of a long text that bear on the task, all of a short one when none does."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    scores = [focus.score(line) for line in lines]
    best = max(scores, default=0)
    for line, score in zip(lines, scores, strict=True):
        if score >= max(best * NEAR_THE_BEST, 1) or (best == 0 and len(lines) <= MAX_STATEMENTS):
            yield line[:MAX_CHARS]
