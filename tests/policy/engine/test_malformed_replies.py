"""Replies that broke other clients: none of them grants anything, and no sound one is refused."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from policy.engine.answers import ScoreAnswer
from policy.engine.contract import validate
from policy.engine.failures import FailureCode
from policy.engine.judge import JudgeRequest
from policy.engine.questions import Choice, Noul, Question, Score
from tests.policy.engine.doubles import drive
from tests.policy.engine.functions import ACCENTED, FUNCTIONS, Function, Spoiling, favourable_reply
from tests.policy.engine.reports import ACCEPTED, ELSEWHERE, REFUSED, Each, Report, shares

pytestmark = pytest.mark.usefixtures("either_way")

QUESTIONS: dict[str, Question] = {
    "go": Noul("?"),
    "tool": Choice("?", {ACCENTED: None, "print": None, "shred": None}),
    "risk": Score("?", ("none", "some", "much", "total")),
}
by_function = pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.name)


def by_report(reports: tuple[Report, ...]) -> Any:
    return pytest.mark.parametrize("report", reports, ids=lambda report: report.id)


def spoiled(report: Report) -> Any:
    return report.spoil(favourable_reply(JudgeRequest({}, QUESTIONS, "test")))


def untouched(body: Any) -> set[str]:
    """The questions whose answer is still the sound one."""
    sound = favourable_reply(JudgeRequest({}, QUESTIONS, "test"))["answers"]
    kept = body.get("answers") if isinstance(body, dict) else None
    return {name for name in sound if isinstance(kept, dict) and repr(kept.get(name)) == repr(sound[name])}


def played(function: Function, report: Report) -> tuple[Any, bool]:
    """The result of the function, and whether the report changed any reply that it read."""
    judge = Spoiling(report.spoil, optional=function.optional)
    return drive(function.steps(), judge), judge.touched


@by_report(REFUSED)
def test_the_reply_breaks_the_contract_and_only_broken_answers_are_lost(report: Report) -> None:
    body = spoiled(report)
    before = repr(body)
    checked = validate(body, QUESTIONS)
    assert checked.failure is not None
    assert checked.failure.code is FailureCode.INVALID_RESPONSE
    assert set(checked.answers) == untouched(body)
    assert repr(body) == before


@by_function
@by_report(REFUSED)
def test_a_broken_reply_grants_nothing(function: Function, report: Report) -> None:
    result, touched = played(function, report)
    assert function.granted(result) == (not touched)
    assert (result.failure is not None) == touched
    told = result.to_json()
    assert json.loads(json.dumps(told, allow_nan=False).encode()) == told, "what is told of it cannot be stored"


def test_every_report_reaches_a_function() -> None:
    for report in REFUSED:
        assert any(played(function, report)[1] for function in FUNCTIONS), report.id


@by_report(tuple(report for report in REFUSED if report.kind == "score"))
def test_a_broken_risk_is_dropped_and_the_call_still_judged(report: Report) -> None:
    assessed = next(function for function in FUNCTIONS if function.name == "assess")
    result, _ = played(assessed, report)
    assert result.values.risk is None
    assert result.status == "allow"
    assert result.diagnostics.requests[0].violations


@by_function
@by_report(ACCEPTED)
def test_a_sound_reply_is_not_refused(function: Function, report: Report) -> None:
    result, _ = played(function, report)
    assert function.granted(result)
    assert result.failure is None


@by_report(ACCEPTED)
def test_a_sound_reply_has_every_answer(report: Report) -> None:
    checked = validate(spoiled(report), QUESTIONS)
    assert list(checked.answers) == list(QUESTIONS)
    assert checked.violations == ()


@pytest.mark.parametrize("number", [25, 26])
def test_tokens_under_names_that_nobody_knows_are_unknown_and_not_zero(number: int) -> None:
    report = next(report for report in ACCEPTED if report.number == number)
    result, _ = played(FUNCTIONS[0], report)
    assert result.diagnostics.usage.to_json() is None


def test_a_legend_is_never_read_from_the_reply() -> None:
    """Report 14: the levels that were sent are the only ones; a foreign legend is dropped."""
    report = next(report for report in ACCEPTED if report.what == "a legend of another rubric")
    answer = validate(spoiled(report), QUESTIONS).answers["risk"]
    assert isinstance(answer, ScoreAnswer)
    assert "burns" not in json.dumps(answer.to_json())


@pytest.mark.parametrize("function", [each for each in FUNCTIONS if each.name not in ("assess", "evaluate")])
def test_the_measured_probability_decides_and_not_the_label(function: Function) -> None:
    """Report 29: the favoured label at one part in n is named, and too weak."""

    def even(sent: dict[str, Any]) -> dict[str, Any]:
        return {label: round(1 / len(sent), 4) for label in sent}

    result = drive(function.steps(), Spoiling(Each("choice", shares(even))))
    assert result.failure is None
    assert not result.applied


def test_two_short_totals_do_not_void_a_batch_of_32() -> None:
    """Report 10."""
    questions = {f"q{number}": Choice("?", {"a": None, "b": None}) for number in range(32)}
    body = favourable_reply(JudgeRequest({}, questions, "test"))
    for name in ("q3", "q17"):
        body["answers"][name]["probabilities"] = {"a": 0.9, "b": 0.09}
    checked = validate(body, questions)
    assert len(checked.answers) == 32
    assert checked.failure is None


def test_every_public_report_is_a_test_or_has_a_place_elsewhere() -> None:
    told = {report.number for report in (*REFUSED, *ACCEPTED)}
    assert told | ELSEWHERE.keys() == set(range(1, 62))
    assert not told & ELSEWHERE.keys()


def test_the_files_that_are_named_for_the_rest_are_there() -> None:
    here = Path(__file__).parent
    named = {name for place in ELSEWHERE.values() for name in re.findall(r"[\w/]*test_\w+\.py", place)}
    assert len(named) > 2
    assert [name for name in named if not list(here.rglob(Path(name).name))] == []
