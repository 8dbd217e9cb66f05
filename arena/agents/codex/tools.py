"""The lane's tools as Codex CLI gets them: asked for in the server's loop, called in the thread of the lane."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, field
from typing import Any

from arena.agents.agent import CallOutcome, Rejected
from arena.catalogs.tool import Tool


@dataclass(frozen=True, slots=True)
class Wanted:
    """A call that waits for the lane; `take` says whether anybody still waits for its outcome."""

    tool: str
    arguments: Mapping[str, Any]
    outcome: Future[CallOutcome] = field(default_factory=Future)

    def take(self) -> bool:
        return self.outcome.set_running_or_notify_cancel()


class LaneTools:
    """What the lane's server serves; `put` brings a call into the lane's inbox, from another thread."""

    def __init__(self, menu: tuple[Tool, ...], put: Callable[[Wanted | Rejected], None]) -> None:
        self.tools = menu
        self._put = put

    async def call(self, tool_id: str, arguments: Mapping[str, Any]) -> CallOutcome:
        wanted = Wanted(tool_id, arguments)
        self._put(wanted)
        try:
            outcome = await asyncio.wrap_future(wanted.outcome)
        except CancelledError:
            return CallOutcome(False, error="The lane has ended.")
        self.tools += tuple(tool for tool in outcome.joined if tool not in self.tools)
        return outcome

    async def refused(self, tool_id: str, arguments: Mapping[str, Any], error: str) -> None:
        self._put(Rejected(tool_id, str(dict(arguments)), error))
