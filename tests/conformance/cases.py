"""Conformance cases: lines of area, case, input and expected, with small generators in the inputs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Case:
    area: str
    name: str
    input: Mapping[str, Any]
    expected: Mapping[str, Any]
    why: str

    @property
    def id(self) -> str:
        return f"{self.area}/{self.name}"


def load(file: str) -> Iterator[Case]:
    for line in (HERE / file).read_text(encoding="utf-8").splitlines():
        raw = json.loads(line)
        yield Case(raw["area"], raw["case"], expand(raw["input"]), raw["expected"], raw["why"])


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


def compare(case: Case, actual: Mapping[str, Any]) -> None:
    """Every expected key must be one that we can tell, and must be equal."""
    unknown = set(case.expected) - set(actual)
    assert not unknown, f"the runner cannot tell {sorted(unknown)}"
    assert {key: actual[key] for key in case.expected} == dict(case.expected), case.why
