"""Counts what the conformance runner compared, for the end of the session."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from tests.conformance.cases import Case, folder


@dataclass
class Tally:
    """Lines and keys that were equal, per area; and the lines left out, by area and reason."""

    lines: Counter[str] = field(default_factory=Counter)
    keys: int = 0
    left: Counter[str] = field(default_factory=Counter)

    def add(self, case: Case, keys: int) -> None:
        self.lines[case.area] += 1
        self.keys += keys

    def leave(self, case: Case, reason: str) -> None:
        self.left[f"{case.area}: {reason}"] += 1

    def report(self) -> list[str]:
        """What the terminal says, a line each."""
        areas = ", ".join(f"{area} {count}" for area, count in self.lines.items())
        told = [
            f"{self.lines.total()} lines with {self.keys} keys compared ({areas or 'none'})",
            f"{self.left.total()} lines left",
        ]
        return [*told, *(f"  {count} {reason}" for reason, count in self.left.items()), f"read from {folder()}"]
