"""A score with labelled examples in its state, and without."""

from __future__ import annotations

from typing import Any

import pytest

from policy.engine.questions import Score
from policy.judges.local import LocalJudge
from policy.judges.local.score import LEAST_EXAMPLES, examples_of
from tests.policy.judges.conftest import answer, ask

QUESTION = Score("How urgent is it?", ("can wait", "this week", "at once"))
LABELLED = [
    ("The cellar is under water.", 2),
    ("Gas smells in the kitchen.", 2),
    ("The roof is burning.", 2),
    ("The fence wants some paint.", 0),
    ("A brochure came with the mail.", 0),
    ("The lawn could be shorter.", 0),
    ("The boiler needs its service.", 1),
]


def _state(
    text: str, labelled: list[tuple[str, Any]] = LABELLED, question: str = QUESTION.instructions
) -> dict[str, Any]:
    examples = [{"question": question, "text": told, "level": level} for told, level in labelled]
    return {"task": text, "examples": examples}


@pytest.mark.parametrize("with_vectors", [True, False])
def test_the_levels_of_near_examples_move_the_score(judge: LocalJudge, words: LocalJudge, with_vectors: bool) -> None:
    asked = judge if with_vectors else words
    high = answer(asked, _state("Water runs into the cellar."), QUESTION)["score"]
    assert high > answer(asked, _state("Somebody could paint the fence."), QUESTION)["score"]


def test_a_score_says_whether_examples_were_read(words: LocalJudge) -> None:
    with_examples = ask(words, _state("Water runs in."), urgent=QUESTION).notes
    without = ask(words, {"task": "Water runs in."}, urgent=QUESTION).notes
    assert with_examples[-1] == "urgent: score from 7 labelled examples."
    assert without[-1] == "urgent: score from closeness to the level texts, uncalibrated."


@pytest.mark.parametrize(
    "labelled",
    [
        LABELLED[: LEAST_EXAMPLES - 1],
        [(text, 1) for text, _ in LABELLED],
        [(text, 3) for text, _ in LABELLED],
        [(text, True) for text, _ in LABELLED],
    ],
)
def test_too_few_one_level_only_or_unknown_levels_are_no_examples(labelled: list[tuple[str, Any]]) -> None:
    assert examples_of(QUESTION, _state("Water runs in.", labelled)) == []


def test_examples_of_another_question_are_not_read() -> None:
    assert examples_of(QUESTION, _state("Water runs in.", question="How loud is it?")) == []


def test_examples_are_no_part_of_what_is_asked(words: LocalJudge) -> None:
    text = {"note": "Water runs in."}
    with_examples = {**text, "examples": _state("", question="How loud is it?")["examples"]}
    assert answer(words, with_examples, QUESTION) == answer(words, text, QUESTION)
