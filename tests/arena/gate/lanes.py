"""A real lane with a gate: real rows, recorder, toolbox and gatekeeper; judge and agent play a script."""

from __future__ import annotations

import threading
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from arena.agents import registry
from arena.agents.agent import AgentEvent, AgentResult, Brief, Cancel, Ending, Thinking, Toolbox, Usage
from arena.catalogs.tool import Tool
from arena.models import Event, Lane, Run
from arena.runs import claims, inputs, judging, route, start
from arena.runs.approving import Desk
from arena.runs.cancel import LaneCancel
from arena.runs.gatekeeping import Gatekeeper
from arena.runs.recorder import Recorder
from arena.runs.toolbox import LaneToolbox
from policy.engine import call_rules_text
from policy.engine.judge import Judge
from policy.engine.mode import Mode
from policy.engine.profile import Profile
from policy.judges.scripted import Script, ScriptedJudge
from policy.people.models import User

HARMLESS = Script(
    {"matches_task": {"noul": 0.9}, "missing_information": {"noul": 0.1}, "violates_restriction": {"noul": 0.1}}
)


def harmless() -> ScriptedJudge:
    return ScriptedJudge(HARMLESS)


def tool_for(name: str, arguments: Mapping[str, Any]) -> Tool:
    """A tool whose schema takes these (flat) arguments."""
    properties = {key: {"type": "string"} for key in arguments}
    schema = {"type": "object", "additionalProperties": False, "properties": properties, "required": []}
    return Tool(name, "mail", "Does it.", schema, "modify")


@dataclass
class GatedLane:
    """One lane of a stored run, claimed by this test."""

    recorder: Recorder
    gatekeeper: Gatekeeper
    toolbox: LaneToolbox

    @property
    def decisions(self) -> list[dict[str, Any]]:
        return self.events("gate.decided")

    def events(self, kind: str) -> list[dict[str, Any]]:
        rows = Event.objects.filter(lane=self.recorder.lane, kind=kind).order_by("seq")
        return [row.payload for row in rows]


def lane(
    owner: User,
    monkeypatch: pytest.MonkeyPatch,
    *,
    judge: Judge,
    tools: Sequence[Tool],
    mode: str = "enforce",
    rules: str = "",
    profile: Profile | None = None,
    task: str | None = None,
    restrictions: Sequence[str] | None = None,
    attended: bool = False,
) -> GatedLane:
    monkeypatch.setattr(judging, "ready", lambda *_: judge)
    run = start.start(
        "refund",
        by=owner,
        origin="api",
        arms=["full"],
        judge="scripted",
        gate=mode,
        rules=call_rules_text.parse(rules),
        profile=profile or Profile(),
        attended=attended,
    )
    route.route(run.pk)
    row = Lane.objects.get(run=run)
    token = claims.claim(Lane.objects.filter(pk=row.pk))
    assert token is not None
    row.refresh_from_db()
    given = inputs.of(Run.objects.get(pk=run.pk))
    case = given.case
    case = replace(case, task=task or case.task)
    case = case if restrictions is None else replace(case, restrictions=tuple(restrictions))
    recorder = Recorder(row, token)
    cancel = LaneCancel(run.pk, lost=threading.Event(), time_s=60)
    keeper = Gatekeeper(run, replace(given, case=case), recorder, cancel, Mode(row.gate))
    desk = Desk(recorder, cancel, attended=attended)
    return GatedLane(recorder, keeper, LaneToolbox(recorder, tuple(tools), given.world, gatekeeper=keeper, desk=desk))


class ScriptedAgent:
    """Makes the calls that it was given, whatever comes back; `outcomes` keeps what came."""

    name = "playing"
    label = "plays a script"

    def __init__(self, calls: Sequence[tuple[str, Mapping[str, Any]]]) -> None:
        self._calls = calls
        self.errors: list[str | None] = []

    def run(self, brief: Brief, toolbox: Toolbox, cancel: Cancel) -> Generator[AgentEvent, None, AgentResult]:
        for number, (tool, arguments) in enumerate(self._calls, start=1):
            yield Thinking(number, f"calling {tool}")
            self.errors.append(toolbox.call(tool, arguments).error)
        return AgentResult(Ending.ANSWERED, "done", Usage(0, 0), None, len(self._calls), "done")


def play(monkeypatch: pytest.MonkeyPatch, calls: Sequence[tuple[str, Mapping[str, Any]]]) -> ScriptedAgent:
    """An agent called `playing` that a run can name."""
    agent = ScriptedAgent(calls)
    monkeypatch.setitem(registry._agents, agent.name, agent)
    return agent
