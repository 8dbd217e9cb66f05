"""The thresholds of one judgment as sliders: where they stand, what they mean, where the decision flips."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from policy.engine.breakpoints import Breakpoints, Piece
from policy.engine.profile import Thresholds
from policy.judge_card import number
from policy.lab import looks

# What a measured value does at its threshold: the words before it on the page, and whether it counts below it.
MEANINGS: Mapping[str, tuple[str, bool]] = {
    "restriction": ("deny from", False),
    "missing_information": ("ask from", False),
    "task_match": ("ask below", True),
    "relevance": ("relevant from", False),
    "selection": ("selected from", False),
    "confidence": ("add alternatives below", True),
    "ask_first": ("ask first from", False),
    "model_route": ("routed from", False),
    "skill": ("needed from", False),
}
_SKILL = {"selection": ("fits from", False), "confidence": ("sure from", False)}


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of the way of one threshold on which the decision stays the same: (low, high]."""

    word: str
    tone: str
    low: str
    high: str
    exact: str
    end: bool


@dataclass(frozen=True, slots=True)
class Cut:
    """One slider. `value` is as typed into its field; `marks` are the measured values, as CSS numbers."""

    name: str
    words: str
    below: bool
    value: str
    text: str
    marks: tuple[str, ...]
    stretches: tuple[Stretch, ...]
    moves: bool


@dataclass(frozen=True, slots=True)
class Cuts:
    """The sliders of one judgment; without break-points they stand still."""

    thresholds: Thresholds
    flips: Breakpoints | None
    function: str

    def some(self, *names: str) -> tuple[Cut, ...]:
        return tuple(self.one(name) for name in names)

    def one(self, name: str) -> Cut:
        value = getattr(self.thresholds, name)
        words, below = meaning(name, self.function)
        axis = (
            next((a for table in self.flips.tables for a in table.axes if a.name == name), None) if self.flips else None
        )
        pieces = self.flips.pieces(name, self.thresholds) if self.flips and axis else ()
        return Cut(
            name=name,
            words=words,
            below=below,
            value=repr(value),
            text=number(value),
            marks=tuple(f"{point:.6f}" for point in axis.points) if axis else (),
            stretches=tuple(stretch(piece) for piece in pieces),
            moves=axis is not None,
        )


def meaning(name: str, function: str) -> tuple[str, bool]:
    """The words before a threshold, and whether a value counts below it; a skill reads two of them otherwise."""
    return (_SKILL if function == "skill" else {}).get(name, MEANINGS[name])


def stretch(piece: Piece) -> Stretch:
    look = looks.UNMEASURED if piece.decision is None else looks.of(piece.decision)
    return Stretch(
        word=word(piece.decision),
        tone=look.tone,
        low=number(piece.low),
        high=number(piece.high),
        exact=repr(piece.high),
        end=piece.high >= 1,
    )


def word(decided: Mapping[str, Any] | None) -> str:
    """A decision in a word or two: `deny`, `selected 3 tools`, `routed to fast`."""
    if decided is None:
        return looks.UNMEASURED.word
    look = looks.of(decided).word
    if tools := decided.get("selected"):
        return f"{look} {len(tools)} and {len(decided['expand'])} more" if decided["expand"] else f"{look} {len(tools)}"
    if len(rules := decided.get("decisions", ())) > 1:
        return f"{look}, {len(rules)} rules"
    found = decided.get("route") or decided.get("skill")
    return f"{look}: {found}" if found else look
