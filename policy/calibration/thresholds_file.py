"""The file `thresholds.json` version 1 of the package `jev-eval`, read and written so that either tool can use it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from policy.calibration.jev_eval import RESAMPLES, SEED, Guarded

VERSION = 1
DIGITS = 4


@dataclass(frozen=True, slots=True)
class Entry:
    """One gate of the file; `kind` is choice, noul or score."""

    kind: str
    threshold: float
    accuracy: float
    coverage: float
    rows: int

    def to_json(self) -> dict[str, Any]:
        figures = {"threshold": self.threshold, "accuracy": self.accuracy, "coverage": self.coverage}
        return {"type": self.kind, **{name: round(value, DIGITS) for name, value in figures.items()}, "n": self.rows}


@dataclass(frozen=True, slots=True)
class Document:
    """`thresholds.json` version 1; `extra` holds every key that it does not know, and writing gives them back."""

    model: str
    generated_at: str
    questions: Mapping[str, Entry]
    guard: Mapping[str, Any] = field(default_factory=lambda: {"method": "none"})
    tolerance: int = 0
    definitions: Mapping[str, Any] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def from_json(cls, raw: object) -> Document:
        """Read the file; raises `ValueError` that names the key at fault."""
        if not isinstance(raw, Mapping) or raw.get("version") != VERSION:
            raise ValueError(f"thresholds.json must be an object with version {VERSION}")
        questions = raw.get("questions")
        if not isinstance(questions, Mapping):
            raise ValueError('thresholds.json needs "questions", an object with one gate per question')
        known = {"version", "model", "generatedAt", "questions", "guard", "tolerance", "definitions"}
        return cls(
            model=str(raw.get("model", "unknown")),
            generated_at=str(raw.get("generatedAt", "")),
            questions={str(name): _entry(str(name), each) for name, each in questions.items()},
            guard=dict(raw.get("guard") or {"method": "none"}),
            tolerance=int(raw.get("tolerance") or 0),
            definitions=dict(raw.get("definitions") or {}),
            extra={key: value for key, value in raw.items() if key not in known},
        )

    def to_json(self) -> dict[str, Any]:
        return {
            "version": VERSION,
            "model": self.model,
            "generatedAt": self.generated_at,
            "guard": dict(self.guard),
            "tolerance": self.tolerance,
            "questions": {name: entry.to_json() for name, entry in self.questions.items()},
            **self.extra,
            "definitions": dict(sorted(self.definitions.items())),
        }


def entry(kind: str, found: Guarded) -> Entry | None:
    """What the file holds of a gate; None where it leaves the question out (refused, unreachable or unstable)."""
    if found.gate is None:
        return None
    return Entry(kind, found.gate.threshold, found.gate.accuracy, found.gate.coverage, found.rows)


def guard(*, resamples: int = RESAMPLES, seed: int = SEED) -> dict[str, Any]:
    """How accuracy and coverage were measured, in its words."""
    return {"method": "bootstrap", "resamples": resamples, "seed": seed}


def _entry(name: str, raw: object) -> Entry:
    given: Mapping[str, Any] = raw if isinstance(raw, Mapping) else {}
    if not all(_is_share(given.get(key)) for key in ("threshold", "accuracy", "coverage")):
        raise ValueError(f'question "{name}" of thresholds.json needs threshold, accuracy and coverage, each in [0, 1]')
    rows = given.get("n")
    if isinstance(rows, bool) or not isinstance(rows, int) or rows < 0:
        raise ValueError(f'question "{name}" of thresholds.json needs n, the number of its rows')
    figures = float(given["threshold"]), float(given["accuracy"]), float(given["coverage"])
    return Entry(str(given.get("type", "noul")), *figures, rows)


def _is_share(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
