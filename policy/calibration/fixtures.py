"""Fixtures: labelled inputs whose answers a judge is measured on, and what identifies a set of them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from policy.engine.bounds import sendable

# Fields that say what a fixture is for; nothing of them reaches a judge.
TOLD = frozenset({"id", "lang", "expect", "answers", "reason", "tags", "split", "family"})
# The same in the reference's second suite, whose `label` is a title.
TOLD_OF_CALLS = TOLD | {"suite", "label", "consequence", "incident", "scope"}


class Kind(StrEnum):
    """What is asked: one of the engine's functions, or a question of your own (`generic`)."""

    SELECTION = "selection"
    ASSESSMENT = "assessment"
    SKILL = "skill"
    MODEL_ROUTE = "model-route"
    GENERIC = "generic"


class Split(StrEnum):
    """Which part of a set a row belongs to; near-duplicates must not lie on both sides."""

    TRAIN = "train"
    REGRESSION = "regression"
    HELD_OUT = "held-out"


@dataclass(frozen=True, slots=True)
class Fixture:
    """One row of a set: `row` holds its fields under their wire names in a fixed order, absent ones left out.

    Made by `policy.calibration.fixture_lines`, which checks every field.
    """

    id: str
    kind: Kind
    row: Mapping[str, Any]

    @property
    def expect(self) -> Mapping[str, Any]:
        """The label: what should be decided, or for a generic row what is true."""
        return {"label": self.row["label"]} if self.kind is Kind.GENERIC else self.row["expect"]

    @property
    def title(self) -> str:
        """The label in a word, for tables."""
        wanted = self.expect
        named = wanted.get("selected") or [wanted[key] for key in ("skill", "route") if wanted.get(key)]
        return ", ".join(named) or str(wanted.get("status", wanted.get("label")))

    @property
    def asks(self) -> bool:
        """Whether a judge is asked at all: a logged probability is its own measurement."""
        return "probability" not in self.row

    @property
    def group(self) -> str:
        """Rows of one group answer one question: the kind, or the question of a generic row."""
        if self.kind is not Kind.GENERIC:
            return self.kind.value
        question = self.row.get("question", "")
        return question if isinstance(question, str) else f"question {_sha256(question)[:8]}"

    @property
    def lang(self) -> str | None:
        return self.row.get("lang")

    @property
    def split(self) -> str | None:
        return self.row.get("split")

    @property
    def family(self) -> str | None:
        return self.row.get("family")

    @property
    def reason(self) -> str:
        """Why the label is right."""
        return str(self.row.get("reason", ""))

    @property
    def given(self) -> dict[str, Any]:
        """What the engine gets of it; two fixtures with the same are duplicates whatever their label says."""
        told = TOLD_OF_CALLS if self.kind in (Kind.ASSESSMENT, Kind.GENERIC) else TOLD
        return {key: value for key, value in self.row.items() if key not in told}

    @property
    def asked(self) -> str:
        """SHA-256 of what is asked; it stays when only the label changes."""
        return _sha256(self.given)

    @property
    def digest(self) -> str:
        """SHA-256 of the whole row. The order inside lists and free objects counts: a judge sees it."""
        return _sha256(self.row)

    @property
    def line(self) -> str:
        """The row as one line of JSON; reading it gives an equal fixture. Escaped where UTF-8 could not hold it."""
        text = json.dumps(self.row, ensure_ascii=False)
        return text if sendable(text) else json.dumps(self.row)


def set_digest(digests: Iterable[str]) -> str:
    """SHA-256 that identifies a set by the digests of its rows; their order does not count."""
    return hashlib.sha256("\n".join(sorted(digests)).encode("ascii")).hexdigest()


def export(fixtures: Iterable[Fixture]) -> str:
    """JSON lines; importing them gives a set with the same digest."""
    return "".join(f"{fixture.line}\n" for fixture in fixtures)


def _sha256(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode("ascii")).hexdigest()
