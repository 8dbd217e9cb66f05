"""Conformance lines: area, case, input and expected, with small generators in the inputs, and what may be left out."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Runner = Callable[[Mapping[str, Any]], Mapping[str, Any]]

HERE = Path(__file__).parent
MISSING = object()


@dataclass(frozen=True)
class Case:
    """One line; `file` and `line` say where it stands. A runner is given `input` and nothing else."""

    area: str
    name: str
    input: Any
    expected: Mapping[str, Any]
    why: str
    file: str
    line: int

    @property
    def id(self) -> str:
        return f"{self.area}/{self.name}"


def folder() -> Path:
    """The folder named by `CONFORMANCE_DIR`, this one without it."""
    return Path(os.environ.get("CONFORMANCE_DIR") or HERE)


def load(where: Path) -> list[Case]:
    """Every line with an area of every `*.jsonl` in the folder, ordered by file; other lines belong to other tests."""
    return [case for path in sorted(where.glob("*.jsonl")) for case in _lines(path)]


def _lines(path: Path) -> Iterator[Case]:
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1):
        raw = json.loads(line) if line.strip() else {}
        if "area" in raw:
            yield Case(
                area=raw["area"],
                name=raw.get("case", str(number)),
                input=expand(raw["input"]),
                expected=raw["expected"],
                why=raw.get("why", ""),
                file=path.name,
                line=number,
            )


def expand(value: Any) -> Any:
    """Replace `$repeat`, `$range`, `$keys` and `$concat` by what they stand for."""
    if isinstance(value, list):
        return [expand(item) for item in value]
    if not isinstance(value, dict):
        return value
    match value:
        case {"$repeat": [text, count]}:
            return text * count
        case {"$range": count}:
            return list(range(count))
        case {"$keys": [prefix, count]}:
            return {f"{prefix}{number}": number for number in range(count)}
        case {"$concat": parts}:
            return "".join(expand(part) for part in parts)
    return {key: expand(item) for key, item in value.items()}


class Fragment(str):
    """Told for a key that names a part of a text, such as `messageContains`: every part of it is equal."""

    __slots__ = ()


def compare(case: Case, told: Mapping[str, Any]) -> int:
    """Every expected key must be one that the runner tells, and be equal to it; returns how many were compared."""
    unknown = sorted(set(case.expected) - set(told))
    assert not unknown, f"{case.id}: the runner cannot tell {unknown}; it tells {sorted(told)}"
    wrong = {
        key: {"told": told[key], "expected": value}
        for key, value in case.expected.items()
        if not same(told[key], value)
    }
    assert not wrong, f"{case.id}: {wrong} ({case.why})"
    return len(case.expected)


def same(told: Any, expected: Any) -> bool:
    """Equal as JSON: tuples are lists, a boolean is no number, nothing extra is overlooked.

    Fractions may differ in their last binary digits.
    """
    match told:
        case Fragment():
            return isinstance(expected, str) and bool(expected) and expected in told
        case Mapping():
            return (
                isinstance(expected, dict)
                and told.keys() == expected.keys()
                and all(same(told[key], item) for key, item in expected.items())
            )
        case list() | tuple():
            return isinstance(expected, list) and len(told) == len(expected) and all(map(same, told, expected))
        case bool():
            return told is expected
        case float() if isinstance(expected, int | float) and not isinstance(expected, bool):
            return abs(told - expected) <= 1e-12
    return type(told) is not bool and type(expected) is not bool and bool(told == expected)
