"""What has changed between the tools that a person approved and those that a server lists now."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import unified_diff
from typing import Literal

from arena.catalogs.listed import Listed, Listing

Kind = Literal["new", "gone", "changed"]
MAX_LINES = 200


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a difference: what went, what came, or what stands around it."""

    sign: Literal["-", "+", " "]
    text: str


@dataclass(frozen=True, slots=True)
class Difference:
    """One tool that is not what was approved; `cut` counts lines that are not shown."""

    name: str
    kind: Kind
    lines: tuple[Line, ...]
    cut: int = 0


def between(approved: Listing, now: Listing) -> tuple[Difference, ...]:
    """Every tool that is new, gone or changed, by name; empty where nothing has changed."""
    old, new = ({each.name: each for each in listing} for listing in (approved, now))
    return tuple(
        _difference(old.get(name), new.get(name))
        for name in sorted(old.keys() | new.keys())
        if old.get(name) is None or new.get(name) is None or old[name].digest != new[name].digest
    )


def _difference(old: Listed | None, new: Listed | None) -> Difference:
    either = new or old
    assert either is not None
    kind: Kind = "new" if old is None else "gone" if new is None else "changed"
    lines = list(_lines(_text(old), _text(new)))
    return Difference(either.name, kind, tuple(lines[:MAX_LINES]), max(len(lines) - MAX_LINES, 0))


def _lines(old: list[str], new: list[str]) -> Iterator[Line]:
    for number, line in enumerate(unified_diff(old, new, lineterm="", n=2)):
        # The first two lines name files, and there are none.
        if number >= 2 and not line.startswith("@@"):
            yield Line(line[0], line[1:])  # type: ignore[arg-type]


def _text(tool: Listed | None) -> list[str]:
    """The description, then the schema, a line for each part."""
    if tool is None:
        return []
    return [
        *tool.description.splitlines(),
        *json.dumps(tool.schema, indent=1, sort_keys=True, ensure_ascii=False).splitlines(),
    ]
