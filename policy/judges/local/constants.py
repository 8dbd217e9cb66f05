"""The fitted numbers of the judge, read from `constants.json`; `manage.py fit_local` writes that file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

PATH = Path(__file__).with_name("constants.json")


@dataclass(frozen=True, slots=True)
class Linear:
    """Weights by feature name and a bias; `at` gives the log-odds (noul) or the logit (choice)."""

    weights: Mapping[str, float]
    bias: float

    def at(self, features: Mapping[str, float]) -> float:
        return self.bias + sum(weight * features[name] for name, weight in self.weights.items())


@dataclass(frozen=True, slots=True)
class Backend:
    """The constants of one way to compare texts: `vectors` (with word overlap) or `lexical` (words only)."""

    choice: Linear
    none: Linear
    relevance: Linear


@dataclass(frozen=True, slots=True)
class Constants:
    version: int
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
            vectors=_backend(raw["vectors"]),
            lexical=_backend(raw["lexical"]),
            ask_first=_linear(raw["ask_first"]),
            data=raw["data"],
        )


@cache
def fitted() -> Constants:
    """The constants that ship with this version."""
    return Constants.from_json(json.loads(PATH.read_text(encoding="utf-8")))


def _backend(raw: Mapping[str, Any]) -> Backend:
    return Backend(choice=_linear(raw["choice"]), none=_linear(raw["none"]), relevance=_linear(raw["relevance"]))


def _linear(raw: Mapping[str, Any]) -> Linear:
    return Linear(weights=dict(raw["weights"]), bias=raw["bias"])
