"""A lane without a database: its toolbox works on a world and notes its calls; its stop is an event."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import anyio

from arena.agents.agent import AgentEvent, AgentResult, Brief, CallOutcome, Limits
from arena.agents.codex.agent import Codex
from arena.agents.codex.connection import Connection, Provider
from arena.library import library
from arena.mcp.own_world import OwnWorld

PROVIDER = Provider("http://127.0.0.1:9/v1", "sk-of-the-person")


class Box:
    def __init__(self, then: Callable[[str], CallOutcome | None] = lambda _: None) -> None:
        shelf = library()
        case = shelf.case("read")
        menu = (shelf.catalog.tool("read_file"), shelf.catalog.tool("propose_patch"))
        self.own = OwnWorld(menu, shelf.worlds[case.world])
        self.brief = Brief("Read src/sum.ts.", menu)
        self.made: list[tuple[str, Mapping[str, Any]]] = []
        self.threads: set[int] = set()
        self._then = then

    def call(self, tool_id: str, arguments: Mapping[str, Any]) -> CallOutcome:
        self.made.append((tool_id, arguments))
        self.threads.add(threading.get_ident())
        return self._then(tool_id) or anyio.run(self.own.call, tool_id, arguments)


class Stop:
    """A stop that comes once `when` holds."""

    def __init__(self, when: Callable[[], bool] = lambda: False) -> None:
        self.when = when

    def requested(self) -> bool:
        return self.when()

    def wait(self, seconds: float) -> bool:
        time.sleep(seconds)
        return self.requested()


def work(
    binary: str,
    box: Box,
    stop: Stop | None = None,
    connection: Connection | None = None,
    limits: Limits | None = None,
) -> tuple[list[AgentEvent], AgentResult]:
    """Events and result of one lane."""
    brief = Brief(box.brief.task, box.brief.menu, limits=limits or Limits())
    events: list[AgentEvent] = []
    running = Codex(connection or Connection(provider=PROVIDER), binary=binary).run(brief, box, stop or Stop())
    while True:
        try:
            events.append(next(running))
        except StopIteration as end:
            result: AgentResult = end.value
            return events, result


def alive(pid: int) -> bool:
    """Whether this process runs; one that is dead and not yet collected does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def until(holds: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "this never came true"
        time.sleep(0.05)
