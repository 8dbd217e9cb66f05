"""The scripted judge answers as told and records what it was asked."""

from __future__ import annotations

import json
from typing import Any

import pytest

from policy.engine.contract import validate
from policy.engine.failures import Failure, FailureCode, JudgeFailed
from policy.engine.judge import JudgeRequest
from policy.engine.questions import Choice, Noul, Question, Score
from policy.judges.scripted import MOST_KEPT, Script, ScriptedJudge

QUESTIONS: dict[str, Question] = {
    "n": Noul("?"),
    "c": Choice("?", dict.fromkeys("abc")),
    "s": Score("?", ("l", "m", "h")),
}


def answers(spec: dict[str, Any], **questions: Question) -> dict[str, Any]:
    request = JudgeRequest({}, questions or QUESTIONS, "test")
    told: dict[str, Any] = ScriptedJudge(Script(spec)).ask(request, timeout_s=1).body["answers"]
    return told


def test_unscripted_answers_are_valid() -> None:
    reply = ScriptedJudge().ask(JudgeRequest({}, QUESTIONS, "test"), timeout_s=1)
    assert validate(reply.body, QUESTIONS).failure is None
    assert json.loads(reply.raw) == reply.body


def test_ask_first_is_answered_no_unless_scripted() -> None:
    assert answers({}, ask_first=Noul("?")) == {"ask_first": {"type": "noul", "noul": 0.0}}
    assert answers({"ask_first": {"noul": 0.8}}, ask_first=Noul("?"))["ask_first"]["noul"] == 0.8


@pytest.mark.parametrize(("value", "level"), [(0, "0"), (0.49, "0"), (0.5, "1"), (1.5, "2"), (9, "2"), (-4, "0")])
def test_a_score_sits_on_the_nearest_level(value: float, level: str) -> None:
    told = answers({"s": {"score": value}}, s=QUESTIONS["s"])["s"]
    assert told["probabilities"][level] == 1
    assert sum(told["probabilities"].values()) == 1


def test_answers_can_be_left_out_or_be_of_another_type() -> None:
    told = answers({"n": {"omit": True}, "c": {"wrongType": True}, "s": {"wrongType": True}})
    assert "n" not in told
    assert (told["c"]["type"], told["s"]["type"]) == ("score", "noul")


def test_a_misspelt_spec_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="the script of n has no key nuol; known keys are choice"):
        answers({"n": {"nuol": 0.5}})


def test_a_script_per_call_wins_and_every_request_is_kept() -> None:
    judge = ScriptedJudge(script_for=lambda _, call: Script(model=f"m-{call}") if call else None)
    request = JudgeRequest({}, QUESTIONS, "test")
    models = [judge.ask(request, timeout_s=1).body["model"] for _ in range(2)]
    assert models == ["mock/jev-synthetic", "m-1"]
    assert judge.requests == [request, request]


@pytest.mark.parametrize(
    ("judge", "code"),
    [
        (ScriptedJudge(Script(error=Failure(FailureCode.RATE_LIMIT, "wait"))), FailureCode.RATE_LIMIT),
        (ScriptedJudge(pause_s=5), FailureCode.TIMEOUT),
    ],
)
def test_a_scripted_error_and_a_long_pause_are_raised_and_recorded(judge: ScriptedJudge, code: FailureCode) -> None:
    with pytest.raises(JudgeFailed) as raised:
        judge.ask(JudgeRequest({}, QUESTIONS, "test"), timeout_s=0.001)
    assert raised.value.failure.code is code
    assert len(judge.requests) == 1


def test_only_the_last_requests_are_kept_and_calls_count_on() -> None:
    judge = ScriptedJudge(script_for=lambda _, call: Script(model=f"m-{call}"))
    for _ in range(MOST_KEPT + 5):
        last = judge.ask(JudgeRequest({}, QUESTIONS, "test"), timeout_s=1)
    assert (len(judge.requests), last.body["model"]) == (MOST_KEPT, f"m-{MOST_KEPT + 4}")
