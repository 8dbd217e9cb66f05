"""The fitted numbers of the judge, read from `constants.json`; `manage.py fit-local` writes that file."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

from policy.judges.local.vectors import Centres

PATH = Path(__file__).with_name("constants.json")


@dataclass(frozen=True, slots=True)
class Linear:
    """Weights by feature name and a bias; `at` gives log-odds (noul) or a logit (choice)."""

    weights: Mapping[str, float]
    bias: float

    def at(self, features: Mapping[str, float]) -> float:
        return self.bias + sum(weight * features[name] for name, weight in self.weights.items())

    def to_json(self) -> dict[str, Any]:
        return {"bias": self.bias, "weights": dict(self.weights)}


@dataclass(frozen=True, slots=True)
class Backend:
    """The constants of one way to compare: with vectors and words, or with words only.

    `choice` and `none` give the logits of an option and of "none fits"; one temperature is in their weights.
    `relevance` reads a criterion that lists its members, `bare_relevance` one that does not.
    `violates`, `missing` and `matches` read a tool call; they are weak, so they were drawn towards one half.
    """

    choice: Linear
    none: Linear
    relevance: Linear
    bare_relevance: Linear
    violates: Linear
    missing: Linear
    matches: Linear


@dataclass(frozen=True, slots=True)
class Constants:
    """`centre` holds the averages of the training tools and tasks; `data` says what was fitted on, and how well."""

    version: int
    centre: Centres
    vectors: Backend
    lexical: Backend
    ask_first: Linear
    data: Mapping[str, Any]

    def of(self, *, vectors: bool) -> Backend:
        """The constants for comparing with or without vectors."""
        return self.vectors if vectors else self.lexical

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> Constants:
        return cls(
            version=raw["version"],
            centre=Centres(**{field.name: _numbers(raw["centre"][field.name]) for field in fields(Centres)}),
            vectors=_backend(raw["vectors"]),
            lexical=_backend(raw["lexical"]),
            ask_first=_linear(raw["ask_first"]),
            data=raw["data"],
        )

    def to_json(self) -> dict[str, Any]:
        return {
            "version": self.version,
            "data": dict(self.data),
            "vectors": _backend_json(self.vectors),
            "lexical": _backend_json(self.lexical),
            "ask_first": self.ask_first.to_json(),
            "centre": {field.name: _text(getattr(self.centre, field.name)) for field in fields(Centres)},
        }


@cache
def fitted() -> Constants:
    """The constants that ship with this version."""
    return Constants.from_json(json.loads(PATH.read_text(encoding="utf-8")))


def _numbers(text: str) -> tuple[float, ...]:
    return tuple(float(number) for number in text.split())


def _text(numbers: Sequence[float]) -> str:
    return " ".join(f"{number:.5f}" for number in numbers)


def _backend(raw: Mapping[str, Any]) -> Backend:
    return Backend(**{field.name: _linear(raw[field.name]) for field in fields(Backend)})


def _backend_json(backend: Backend) -> dict[str, Any]:
    return {field.name: getattr(backend, field.name).to_json() for field in fields(Backend)}


def _linear(raw: Mapping[str, Any]) -> Linear:
    return Linear(weights=dict(raw["weights"]), bias=raw["bias"])
