"""Bodies of `/v1/systemone`: what is accepted, what is refused where, and that it goes on as it came."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy.engine.judge import JudgeRequest
from policy.engine.questions import Choice, Noul, Score
from policy.gateway import requests
from policy.gateway.refusals import Refusal
from policy.gateway.requests import MOST_QUESTIONS
from policy.models import LedgerEntry
from tests.policy.gateway.conftest import CHOICE, NOUL, SCORE, Plays, Post, body

ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=12,
)


def asks(question: Any, **changes: Any) -> dict[str, Any]:
    return body(questions={"q": question}, **changes)


def parsed(whole: Any) -> requests.WireRequest:
    return requests.parse(json.dumps(whole).encode())[1]


REFUSED: list[tuple[Any, list[str | int], str]] = [
    (b'{"model": ', ["body", 10], "json_invalid"),
    (b'"\xff"', ["body", 0], "json_invalid"),
    (b'{"state": NaN}', ["body", 0], "json_invalid"),
    (b"[" * 100_000, ["body", 0], "json_invalid"),
    ([], ["body"], "dict_type"),
    (body(model=...), ["body", "model"], "missing"),
    (body(model=3), ["body", "model"], "string_type"),
    (body(state=...), ["body", "state"], "missing"),
    (body(state=None), ["body", "state", "str"], "string_type"),
    (body(questions=...), ["body", "questions"], "missing"),
    (body(questions={}), ["body", "questions"], "too_short"),
    (body(questions=[NOUL]), ["body", "questions"], "dict_type"),
    (body(questions={"": NOUL}), ["body", "questions", "", "[key]"], "string_too_short"),
    (body(questions=dict.fromkeys(map(str, range(MOST_QUESTIONS + 1)), NOUL)), ["body", "questions"], "too_long"),
    (body(assets={"a": {"type": "image"}}), ["body", "assets"], "unsupported"),
    (asks({"instructions": "?"}), ["body", "questions", "q"], "union_tag_not_found"),
    (asks({"type": "boolean", "instructions": "?"}), ["body", "questions", "q"], "union_tag_invalid"),
    (asks({"type": "box", "instructions": "the dog"}), ["body", "questions", "q", "box"], "unsupported"),
    (asks({"type": "noul"}), ["body", "questions", "q", "noul"], "missing"),
    (
        asks({**NOUL, "criteria": {"yes": "x"}}),
        ["body", "questions", "q", "noul", "criteria", "yes"],
        "extra_forbidden",
    ),
    (asks({**CHOICE, "criteria": {}}), ["body", "questions", "q", "choice", "criteria"], "too_short"),
    (asks({**CHOICE, "criteria": ["a"]}), ["body", "questions", "q", "choice", "criteria"], "dict_type"),
    (
        asks({**CHOICE, "criteria": dict.fromkeys(map(str, range(256)))}),
        ["body", "questions", "q", "choice", "criteria"],
        "too_long",
    ),
    (asks({**SCORE, "criteria": ["one"]}), ["body", "questions", "q", "score", "criteria"], "too_short"),
    (asks({**SCORE, "criteria": list("abcdefghijk")}), ["body", "questions", "q", "score", "criteria"], "too_long"),
    (asks({**SCORE, "criteria": {"0": "a", "1": "b"}}), ["body", "questions", "q", "score", "criteria"], "list_type"),
    (b'{"model": "scripted", "state": {"a": ["\\ud800"]}, "questions": {}}', ["body", "state", "a", 0], "value_error"),
    (b'{"model": "scripted", "state": "a\\u0000b", "questions": {}}', ["body", "state"], "value_error"),
    (b'{"model": "scripted", "state": [1e999], "questions": {}}', ["body", "state", 0], "value_error"),
    (asks({**NOUL, "instructions": "\ud800"}), ["body", "questions", "q", "instructions"], "value_error"),
]


@pytest.mark.parametrize(
    ("given", "loc", "kind"), REFUSED, ids=[f"{n}-{kind}" for n, (_, _, kind) in enumerate(REFUSED)]
)
def test_an_invalid_body_is_refused_at_its_place(given: Any, loc: list[str | int], kind: str, post: Post) -> None:
    refused = post(given)
    first = refused.json()["detail"][0]
    assert (refused.status_code, first["loc"], first["type"]) == (422, loc, kind)
    assert first.keys() == {"loc", "msg", "type"}
    assert not LedgerEntry.objects.exists()


def test_64_levels_are_deep_enough_and_65_too_deep() -> None:
    deep: Any = "here"
    for _ in range(64):
        deep = [deep]
    assert parsed(body(state=deep)).wire["state"] == deep
    with pytest.raises(Refusal, match="Nested more than 64 levels"):
        parsed(body(state=[deep]))


def test_a_box_is_refused_in_words(post: Post) -> None:
    message = post(asks({"type": "box"})).json()["detail"][0]["msg"]
    assert message == "A box question needs an image, and no judge here sees any. Ask a noul, choice or score"


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ({**NOUL, "criteria": None}, Noul(NOUL["instructions"])),
        ({**NOUL, "criteria": {"false": "no"}}, Noul(NOUL["instructions"], false="no")),
        ({"type": "noul", "criteria": {"true": "yes"}}, Noul("Which of the two descriptions fits?", true="yes")),
        ({**CHOICE, "instructions": None}, Choice("Which of these fits best?", CHOICE["criteria"])),
        (
            {"type": "choice", "instructions": ["Route it.", "Pick one."], "criteria": {"a": {"owns": ["b", 3]}}},
            Choice("Route it.\nPick one.", {"a": "owns: b\nowns: 3"}),
        ),
        ({**SCORE, "criteria": [{"label": "Calm"}, "Cross"]}, Score(SCORE["instructions"], ("label: Calm", "Cross"))),
    ],
)
def test_every_form_of_a_question_is_read(question: Any, asked: Any) -> None:
    assert parsed(asks(question)).questions == {"q": asked}


@pytest.mark.parametrize("state", ["text", {"b": 1, "a": [None, 1.50]}, ["x", {"y": 2}], "", {}, []])
def test_a_request_goes_on_exactly_as_it_came(state: Any, post: Post) -> None:
    questions = {
        "z": {**SCORE, "criteria": [{"label": "Calm"}, "Cross"]},
        "a": {"criteria": {"true": "x"}, "type": "noul"},
    }
    assert post(body(state=state, questions=questions, temperature=0)).status_code == 200
    kept = LedgerEntry.objects.get().request
    assert json.dumps(kept) == json.dumps({"state": state, "questions": questions})


def test_the_digest_is_that_of_the_same_request_from_anywhere() -> None:
    plain = JudgeRequest({"task": "x"}, {"q": Choice("Which?", {"a": None, "b": "B"})}, "other")
    assert parsed({"model": "m", **plain.to_wire()}).digest == plain.digest


def test_what_the_schema_does_not_know_is_left_out() -> None:
    wire = parsed(asks({**NOUL, "weight": 3}, seed=7)).to_wire()
    assert wire == {"state": "I was charged twice.", "questions": {"q": NOUL}}


@pytest.mark.parametrize("state", ["", {}, [], "   ", [1, 2], {"a": None}])
def test_the_judge_of_this_machine_answers_any_state(state: Any, post: Post) -> None:
    answered = post(body(model="local", state=state, questions={"a": NOUL, "b": CHOICE, "c": SCORE}))
    assert answered.status_code == 200, answered.content
    assert answered.json()["answers"].keys() == {"a", "b", "c"}


def test_one_option_is_certain(post: Post) -> None:
    answer = post(asks({"type": "choice", "criteria": {"only": None}}, model="local")).json()["answers"]["q"]
    assert (answer["choice"], answer["probabilities"], answer["confidence"]) == ("only", {"only": 1.0}, 1.0)


def test_names_come_back_letter_by_letter(post: Post) -> None:
    names = ["é", "e\u0301", "🙂 기타", "toString", "__proto__", " a "]
    answered = post(asks({"type": "choice", "criteria": dict.fromkeys(names)}, model="local")).json()["answers"]["q"]
    assert list(answered["probabilities"]) == names


def test_texts_only_is_for_judges_that_take_nothing_else() -> None:
    whole = parsed(asks({"type": "noul", "criteria": {"true": ["a", "b"]}}, state=[1]))
    assert whole.in_texts().to_wire() == {
        "state": [1],
        "questions": {
            "q": {
                "type": "noul",
                "instructions": "Which of the two descriptions fits?",
                "criteria": {"true": "a\nb", "false": None},
            }
        },
    }


@given(ANY_JSON, ANY_JSON, ANY_JSON, st.sampled_from(["noul", "choice", "score", "box"]))
def test_whatever_json_comes_is_read_or_refused(model: Any, state: Any, criteria: Any, kind: str) -> None:
    whole = {"model": model, "state": state, "questions": {"q": {"type": kind, "criteria": criteria}}}
    with suppress(Refusal):
        parsed(whole).encoded()


def test_a_request_beyond_the_vendors_tokens_is_too_long(post: Post) -> None:
    long = post(body(state="a b " * 33_000))
    assert (long.status_code, long.json()["detail"]["error_type"]) == (400, "max_tokens_exceeded")
    assert "State and longest question have some" in long.json()["detail"]["message"]
    many = {str(n): {**NOUL, "instructions": "word " * 1_000} for n in range(60)}
    assert "The request has some" in post(body(questions=many)).json()["detail"]["message"]


def test_nothing_is_sent_of_what_is_too_long(post: Post, scripted: Plays) -> None:
    judge = scripted()
    post(body(state="a b " * 33_000))
    assert judge.requests == []
