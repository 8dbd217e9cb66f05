"""How the engine is run for each area of the policy cases; each function tells all keys that a case may expect."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from policy.engine.contract import Validated, validate
from policy.engine.drive import run
from policy.engine.failures import Failure, FailureCode
from policy.engine.judge import JudgeRequest
from policy.engine.profile import InvalidConfig, Profile
from policy.engine.questions import Choice, Noul, Question, Score
from policy.engine.selection import Candidate, Category, DropReason, Mode, Selection, select_tools
from policy.judges.scripted import Script, ScriptedJudge
from tests.policy.engine.doubles import Clock, SlowJudge, one_request

Input = Mapping[str, Any]
NOT_PREFILTER = {DropReason.RESTRICTED, DropReason.NOT_PICKED, DropReason.CATEGORY_NOT_RELEVANT}


def config(given: Input) -> dict[str, Any]:
    sections = {key: given[key] for key in ("thresholds", "limits", "onFailure") if key in given}
    try:
        told = Profile.from_json(sections).to_json()
    except InvalidConfig as error:
        return {"error": error.code.value, "messageContains": str(error)}
    return {"ok": True, **told}


def questions(wire: Input) -> dict[str, Question]:
    return {name: _question(each) for name, each in wire.items()}


def check(given: Input) -> dict[str, Any]:
    checked = validate(given["reply"], questions(given["questions"]))
    return {**_told(checked), "paths": [violation.path for violation in checked.violations]}


def mock(given: Input) -> dict[str, Any]:
    asked = questions(given["questions"])
    judge = ScriptedJudge(Script(given.get("answers", {})))
    reply = judge.ask(JudgeRequest({}, asked, "mock"), timeout_s=1)
    return _told(validate(reply.body, asked))


def select(given: Input) -> dict[str, Any]:
    judge = ScriptedJudge(script_for=lambda _, call: _script(given, call))
    profile = Profile.from_json({key: given[key] for key in ("thresholds", "limits") if key in given})
    steps = select_tools(
        task=given["task"],
        step=given.get("step"),
        candidates=[Candidate(**{**each, "categories": tuple(each["categories"])}) for each in given["candidates"]],
        categories=[Category(**each) for each in given.get("categories", [])],
        profile=profile,
        always_allow=given.get("alwaysAllow", []),
        max_selected=given.get("maxSelected"),
        mode=Mode(given.get("mode", "enforce")),
    )
    selection = run(steps, judge, budget_ms=profile.limits.budget_ms)
    return {**_selection(selection), **_requests(given, judge)}


def failure(given: Input) -> dict[str, Any]:
    clock = Clock()
    aborts_at = given.get("callerAbortsAfterMs", 10**9) / 1000
    told = run(
        one_request(),
        SlowJudge(clock, delay_s=given.get("providerDelayMs", 0) / 1000, breaks="providerThrows" in given),
        budget_ms=given.get("budgetMs", 8000),
        cancelled=lambda: clock() >= aborts_at,
        clock=clock,
    )
    assert isinstance(told, Failure)
    return {"failure": told.code.value, "retryable": told.retryable}


def _selection(selection: Selection) -> dict[str, Any]:
    return {
        "status": selection.status.value,
        "applied": selection.applied,
        "selected": [chosen.id for chosen in selection.selected],
        "expand": [chosen.id for chosen in selection.expand],
        "alwaysAllow": list(selection.always_allow),
        "failure": selection.failure.code.value if selection.failure else None,
        "stages": list(selection.diagnostics.stages),
        "lastStage": selection.diagnostics.stages[-1],
        "questionOptions": list(selection.diagnostics.question_sizes.values()),
        "restrictedSkipped": [each.id for each in selection.dropped if each.reason is DropReason.RESTRICTED],
        "prefiltered": [[each.id, each.reason.value] for each in selection.dropped if each.reason not in NOT_PREFILTER],
    }


def _requests(given: Input, judge: ScriptedJudge) -> dict[str, Any]:
    ids = [list(request.questions) for request in judge.requests]
    relevance = ids[0] if ids else []
    state: Mapping[str, Any] = judge.requests[0].to_wire()["state"] if judge.requests else {}
    return {
        "requests": len(ids),
        "questionIds": ids,
        "distinctQuestionIds": len(relevance) == len({c for each in given["candidates"] for c in each["categories"]}),
        "stepLength": len(state.get("step", "")),
        "taskPrefix": next(
            (place for place, (a, b) in enumerate(zip(state.get("task", ""), given["task"], strict=False)) if a != b),
            None,
        ),
    }


def _script(given: Input, call: int) -> Script:
    failing = given.get("errorOnCall", {})
    code = failing["code"] if failing.get("call") == call else given.get("error")
    error = Failure(FailureCode(code), "scripted") if code else None
    return Script(given.get("answers", {}), error=error)


def _told(checked: Validated) -> dict[str, Any]:
    valid = {"ok": True, "answers": checked.to_json()["answers"], "model": checked.model}
    invalid = {"error": checked.failure.code.value if checked.failure else None, "valid_answers": [*checked.answers]}
    return {**(invalid if checked.failure else valid), "usage": checked.usage.to_json()}


def _question(wire: Input) -> Question:
    match wire["type"]:
        case "noul":
            return Noul("?")
        case "choice":
            return Choice("?", wire["criteria"])
        case _:
            return Score("?", tuple(wire["criteria"]))
