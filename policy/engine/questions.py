"""The three typed questions that a judge can be asked (seed 001, section 1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Noul:
    """Is it true? Answered by one probability of yes in [0, 1]."""

    instructions: str
    true: str | None = None
    false: str | None = None

    def to_wire(self) -> dict[str, Any]:
        wire: dict[str, Any] = {"type": "noul", "instructions": self.instructions}
        if self.true is not None or self.false is not None:
            wire["criteria"] = {"true": self.true, "false": self.false}
        return wire


@dataclass(frozen=True, slots=True)
class Choice:
    """Which one? Answered by a distribution over the labels of `criteria` (label -> description or None)."""

    instructions: str
    criteria: Mapping[str, str | None]

    def to_wire(self) -> dict[str, Any]:
        return {"type": "choice", "instructions": self.instructions, "criteria": dict(self.criteria)}


@dataclass(frozen=True, slots=True)
class Score:
    """Which level? Answered by the expected index over 2 to 10 ordered levels (0-based)."""

    instructions: str
    levels: tuple[str, ...]

    def to_wire(self) -> dict[str, Any]:
        return {"type": "score", "instructions": self.instructions, "criteria": list(self.levels)}


Question = Noul | Choice | Score
Questions = Mapping[str, Question]
