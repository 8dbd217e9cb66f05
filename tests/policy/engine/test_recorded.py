"""Every complete recorded answer of the real judge meets the contract, and every complete reply as a whole."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from policy.engine.answer_checks import check_answer
from policy.engine.answers import ChoiceAnswer
from policy.engine.contract import validate
from policy.engine.questions import Choice, Noul, Question, Score

RECORDED = Path(__file__).parents[4] / "shared" / "recorded"
FIELDS = {"noul": {"noul"}, "choice": {"choice", "probabilities", "confidence"}}
FIELDS["score"] = {"score", "probabilities", "confidence"}

pytestmark = pytest.mark.skipif(not RECORDED.is_dir(), reason="recorded answers are not part of this checkout")


def documents() -> Iterator[tuple[str, Any]]:
    for path in sorted(RECORDED.rglob("*.json*")):
        text = path.read_text(encoding="utf-8")
        parts = text.splitlines() if path.suffix == ".jsonl" else [text]
        yield from ((path.name, json.loads(part)) for part in parts)


def objects(value: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, dict):
        yield value
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from objects(item)


def answers() -> Iterator[tuple[str, dict[str, Any]]]:
    """Answers with all their fields; one source names the type `question`."""
    for name, document in documents():
        for value in objects(document):
            kind = value.get("type", value.get("question"))
            if isinstance(kind, str) and FIELDS.get(kind, {"?"}) <= value.keys():
                yield name, {**value, "type": kind}


def asked(answer: Mapping[str, Any]) -> Question:
    if answer["type"] == "noul":
        return Noul("?")
    labels = answer["probabilities"]
    return Choice("?", dict.fromkeys(labels)) if answer["type"] == "choice" else Score("?", tuple(labels))


def test_every_recorded_answer_is_valid_and_validation_is_a_fixed_point() -> None:
    found = list(answers())
    for name, answer in found:
        once = check_answer(name, asked(answer), answer)
        assert once.violations == ()
        assert once.answer is not None
        assert check_answer(name, asked(answer), once.answer.to_json()) == once
    assert len(found) > 300


def test_every_recorded_reply_is_valid_as_a_whole() -> None:
    replies = [value for _, document in documents() for value in objects(document) if _is_reply(value)]
    for reply in replies:
        questions = {name: asked(answer) for name, answer in reply["answers"].items()}
        checked = validate(reply, questions)
        assert checked.violations == ()
        assert checked.usage.input_tokens == reply["usage"]["input_tokens"]
    assert len(replies) > 30


def test_the_two_recorded_totals_of_99_hundredths_are_divided_and_kept() -> None:
    probe = json.loads((RECORDED / "Kevthetech143-super-jev" / "shuffled-probe.two-records.json").read_text())
    for record in probe["answers"].values():
        shares = record["probabilities"]
        answer = {**record, "choice": max(shares, key=lambda label: shares[label]), "confidence": 0.5}
        checked = check_answer("it", asked(record), answer).answer
        assert isinstance(checked, ChoiceAnswer)
        assert checked.raw_probabilities == shares


def _is_reply(value: Mapping[str, Any]) -> bool:
    known = value.get("answers")
    return (
        isinstance(known, dict)
        and {"model", "usage"} <= value.keys()
        and all("type" in each for each in known.values())
    )
