"""How calls are gated for the areas `assess`, `loop` and `redact`; lines of a host's side run against the gate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from policy.engine.assessment import RISK_LEVELS, Assessment, assess_call
from policy.engine.bounded_call import bound_value
from policy.engine.judge import JudgeReply, JudgeRequest
from policy.engine.loops import LoopDetector, Observation, call_key
from policy.engine.mode import mode_of
from policy.engine.profile import InvalidConfig, Limits, Profile
from policy.judges.scripted import Script, ScriptedJudge
from policy.services.gate import Gate, Kind, Ruling, Settings
from tests.conformance.cases import Fragment, Runner
from tests.conformance.engine_areas import profile_of, refused, scripted, sent
from tests.policy.engine.doubles import drive

Input = Mapping[str, Any]
SUBJECT = "agent"
HARMLESS = Script({"missing_information": {"noul": 0.1}, "violates_restriction": {"noul": 0.1}})


def assess(given: Input) -> dict[str, Any]:
    if "event" in given or "downstream" in given:
        return _gated(given)
    judge = scripted(given)
    try:
        profile = _profile(given)
        steps = assess_call(
            task=given["task"],
            step=given.get("step"),
            tool=given["toolId"],
            arguments=given["arguments"],
            restrictions=given["restrictions"],
            profile=profile,
            mode=mode_of(given.get("mode", "enforce")),
            include_risk=given.get("includeRiskScore", False),
            risk_levels=given.get("riskLevels", RISK_LEVELS),
        )
    except InvalidConfig as error:
        return refused(error)
    assessment = drive(steps, judge, budget_ms=profile.limits.budget_ms)
    return {**_assessment(assessment), **_requests(judge), **sent(given, judge)}


def loop(given: Input) -> dict[str, Any]:
    if "calls" in given:
        keys = {call_key(call["tool"], call["arguments"]) for call in given["calls"]}
        return {"sameKey": len(keys) == 1}
    if "identicalCalls" in given:
        return {"executed": _executed(given)}
    try:
        detector = LoopDetector(max_repeats=given["maxRepeats"], max_subjects=given["maxSubjects"])
    except TypeError as error:
        return {"error": type(error).__name__, "message": str(error), "messageContains": Fragment(error)}
    return {"out": [_step(detector, *step) for step in given["steps"]]}


def redact(given: Input) -> dict[str, Any]:
    options, limits = given.get("options", {}), Limits()
    bounded = bound_value(
        given["value"],
        max_chars=options.get("maxStringChars", limits.max_argument_chars),
        max_items=options.get("maxArrayItems", limits.max_array_items),
        max_depth=options.get("maxDepth", limits.max_depth),
        max_keys=options.get("maxObjectKeys"),
        redact_keys=options.get("redactKeys", ()),
    )
    return {"bounded": bounded.value, "truncated": bool(bounded.losses)}


RUNNERS: dict[str, Runner] = {"assess": assess, "loop": loop, "redact": redact}


class Interrupted:
    """A judge during whose work something else happens."""

    name = "interrupted"

    def __init__(self, judge: ScriptedJudge, gate: Gate) -> None:
        self.judge = judge
        self.gate = gate

    def ask(self, request: JudgeRequest, *, timeout_s: float) -> JudgeReply:
        self.gate.begin_step(SUBJECT, said=["something else"])
        return self.judge.ask(request, timeout_s=timeout_s)


def _gated(given: Input) -> dict[str, Any]:
    judge, profile = scripted(given), _profile(given)
    gate = Gate(Settings(profile, mode_of(given.get("mode", "enforce")), tuple(given["restrictions"])))
    gate.begin_step(SUBJECT, said=[given["task"]])
    downstream = Ruling(Kind(given.get("downstream", "allow")), "theirs")
    steps = gate.check(SUBJECT, tool=given["toolId"], arguments=given["arguments"], downstream=downstream)
    asked = Interrupted(judge, gate) if "event" in given else judge
    ruling = drive(steps, asked, budget_ms=profile.limits.budget_ms)
    return {
        "status": ruling.kind.value,
        "final": ruling.kind.value,
        "allowed": ruling.allowed,
        "reason": ruling.reason,
        "reasonContains": Fragment(ruling.reason),
        **sent(given, judge),
    }


def _executed(given: Input) -> int:
    """How many of the calls the gate lets through, as a host that makes each of them."""
    gate = Gate(Settings(Profile(), mode_of(given["mode"]), max_repeats=given["maxRepeats"]))
    gate.begin_step(SUBJECT, said=["go on"])
    made = 0
    for _ in range(given["identicalCalls"]):
        if drive(gate.check(SUBJECT, tool="t", arguments={}), ScriptedJudge(HARMLESS)).allowed:
            gate.finished(SUBJECT, tool="t", arguments={})
            made += 1
    return made


def _assessment(assessment: Assessment) -> dict[str, Any]:
    risk = assessment.values.risk
    return {
        "status": assessment.status.value,
        "applied": assessment.applied,
        "rules": [decision.rule for decision in assessment.decisions],
        "reasons": [decision.reason for decision in assessment.decisions],
        "failure": assessment.failure.code.value if assessment.failure else None,
        "riskValue": risk and risk.to_json(),
        "argumentsTruncated": assessment.arguments_truncated,
        "stages": list(assessment.diagnostics.stages),
    }


def _requests(judge: ScriptedJudge) -> dict[str, Any]:
    wires = [request.to_wire() for request in judge.requests]
    return {
        "questionIds": list(wires[0]["questions"]) if wires else [],
        "sentArguments": wires[0]["state"]["call"]["arguments"] if wires else None,
    }


def _profile(given: Input) -> Profile:
    """The profile of a line, whose `onFailure` may be the action alone."""
    action = given.get("onFailure")
    return profile_of({**given, "onFailure": {"toolAssessment": action}} if isinstance(action, str) else given)


def _step(detector: LoopDetector, what: str, *arguments: str) -> Any:
    if what == "size":
        return detector.size
    told = getattr(detector, what)(*arguments)
    return [told.count, told.repeated] if isinstance(told, Observation) else told
