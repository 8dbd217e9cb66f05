"""Free questions: the state that leaves, answers that stand alone, rules, failures."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy.engine.decisions import Action
from policy.engine.evaluation import Evaluation, Rule, RuleKind, evaluate
from policy.engine.failures import Failure, FailureCode
from policy.engine.mode import Mode
from policy.engine.profile import InvalidConfig, Limits, Profile
from policy.engine.questions import Choice, Noul, Question, Score
from policy.judges.scripted import Script, ScriptedJudge
from tests.policy.engine.doubles import drive

pytestmark = pytest.mark.usefixtures("either_way")

QUESTIONS: dict[str, Question] = {
    "spam": Noul("Is it spam?"),
    "team": Choice("Whose is it?", {"sales": None, "support": None}),
    "anger": Score("How angry?", ("calm", "cross", "furious")),
}
RULES = [
    Rule("mail.spam", RuleKind.NOUL_AT_LEAST, "spam", Action.DENY, "looks like spam", value=0.8),
    Rule("mail.angry", RuleKind.SCORE_AT_LEAST, "anger", Action.ASK, "the writer is angry", value=1.5),
]


def evaluated(
    answers: dict[str, Any] | None = None, *, script: Script | None = None, **changed: Any
) -> tuple[Evaluation, ScriptedJudge]:
    judge = ScriptedJudge(script or Script(answers or {}))
    call = {"state": {"mail": "hello"}, "questions": QUESTIONS, "rules": RULES, "profile": Profile(), **changed}
    return drive(evaluate(**call), judge), judge


def test_one_request_answers_everything_and_rules_say_what_they_measured() -> None:
    told, judge = evaluated({"spam": {"noul": 0.9}, "anger": {"score": 2}})
    assert len(judge.requests) == 1
    assert list(told.answers) == ["spam", "team", "anger"]
    assert [decision.reason for decision in told.decisions] == [
        "looks like spam (noul=0.900 >= 0.800)",
        "the writer is angry (score=2 >= 1.500)",
    ]
    assert (told.ok, told.applied, told.action) == (True, True, Action.DENY)


def test_nothing_fires_and_every_rule_could_look_is_an_allow() -> None:
    told, _ = evaluated()
    assert (told.decisions, told.skipped, told.action) == ((), (), Action.ALLOW)


def test_one_bad_answer_leaves_the_others_and_is_no_permission() -> None:
    told, _ = evaluated({"spam": {"wrongType": True}, "anger": {"score": 2}})
    assert list(told.answers) == ["team", "anger"]
    assert told.failure is not None
    assert told.failure.code is FailureCode.INVALID_RESPONSE
    assert [decision.rule for decision in told.decisions] == ["mail.angry"]
    assert (told.skipped, told.action, told.applied) == (("mail.spam",), None, False)


def test_a_rule_that_cannot_look_never_leaves_an_allow() -> None:
    stray = Rule("stray", RuleKind.NOUL_BELOW, "nobody asked", Action.DENY, "why", value=0.5)
    told, _ = evaluated(rules=[*RULES, stray])
    assert (told.ok, told.skipped, told.action) == (True, ("stray",), None)


@pytest.mark.parametrize("code", list(FailureCode))
def test_every_failure_of_a_judge_is_a_result_without_decisions(code: FailureCode) -> None:
    told, _ = evaluated(script=Script(error=Failure(code, "scripted")))
    assert told.failure is not None
    assert told.failure.code is code
    assert (told.ok, told.decisions, told.action, told.applied) == (False, (), None, False)
    assert told.diagnostics.stages == ("provider", "provider:failed")


def test_off_asks_nobody_in_the_words_of_the_reference() -> None:
    told, judge = evaluated(mode=Mode.OFF)
    assert told.failure == Failure(FailureCode.OFF, "mode is off: no evaluation was performed", unsent=True)
    assert (judge.requests, told.diagnostics.stages, told.action) == ([], ("mode:off",), None)


def test_shadow_decides_and_applies_nothing() -> None:
    told, _ = evaluated({"spam": {"noul": 1}}, mode=Mode.SHADOW)
    assert (told.action, told.applied, told.decisions[0].applied) == (Action.DENY, False, False)


def test_secrets_leave_neither_by_name_nor_inside_a_text() -> None:
    state = {"api-key": "k-1", "house": "k-2", "note": "run it with password=k-3 please", "list": [{"Token": "k-4"}]}
    told, judge = evaluated(state=state, redact_keys=["house"])
    sent = judge.requests[0].encoded().decode()
    assert not [secret for secret in ("k-1", "k-2", "k-3", "k-4") if secret in sent]
    assert told.losses == ()


def test_what_is_cut_is_told_by_its_place() -> None:
    limits = Limits(max_state_chars=200, max_array_items=2, max_depth=3)
    state = {"mail": "x" * 201, "to": ["a", "b", "c"], "deep": {"a": {"b": {"c": 1}}}}
    told, judge = evaluated(state=state, profile=Profile(limits=limits))
    assert {loss.path.split("[")[0].split(".")[0] for loss in told.losses} >= {"mail", "to", "deep"}
    assert "x" * 201 not in judge.requests[0].encoded().decode()


def test_a_text_is_a_state_too() -> None:
    told, judge = evaluated(state="hello password=k-3")
    assert "k-3" not in str(judge.requests[0].state)
    assert told.losses == ()


def test_a_state_that_stays_too_long_is_not_sent() -> None:
    told, judge = evaluated(state={f"part {number}": "x" * 900 for number in range(9)}, profile=Profile())
    assert told.failure is not None
    assert told.failure.code is FailureCode.INCOMPLETE_INPUT
    assert "at most 8000 are sent" in told.failure.message
    assert (judge.requests, told.action) == ([], None)


@pytest.mark.parametrize(
    ("questions", "message"),
    [
        ({}, "at least one question"),
        ({" ": Noul("?")}, "non-empty text"),
        ({"q\ud800": Noul("?")}, "non-empty text"),
        ({"q": Score("?", ("one",))}, "2 to 10 levels; it has 1"),
        ({"q": Choice("?", {})}, "1 to 255 labels"),
        ({"q": Choice("?", dict.fromkeys(map(str, range(256))))}, "it has 256"),
        ({"q": Choice("?", {"\ud800": None})}, "cannot be sent"),
    ],
)
def test_questions_that_no_judge_takes_are_refused_at_once(questions: Any, message: str) -> None:
    with pytest.raises(InvalidConfig, match=message):
        evaluate(state={}, questions=questions, profile=Profile())


@pytest.mark.parametrize("state", [None, 3, ["a"]])
def test_a_state_is_an_object_or_a_text(state: Any) -> None:
    with pytest.raises(InvalidConfig, match="a state must be an object or a text"):
        evaluated(state=state)


def test_the_result_as_json_labels_what_was_computed_here() -> None:
    told, _ = evaluated({"team": {"choice": {"choice": "sales", "confidence": 0.9}}})
    decision = json.loads(json.dumps(told.decision_json()))
    assert decision["answers"]["team"]["confidence"] == 0.9
    assert decision["computed_confidence"] == {"team": pytest.approx(0.8), "anger": 1.0}
    assert "latency_ms" not in decision
    assert told.to_json()["diagnostics"]["question_sizes"] == {"team": 2}


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(max_size=8), JUNK, max_size=4) | st.text(max_size=90))
def test_any_state_leads_to_a_result_that_can_be_stored(state: Any) -> None:
    told, judge = evaluated(state=state, profile=Profile(limits=Limits(max_state_chars=40)))
    assert told.ok == bool(judge.requests)
    json.dumps(told.to_json(), allow_nan=False).encode()
