"""The reply as a whole: envelope, usage, and answers that stand or fall alone."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from policy.engine.answers import NoulAnswer
from policy.engine.contract import MAX_UNKNOWN_LISTED, Usage, validate
from policy.engine.failures import FailureCode
from policy.engine.questions import Choice, Noul, Question, Score

QUESTIONS: dict[str, Question] = {
    "go": Noul("?"),
    "team": Choice("?", {"a": None, "b": None}),
    "sev": Score("?", ("lo", "hi")),
}
GOOD: dict[str, Any] = {
    "go": {"type": "noul", "noul": 0.3},
    "team": {"type": "choice", "choice": "a", "confidence": 0.5, "probabilities": {"a": 0.6, "b": 0.39}},
    "sev": {"type": "score", "score": 1, "confidence": 1, "probabilities": {"0": 0, "1": 1}},
}


def body(answers: Any = None, **more: Any) -> dict[str, Any]:
    return {"model": "m-1", "answers": {**copy.deepcopy(GOOD), **(answers or {})}, **more}


def paths(value: Any) -> list[str]:
    return [violation.path for violation in validate(value, QUESTIONS).violations]


def test_a_good_reply_has_every_answer_and_no_failure() -> None:
    checked = validate(body(usage={"input_tokens": 5, "output_tokens": 0}), QUESTIONS)
    assert list(checked.answers) == ["go", "team", "sev"]
    assert checked.failure is None
    assert checked.usage == Usage(5, 0)


def test_one_bad_answer_leaves_the_others_usable() -> None:
    checked = validate(body({"team": {"type": "choice"}}), QUESTIONS)
    assert list(checked.answers) == ["go", "sev"]
    assert list(checked.by_question) == ["team"]
    assert checked.failure is not None
    assert checked.failure.code is FailureCode.INVALID_RESPONSE


def test_validation_writes_nothing_to_its_input() -> None:
    given = body({"ghost": 1})
    before = copy.deepcopy(given)
    validate(given, QUESTIONS)
    assert given == before


def test_validation_is_a_fixed_point() -> None:
    once = validate(body(), QUESTIONS)
    assert validate(once.to_json(), QUESTIONS) == once


@pytest.mark.parametrize("value", [None, [], "x", 3, True])
def test_a_reply_that_is_no_object_answers_nothing(value: Any) -> None:
    checked = validate(value, QUESTIONS)
    assert paths(value) == [""]
    assert checked.answers == {}
    assert checked.usage == Usage()


@pytest.mark.parametrize("answers", [None, [], "x"])
def test_answers_must_be_an_object(answers: Any) -> None:
    assert paths({"model": "m", "answers": answers}) == ["answers"]


@pytest.mark.parametrize("model", [None, "", 7, ["m"], "m\ud800", "m\x00", "m" * 201])
def test_a_reply_names_its_model_and_the_answers_stay_valid_without(model: Any) -> None:
    checked = validate({**body(), "model": model}, QUESTIONS)
    assert [violation.path for violation in checked.violations] == ["model"]
    assert checked.model is None
    assert len(checked.answers) == 3


@pytest.mark.parametrize(
    ("usage", "known"),
    [
        (None, Usage()),
        ({}, Usage()),
        ({"input_tokens": 7}, Usage(7, None)),
        ({"input_tokens": None, "output_tokens": 3}, Usage(None, 3)),
        ({"input_tokens": 7.0, "output_tokens": 0}, Usage(7, 0)),
    ],
)
def test_usage_that_is_not_told_is_unknown_and_never_zero(usage: Any, known: Usage) -> None:
    checked = validate(body(usage=usage), QUESTIONS)
    assert checked.usage == known
    assert not checked.violations


@pytest.mark.parametrize("count", [-1, 1.5, "7", True, float("nan"), float("inf"), 10**30])
def test_a_token_count_is_a_whole_number(count: Any) -> None:
    checked = validate(body(usage={"input_tokens": count, "output_tokens": 1}), QUESTIONS)
    assert [violation.path for violation in checked.violations] == ["usage.input_tokens"]
    assert checked.usage == Usage(None, 1)


def test_answers_that_nobody_asked_for_are_listed_up_to_a_number() -> None:
    found = paths(body({f"ghost{number}": 1 for number in range(30)}))
    assert len(found) == MAX_UNKNOWN_LISTED + 1
    assert found[0] == "answers.ghost0"
    assert found[-1] == "answers"


def test_unknown_fields_never_reach_an_answer() -> None:
    answers = {"go": {"type": "noul", "noul": 0.3, "confidence": 0.9, "action": "allow"}}
    assert validate(body(answers), QUESTIONS).answers["go"] == NoulAnswer(0.3)


def test_what_was_received_is_shortened() -> None:
    checked = validate(body({"go": "x" * 500}), QUESTIONS)
    assert len(checked.violations[0].received) == 121


def test_the_failure_counts_and_names_the_first_place() -> None:
    failure = validate(body({"go": None, "sev": []}), QUESTIONS).failure
    assert failure is not None
    assert failure.message == "the judge's reply breaks the contract in 2 places, first answers.go: " + (
        "an answer must be an object"
    )
