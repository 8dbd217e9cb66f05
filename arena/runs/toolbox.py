"""The one way from an agent to a tool: every call is recorded before and after, its effects are events."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import Any

from arena.agents.agent import CallOutcome
from arena.catalogs import arguments as checking
from arena.catalogs.tool import Tool
from arena.models import LaneState
from arena.runs import approving
from arena.runs.approving import Approved, Desk, Question
from arena.runs.log import Draft
from arena.runs.recorder import Recorder
from arena.servers.lane import LaneServers
from arena.worlds import calls
from arena.worlds.handlers import ToolError
from arena.worlds.world import World

DESTRUCTIVE = "host.destructive-tool"
DESTRUCTIVE_WHY = "It is a real tool that may destroy something; its effect was marked so."
NO_SERVER = "[jev] This tool has no place where it runs. Use another tool."


class LaneToolbox:
    """Executes calls on the lane's own copy of the world, for exactly the tools of its menu.

    The order of a call: the tool is in the menu, the arguments fit its whole schema, the tool is carried out, a real
    one where it really runs. What
    stops a call on its way is a refusal that the agent reads, and an event like any other end of a call.
    """

    def __init__(
        self,
        recorder: Recorder,
        menu: tuple[Tool, ...],
        world: World,
        *,
        servers: LaneServers | None = None,
        desk: Desk | None = None,
    ) -> None:
        self._recorder = recorder
        self._tools = {tool.id: tool for tool in menu}
        self._world = world
        self._servers = servers
        self._desk = desk
        self.calls = 0

    def call(self, tool_id: str, arguments: Mapping[str, Any]) -> CallOutcome:
        self.calls += 1
        tool = self._tools.get(tool_id)
        facts = {"step": self._recorder.step, "call": self.calls, "tool": tool_id}
        started = {**facts, "effect": tool.effect if tool else "observe", "arguments": dict(arguments)}
        self._recorder.write(LaneState.CALLING, [Draft("call.started", started)])
        began = time.monotonic()
        outcome, effects = self._carry_out(tool, tool_id, arguments)
        duration_ms = (time.monotonic() - began) * 1000
        finished = {**facts, "ok": outcome.ok, "duration_ms": round(duration_ms, 3), "effects": effects}
        if outcome.ok:
            size = len(json.dumps(outcome.content, ensure_ascii=False).encode())
            finished |= {"content": outcome.content, "bytes": size}
        else:
            finished |= {"error": outcome.error}
        self._recorder.write(LaneState.WORKING, [Draft("call.finished", finished)])
        return outcome

    def _carry_out(
        self, tool: Tool | None, tool_id: str, arguments: Mapping[str, Any]
    ) -> tuple[CallOutcome, list[dict[str, Any]]]:
        if tool is None:
            return CallOutcome(False, error=f"There is no tool {tool_id!r} in this menu."), []
        if refused := checking.problem(tool, arguments):
            return CallOutcome(False, error=refused), []
        if tool.foreign:
            return self._really(tool, arguments), []
        try:
            result = calls.call(tool, self._world, arguments)
        except ToolError as error:
            return CallOutcome(False, error=str(error)), []
        return CallOutcome(True, content=result.content), [effect.to_json() for effect in result.effects]

    def _really(self, tool: Tool, arguments: Mapping[str, Any]) -> CallOutcome:
        """A tool that is none of ours: where it is allowed, and what may destroy only as a person approved it."""
        refused = NO_SERVER if self._servers is None else self._servers.refusal(tool)
        if self._servers is None or refused:
            return CallOutcome(False, error=refused)
        waited_s, approved = 0.0, False
        if tool.effect == "destructive" and self._desk is not None:
            question = Question(self.calls, tool.id, tool.effect, arguments, DESTRUCTIVE, DESTRUCTIVE_WHY)
            answer = approving.require_approval(question, self._desk)
            waited_s = answer.waited_s
            if not isinstance(answer, Approved):
                return CallOutcome(False, error=answer.sentence, waited_s=waited_s)
            arguments, approved = answer.arguments, True
        try:
            result = self._servers.call(tool, arguments, approved=approved)
        except ToolError as error:
            return CallOutcome(False, error=str(error), waited_s=waited_s)
        return CallOutcome(True, content=result.content, waited_s=waited_s)
