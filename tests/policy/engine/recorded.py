"""Answers that real judges gave, read from `../shared/recorded` where that folder is; never part of the project."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from policy.engine.questions import Choice, Noul, Question, Score

FOLDER = Path(__file__).parents[4] / "shared" / "recorded"
FIELDS = {
    "noul": {"noul"},
    "choice": {"choice", "probabilities", "confidence"},
    "score": {"score", "probabilities", "confidence"},
}


@dataclass(frozen=True)
class Recorded:
    """One answer in our field names; `complete` says whether its source published all fields of its kind."""

    source: str
    answer: Mapping[str, Any]

    @property
    def complete(self) -> bool:
        return FIELDS[self.answer["type"]] <= self.answer.keys()

    @property
    def question(self) -> Question:
        """A question with the labels or levels that were answered."""
        match self.answer["type"]:
            case "noul":
                return Noul("?")
            case "choice":
                return Choice("?", dict.fromkeys(self.answer["probabilities"]))
            case _:
                return Score("?", tuple(self.answer["probabilities"]))

    def completed(self) -> dict[str, Any]:
        """A partial answer with what its source left out, so that its distribution is what is judged."""
        shares = self.answer["probabilities"]
        total = sum(shares.values())
        told = {
            "choice": {"choice": max(shares, key=lambda label: shares[label])},
            "score": {"score": sum(place * share for place, share in enumerate(shares.values())) / total},
        }
        return {"confidence": 0.5, **told[self.answer["type"]], **self.answer}


def documents() -> Iterator[tuple[str, Any]]:
    for path in sorted(FOLDER.rglob("*.json*")):
        text = path.read_text(encoding="utf-8")
        parts = text.splitlines() if path.suffix == ".jsonl" else [text]
        yield from ((f"{path.parent.name}/{path.name}", json.loads(part)) for part in parts)


def objects(value: Any) -> Iterator[Mapping[str, Any]]:
    """Every object of a document, from the outside in, but for the distributions inside answers."""
    if isinstance(value, dict):
        yield value
        inside = [item for key, item in value.items() if key != "probabilities"]
    else:
        inside = value if isinstance(value, list) else []
    for item in inside:
        yield from objects(item)


def answers() -> list[Recorded]:
    """Every recorded answer, whatever its source calls its fields."""
    found = ((name, _answer(value)) for name, document in documents() for value in objects(document))
    return [Recorded(name, answer) for name, answer in found if answer is not None]


def replies() -> list[Mapping[str, Any]]:
    """The replies that were recorded as they came over the wire."""
    return [value for _, document in documents() for value in objects(document) if _is_reply(value)]


def _answer(value: Mapping[str, Any]) -> dict[str, Any] | None:
    match value:
        case {"p": p}:
            return {"type": "noul", "noul": p}
        case {"value": str(label), "probabilities": _}:
            return {**value, "type": "choice", "choice": label}
        case {"value": level, "probabilities": _}:
            return {**value, "type": "score", "score": level}
        case {"type": "noul", "noul": _} | {"question": "noul"}:
            return {**value, "type": "noul"}
        case {"probabilities": _}:
            return {**value, "type": value.get("type", value.get("question"))}
        case {"billing": float(), "technical": float()}:
            return {"type": "choice", "probabilities": value}
    return None


def _is_reply(value: Mapping[str, Any]) -> bool:
    known = value.get("answers")
    return (
        isinstance(known, dict)
        and {"model", "usage"} <= value.keys()
        and all("type" in each for each in known.values())
    )
