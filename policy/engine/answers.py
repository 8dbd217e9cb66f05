"""The answers to the three kinds of question, as they are after validation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class NoulAnswer:
    """Probability of yes in [0, 1]; a noul has no confidence."""

    noul: float

    def to_json(self) -> dict[str, Any]:
        return {"type": "noul", "noul": self.noul}


@dataclass(frozen=True, slots=True)
class ChoiceAnswer:
    """The chosen label and a distribution that adds to 1.

    `raw_probabilities` is what the judge published, kept only where the total was not 1 and had to be divided.
    """

    choice: str
    probabilities: Mapping[str, float]
    confidence: float
    raw_probabilities: Mapping[str, float] | None = None

    def to_json(self) -> dict[str, Any]:
        return {"type": "choice", "choice": self.choice, **_distribution(self)}


@dataclass(frozen=True, slots=True)
class ScoreAnswer:
    """The expected level, 0 to levels - 1, and the distribution over the levels "0", "1" and so on."""

    score: float
    probabilities: Mapping[str, float]
    confidence: float
    raw_probabilities: Mapping[str, float] | None = None

    def to_json(self) -> dict[str, Any]:
        return {"type": "score", "score": self.score, **_distribution(self)}


Answer = NoulAnswer | ChoiceAnswer | ScoreAnswer


def _distribution(answer: ChoiceAnswer | ScoreAnswer) -> dict[str, Any]:
    wire: dict[str, Any] = {"confidence": answer.confidence, "probabilities": dict(answer.probabilities)}
    if answer.raw_probabilities is not None:
        wire["rawProbabilities"] = dict(answer.raw_probabilities)
    return wire
