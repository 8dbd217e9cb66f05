"""How the engine is run for the areas config, validate, mock, select and failure; each tells all keys of its lines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from policy.engine.contract import Validated, validate
from policy.engine.evaluation import Engine, evaluate
from policy.engine.failures import Failure, FailureCode, JudgeFailed
from policy.engine.judge import JudgeRequest
from policy.engine.mode import mode_of
from policy.engine.profile import InvalidConfig, Profile
from policy.engine.questions import Choice, Noul, Question, Score
from policy.engine.selection import Candidate, Category, DropReason, Selection, select_tools
from policy.judges.scripted import Script, ScriptedJudge
from tests.conformance.cases import Fragment, Runner
from tests.conformance.http_areas import live_key, over_http
from tests.policy.engine.doubles import Clock, SlowJudge, drive

Input = Mapping[str, Any]
SECTIONS = ("thresholds", "limits", "onFailure")
NOT_PREFILTER = {DropReason.RESTRICTED, DropReason.NOT_PICKED, DropReason.CATEGORY_NOT_RELEVANT}


def config(given: Input) -> dict[str, Any]:
    """A host's settings: the profile and the mode, which is `shadow` for a host that says nothing."""
    if "liveProvider" in given:
        return live_key(given)
    try:
        profile = profile_of(given)
        engine = Engine(ScriptedJudge(), profile=profile, **{key: given[key] for key in ("mode",) if key in given})
    except InvalidConfig as error:
        return refused(error)
    told = profile.to_json()
    del told["thresholds"]["askFirst"]  # ours, beside the eight of seed 000
    return {"ok": True, "mode": engine.mode.value, **{section: told[section] for section in SECTIONS}}


def check(given: Input) -> dict[str, Any]:
    checked = validate(given["reply"], questions(given["questions"]))
    return {**_told(checked), "paths": [violation.path for violation in checked.violations]}


def mock(given: Input) -> dict[str, Any]:
    asked = questions(given["questions"])
    more = {key: given[key] for key in ("model", "usage") if key in given}
    judge = ScriptedJudge(replace(_script(given, 0), **more))
    try:
        reply = judge.ask(JudgeRequest({}, asked, "mock"), timeout_s=1)
    except JudgeFailed as failed:
        return {"ok": False, "error": failed.failure.code.value, "retryable": failed.failure.retryable}
    told = _told(validate(reply.body, asked))
    for answer in told.get("answers", {}).values():
        if answer["type"] == "score":
            answer["legend"] = {}  # the form in which these lines compare a legend (spec 10)
    return told


def select(given: Input) -> dict[str, Any]:
    judge = scripted(given)
    try:
        profile = profile_of(given)
        steps = select_tools(
            task=given["task"],
            step=given.get("step"),
            candidates=[
                Candidate(**{**each, "categories": tuple(each.get("categories", ()))}) for each in given["candidates"]
            ],
            categories=[Category(**each) for each in given.get("categories", [])],
            profile=profile,
            always_allow=given.get("alwaysAllow", []),
            max_selected=given.get("maxSelected"),
            mode=mode_of(given.get("mode", "enforce")),
        )
    except InvalidConfig as error:
        return refused(error)
    selection = drive(steps, judge, budget_ms=profile.limits.budget_ms)
    return {**_selection(selection), **_requests(given, judge), **sent(given, judge)}


def failure(given: Input) -> dict[str, Any]:
    """The judge is a transport that ends with an abort when its time is up, and cannot say who caused that."""
    if "status" in given:
        return over_http(given)
    clock = Clock()
    aborts_at = given.get("callerAbortsAfterMs", 10**9) / 1000
    delay_s = given.get("providerDelayMs", 0) / 1000
    judge = SlowJudge(clock, delay_s=delay_s, breaks="providerThrows" in given, gives_up=FailureCode.ABORTED)
    told = drive(
        evaluate(
            state={"task": "t"},
            questions={"go": Noul("Go?")},
            profile=Profile(),
            mode=mode_of(given.get("mode", "enforce")),
        ),
        judge,
        budget_ms=given.get("budgetMs", 8000),
        cancelled=lambda: clock() >= aborts_at,
        clock=clock,
    )
    failed = told.failure
    return {
        "ok": told.ok,
        "failure": failed.code.value if failed else None,
        "retryable": failed.retryable if failed else None,
        "message": failed.message if failed else None,
        "requests": len(judge.timeouts),
    }


RUNNERS: dict[str, Runner] = {
    "config": config,
    "validate": check,
    "mock": mock,
    "select": select,
    "failure": failure,
}


def profile_of(given: Input) -> Profile:
    """The profile that a line's sections make; raises `InvalidConfig`."""
    return Profile.from_json({section: given[section] for section in SECTIONS if section in given})


def refused(error: InvalidConfig) -> dict[str, Any]:
    """What a line about a refused setting may expect."""
    return {"error": error.code.value, "message": str(error), "messageContains": Fragment(error)}


def scripted(given: Input) -> ScriptedJudge:
    """The judge of a line: its `answers`, or the `error` of every call, or the one of `errorOnCall`."""
    return ScriptedJudge(script_for=lambda _, call: _script(given, call))


def sent(given: Input, judge: ScriptedJudge) -> dict[str, Any]:
    """How often the judge was asked, and which of the line's `_probe` texts occur in anything sent."""
    probes = given.get("_probe", [])
    texts = [request.encoded().decode("utf-8", "surrogatepass") for request in judge.requests]
    return {
        "requests": len(judge.requests),
        "sentContains": [probe for probe in probes if any(probe in text for text in texts)],
    }


def questions(wire: Input) -> dict[str, Question]:
    return {name: _question(each) for name, each in wire.items()}


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
        "relevant": [result.category for result in selection.categories if result.relevant],
        "usage": selection.diagnostics.usage.to_json(),
        "model": next(iter(selection.diagnostics.models), None),
    }


def _requests(given: Input, judge: ScriptedJudge) -> dict[str, Any]:
    ids = [list(request.questions) for request in judge.requests]
    relevance = ids[0] if ids else []
    state: Mapping[str, Any] = judge.requests[0].to_wire()["state"] if judge.requests else {}
    return {
        "questionIds": ids,
        "distinctQuestionIds": len(relevance)
        == len({c for each in given["candidates"] for c in each.get("categories", ())}),
        "stepLength": len(state.get("step", "")),
        "taskLength": len(state.get("task", "")),
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
    invalid = {
        "ok": False,
        "error": checked.failure.code.value if checked.failure else None,
        "message": checked.failure.message if checked.failure else None,
        "valid_answers": [*checked.answers],
    }
    return {**(invalid if checked.failure else valid), "usage": checked.usage.to_json()}


def _question(wire: Input) -> Question:
    match wire["type"]:
        case "noul":
            return Noul("?")
        case "choice":
            return Choice("?", wire["criteria"])
        case _:
            return Score("?", tuple(wire["criteria"]))
