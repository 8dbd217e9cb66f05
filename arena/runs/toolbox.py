"""The one way from an agent to a tool: every call is recorded before and after, its effects are events."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from arena.agents.agent import CallOutcome
from arena.approvals import binding
from arena.catalogs import arguments as checking
from arena.catalogs.tool import Tool
from arena.models import LaneState
from arena.runs import approving
from arena.runs.approving import Approved, Desk, Question
from arena.runs.escape import FIND_TOOL, Escape, told
from arena.runs.gatekeeping import NOT_HERE, Gatekeeper, Verdict
from arena.runs.log import Draft
from arena.runs.recorder import Recorder
from arena.servers.lane import LaneServers
from arena.worlds import calls
from arena.worlds.handlers import ToolBroke, ToolError
from arena.worlds.world import World

DESTRUCTIVE = "host.destructive-tool"
DESTRUCTIVE_WHY = "It is a real tool that may destroy something; its effect was marked so."
NO_SERVER = "[jev] This tool has no place where it runs. Use another tool."

Effects = list[dict[str, Any]]


@dataclass(slots=True)
class _End:
    """How one call ended; `waited_s` a person was waited for, which is no time of the call.

    `broke` says that the tool itself failed, by no fault of its arguments.
    """

    outcome: CallOutcome
    effects: Effects = field(default_factory=list)
    executed: bool = False
    waited_s: float = 0.0
    broke: bool = False


class LaneToolbox:
    """Executes calls on the lane's own copy of the world, for exactly the tools of its menu, one after the other.

    The order of a call: the tool is in the menu, the arguments fit its whole schema, the gate lets it pass or a person
    approves it, the tool is carried out, a real one where it really runs. What stops a call on its way is a refusal
    that the agent reads, and an event like any other end of a call. `executed` are the numbers of the calls that were
    carried out, counted there and nowhere else.
    """

    def __init__(
        self,
        recorder: Recorder,
        menu: tuple[Tool, ...],
        world: World,
        *,
        servers: LaneServers | None = None,
        gatekeeper: Gatekeeper | None = None,
        desk: Desk | None = None,
        escape: Escape | None = None,
    ) -> None:
        self._recorder = recorder
        self._tools = {tool.id: tool for tool in menu}
        self._world = world
        self._servers = servers
        self._gatekeeper = gatekeeper
        self._desk = desk
        self._lock = threading.Lock()
        self._escape = escape
        self.calls = 0
        self.executed: list[int] = []

    def call(self, tool_id: str, arguments: Mapping[str, Any]) -> CallOutcome:
        with self._lock:
            return self._call(tool_id, arguments)

    def _call(self, tool_id: str, arguments: Mapping[str, Any]) -> CallOutcome:
        self.calls += 1
        tool = self._tools.get(tool_id)
        facts = {"step": self._recorder.step, "call": self.calls, "tool": tool_id}
        effect = tool.effect if tool else "observe"
        started = {**facts, "effect": effect, "arguments": binding.shown(arguments)}
        self._recorder.write(LaneState.CALLING, [Draft("call.started", started)])
        began = time.monotonic()
        end = self._carry_out(tool, tool_id, arguments)
        duration_ms = (time.monotonic() - began - end.waited_s) * 1000
        outcome = end.outcome
        finished = {**facts, "ok": outcome.ok, "duration_ms": round(duration_ms, 3), "effects": end.effects}
        finished["executed"] = end.executed
        if end.broke:
            finished["fault"] = "tool"
        if outcome.ok:
            size = len(json.dumps(outcome.content, ensure_ascii=False).encode())
            finished |= {"content": outcome.content, "bytes": size}
        else:
            finished |= {"error": outcome.error}
        self._recorder.write(LaneState.WORKING, [Draft("call.finished", finished)])
        return replace(outcome, waited_s=end.waited_s)

    def _carry_out(self, tool: Tool | None, tool_id: str, arguments: Mapping[str, Any]) -> _End:
        if tool is None:
            return self._rejected(None, tool_id, arguments, f"There is no tool {tool_id!r} in this menu.")
        if wrong := checking.problem(tool, arguments):
            return self._rejected(tool, tool_id, arguments, wrong)
        if tool.foreign and (wrong := NO_SERVER if self._servers is None else self._servers.refusal(tool)):
            return self._rejected(tool, tool_id, arguments, wrong, rule=NOT_HERE)
        verdict = None if self._gatekeeper is None else self._gatekeeper.decide(self.calls, tool, arguments)
        if verdict is not None and verdict.stops:
            return _refused(verdict.sentence)
        question = self._question(tool, arguments, verdict)
        return self._execute(tool, arguments) if question is None else self._asked(tool, question)

    def _rejected(
        self, tool: Tool | None, tool_id: str, arguments: Mapping[str, Any], why: str, *, rule: str = ""
    ) -> _End:
        """A call that cannot take place, whatever the gate."""
        if self._gatekeeper is not None:
            why = self._gatekeeper.rejected(self.calls, tool, tool_id, arguments, why, rule=rule)
        return _refused(why)

    def _question(self, tool: Tool, arguments: Mapping[str, Any], verdict: Verdict | None) -> Question | None:
        """What a person must be asked: what the gate asks, and every destructive call of a real tool, gate or not."""
        same = (self.calls, tool.id, tool.effect, arguments)
        if verdict is not None and verdict.asks:
            return Question(*same, verdict.rule, verdict.reason, verdict.measured, verdict.threshold)
        if tool.foreign and tool.effect == "destructive":
            return Question(*same, DESTRUCTIVE, DESTRUCTIVE_WHY)
        return None

    def _asked(self, tool: Tool, question: Question) -> _End:
        """Only what a person approves is carried out, with the arguments as they were approved."""
        if self._desk is None:
            return _refused(f"[jev] ask by {question.rule}: {question.reason}")
        answer = approving.require_approval(question, self._desk)
        if not isinstance(answer, Approved):
            return replace(_refused(answer.sentence), waited_s=answer.waited_s)
        return replace(self._execute(tool, answer.arguments, approved=True), waited_s=answer.waited_s)

    def _execute(self, tool: Tool, arguments: Mapping[str, Any], *, approved: bool = False) -> _End:
        self.executed.append(self.calls)
        if self._escape is not None and tool.id == FIND_TOOL.id:
            end = _End(self._find(self._escape, str(arguments["query"])))
        else:
            end = self._carried_out(tool, arguments, approved=approved)
        if self._gatekeeper is not None:
            self._gatekeeper.finished(tool.id, arguments)
        return replace(end, executed=True)

    def _carried_out(self, tool: Tool, arguments: Mapping[str, Any], *, approved: bool) -> _End:
        """A real tool where it really runs, one of ours on the lane's world."""
        try:
            if tool.foreign and self._servers is not None:
                result = self._servers.call(tool, arguments, approved=approved)
            else:
                result = calls.call(tool, self._world, arguments)
        except ToolError as error:
            return replace(_refused(str(error)), broke=isinstance(error, ToolBroke))
        return _End(CallOutcome(True, content=result.content), [effect.to_json() for effect in result.effects])

    def _find(self, escape: Escape, query: str) -> CallOutcome:
        """Search the rest of the run's menu; what is found can be called from now on, and the page says so."""
        found = escape.search(query)
        self._tools |= {tool.id: tool for tool in found}
        if found:
            self._recorder.join([entry.to_json() for entry in escape.entries], of=escape.of)
        return CallOutcome(True, content=told(found), joined=found)


def _refused(why: str) -> _End:
    return _End(CallOutcome(False, error=why))
