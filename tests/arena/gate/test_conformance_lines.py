"""The lines of the gate's side, and of the assessment behind it, through a real lane and its database."""

from __future__ import annotations

from typing import Any

import pytest

from arena.worlds import handlers
from arena.worlds.handlers import ToolResult
from policy.engine.judge import JudgeReply, JudgeRequest
from policy.engine.profile import Profile
from policy.judges.scripted import ScriptedJudge
from policy.people.models import User
from tests.arena.gate.lanes import GatedLane, harmless, lane, tool_for
from tests.conformance.cases import Case, folder, load
from tests.conformance.engine_areas import profile_of, scripted

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("unpublished")]
HOST = {"allow": "allow", "ask": "ask", "hold": "cancel", "deny": "deny"}
# Risk is an option of the engine that a lane does not set.
NOT_OF_A_LANE = ("includeRiskScore",)


def flat(case: Case) -> bool:
    """Built-in tools take flat arguments; the engine's own runner has the other lines."""
    return all(isinstance(value, str) for value in case.input.get("arguments", {}).values())


LINES = [case for case in load(folder()) if case.area in ("assess", "loop")]
ASSESSED = [
    case
    for case in LINES
    if case.area == "assess" and flat(case) and not any(key in case.input for key in NOT_OF_A_LANE)
]
LOOPS = [case for case in LINES if "identicalCalls" in case.input]


class Interrupted:
    """A judge during whose work the agent goes on to its next step."""

    name = "interrupted"

    def __init__(self, judge: ScriptedJudge) -> None:
        self.judge = judge
        self.lane: GatedLane | None = None

    def ask(self, request: JudgeRequest, *, timeout_s: float) -> JudgeReply:
        assert self.lane is not None
        self.lane.recorder.think("something else", ())
        self.lane.gatekeeper.begin_step()
        return self.judge.ask(request, timeout_s=timeout_s)


def profile(given: Any) -> Profile:
    action = given.get("onFailure")
    return profile_of({**given, "onFailure": {"toolAssessment": action}} if isinstance(action, str) else given)


@pytest.mark.parametrize("case", ASSESSED, ids=[case.id for case in ASSESSED])
def test_an_assessment_line_in_a_lane(case: Case, owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    given, expected = case.input, case.expected
    judge = scripted(given)
    asked = Interrupted(judge) if "event" in given else None
    mode, downstream = given.get("mode", "enforce"), given.get("downstream")
    gated = lane(
        owner,
        monkeypatch,
        judge=asked or judge,
        tools=[tool_for(given["toolId"], given["arguments"])],
        mode=mode,
        rules=f"{downstream} {given['toolId']} -- theirs" if downstream else "",
        profile=profile(given),
        task=given["task"],
        restrictions=given["restrictions"],
    )
    if asked:
        asked.lane = gated
    monkeypatch.setitem(handlers._handlers, given["toolId"], lambda world, arguments: ToolResult("done"))
    outcome = gated.toolbox.call(given["toolId"], given["arguments"])
    executed = bool(gated.toolbox.executed)
    if mode == "off":
        assert (gated.decisions, len(judge.requests), executed) == ([], 0, True)
        return
    (decided,) = gated.decisions
    told: dict[str, Any] = {
        "status": decided["action"],
        "final": HOST[decided["action"]],
        "allowed": executed,
        "applied": decided["applied"],
        "rules": [each["rule"] for each in decided.get("decisions", [])],
        "reasons": [each["reason"] for each in decided.get("decisions", [])],
        "failure": (decided.get("failure") or {}).get("code"),
        "requests": len(judge.requests),
    }
    for key, value in expected.items():
        if key in told:
            assert told[key] == value, (key, decided)
    if "reasonContains" in expected:
        assert expected["reasonContains"] in (outcome.error or "")
    # What is not allowed is not executed in enforce, and everything is in shadow.
    assert executed is (decided["action"] == "allow" or mode == "shadow")
    if not executed and decided["action"] != "ask":
        assert decided["rule"] in (outcome.error or "")
    assert len(gated.events("gate.asked")) == len(judge.requests)


@pytest.mark.parametrize("case", LOOPS, ids=[case.id for case in LOOPS])
@pytest.mark.parametrize("mode", ["shadow", "enforce"])
def test_a_loop_line_in_a_lane(case: Case, mode: str, owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(handlers._handlers, "t", lambda world, arguments: ToolResult("done"))
    gated = lane(owner, monkeypatch, judge=harmless(), tools=[tool_for("t", {})], mode=mode)
    errors = [gated.toolbox.call("t", {}).error for _ in range(case.input["identicalCalls"])]
    wanted = case.expected["executed"] if mode == case.input["mode"] else case.input["maxRepeats"]
    assert len(gated.toolbox.executed) == wanted
    last = gated.decisions[-1]
    assert (last["rule"], last["action"], last["measured"]) == ("gate.loop", "deny", case.input["maxRepeats"])
    assert last["applied"] is (mode == "enforce")
    assert ("gate.loop" in (errors[-1] or "")) is (mode == "enforce")


def test_the_lines_are_there() -> None:
    assert len(ASSESSED) >= 25
    assert sum("event" in case.input or "downstream" in case.input for case in ASSESSED) >= 4
    assert LOOPS
