"""The agent `codex`: Codex CLI works on the task, and its calls come back to the lane like everybody else's."""

from __future__ import annotations

import os
import queue
import time
from collections import Counter, deque
from collections.abc import Generator
from contextlib import ExitStack
from dataclasses import dataclass, field

from arena.agents import endings
from arena.agents.agent import (
    AgentEvent,
    AgentResult,
    Brief,
    CallOutcome,
    Cancel,
    Ending,
    Progress,
    Rejected,
    Said,
    Thinking,
    Toolbox,
    Usage,
)
from arena.agents.codex import failures, flags, home, process, program, rollout, said
from arena.agents.codex.connection import Connection
from arena.agents.codex.failures import Failure
from arena.agents.codex.home import Home
from arena.agents.codex.process import Line, Over
from arena.agents.codex.program import Program, Unusable
from arena.agents.codex.tools import LaneTools, Wanted
from arena.agents.prompt import PROMPT, opening

MOST_ANSWER_CHARS = 20_000
"""Of the last message (seed 002)."""
MOST_NOTE_CHARS = 500
LOOK_EVERY_S = 0.1
# Seconds for the line that announces a call to arrive when the call has.
ORDER_S = 2.0
# A person may be asked before a call is carried out; Codex CLI waits longer than that.
SPARE_S = 600.0
STOPPED = "Stopped on request."
NO_OBJECT = "The arguments are no JSON object; Codex CLI told the model so."

Events = Generator[AgentEvent, None, None]
Inbox = queue.SimpleQueue[Line | Over | Wanted | Rejected]


class Codex:
    """The agent `codex`; see the module. It is made for one lane, with what its person may use."""

    name = "codex"
    label = "Codex CLI"

    def __init__(self, connection: Connection, *, binary: str = "", version: str = "") -> None:
        """`version` is the one that the run was started with; another one than that does no work for it."""
        self._connection = connection
        self._binary = binary
        self._version = version

    def run(self, brief: Brief, toolbox: Toolbox, cancel: Cancel) -> Generator[AgentEvent, None, AgentResult]:
        began = time.monotonic()
        try:
            found = program.find(self._binary)
            if self._version not in ("", found.version):
                raise Unusable(
                    f"The run began with Codex CLI {self._version}, now it is {found.version}; start it anew."
                )
            with home.opened(f"{PROMPT}\n{opening(brief)}\n") as place:
                work = _Work(self._connection, found, place, brief, toolbox, cancel, began)
                yield from work.all()
                return work.result()
        except Unusable as unusable:
            reason = str(unusable)
            return AgentResult(Ending.FAILED, reason, Usage(), None, 0, "unusable", fault="host", code="unusable")


class _End(Exception):
    """The work is over."""

    def __init__(self, ending: Ending, text: str, reason: str, failure: Failure | None = None) -> None:
        super().__init__(reason)
        self.ending, self.text, self.reason, self.failure = ending, text, reason, failure


@dataclass(slots=True)
class _Work:
    """One lane in progress; everything in it runs in the lane's own thread."""

    connection: Connection
    program: Program
    home: Home
    brief: Brief
    toolbox: Toolbox
    cancel: Cancel
    began: float
    inbox: Inbox = field(default_factory=queue.SimpleQueue)
    later: deque[Over | Wanted | Rejected] = field(default_factory=deque)
    begun: Counter[str] = field(default_factory=Counter)
    announced: bool = True
    step: int = 1
    calls: int = 0
    succeeded: bool = False
    note: str = ""
    last: str = ""
    troubles: list[str] = field(default_factory=list)
    usage: Usage | None = None
    model: str | None = None
    first_token: float | None = None
    first_tool: float | None = None
    waited_s: float = 0.0
    end: _End | None = None

    def all(self) -> Events:
        """The whole work; afterwards `end` says how it ended, and no process is left."""
        before = b""
        if self.connection.sign_in is not None:
            before = home.bring_sign_in(self.home, self.connection.sign_in)
        yield Thinking(self.step, f"{self.program.title} reads the task")
        try:
            yield from self._work()
        except _End as end:
            self.end = end
        yield from self._account()
        if self.connection.sign_in is not None:
            trouble = home.take_back(self.home, self.connection.sign_in, before)
            if trouble:
                yield self._next(trouble)
        if self.usage is not None:
            yield Progress(self.usage)

    def result(self) -> AgentResult:
        end = self.end
        assert end is not None, "the work of a lane always ends with a reason"
        return AgentResult(
            ending=end.ending,
            text=end.text,
            usage=self.usage or Usage(),
            model=self.model or self.connection.model or None,
            steps=self.calls,
            stop_reason=end.reason,
            fault=None if end.failure is None else end.failure.fault,
            code="" if end.failure is None else end.failure.code,
            first_token_ms=self._ms(self.first_token),
            first_tool_ms=self._ms(self.first_tool),
        )

    def _work(self) -> Events:
        # The SDK behind it is large, and whoever lists agents does not need it.
        from arena.mcp import serving
        from arena.mcp.server import server_of

        key = serving.new_key()
        with ExitStack() as stack:
            tools = LaneTools(self.brief.menu, self.inbox.put)
            portal = stack.enter_context(serving.loop())
            server = server_of(tools, version=self.program.version)
            bridge = stack.enter_context(serving.over_socket(portal, server, self.home.socket, key=key))
            # Before the loop can end, whoever waits for a call in it is told.
            stack.callback(self._turn_away)
            line = flags.command(self.program, self.connection, bridge, tool_s=self.brief.limits.time_s + SPARE_S)
            environment = home.environment(self.home, self.connection, key=key, outside=os.environ)
            running = stack.enter_context(process.started(line, self.home, environment, self.inbox.put))
            while True:
                self._keep_in_time()
                item = self._item(LOOK_EVERY_S)
                if item is None:
                    continue
                if isinstance(item, Over):
                    raise self._over(running, flooded=item.flooded)
                yield from self._take(item)

    def _take(self, item: Line | Wanted | Rejected) -> Events:
        match item:
            case Wanted():
                yield from self._hear_before(item.tool)
                yield from self._call(item)
            case Rejected():
                yield item
            case Line():
                yield from self._hear(said.read(item.text))

    def _item(self, seconds: float) -> Line | Over | Wanted | Rejected | None:
        if self.later:
            return self.later.popleft()
        try:
            return self.inbox.get(timeout=seconds)
        except queue.Empty:
            return None

    def _hear_before(self, tool: str) -> Events:
        """What Codex CLI said before a call may arrive after it, for it comes by another way: hear that first.

        A version that does not announce its calls is waited for once.
        """
        end = time.monotonic() + (ORDER_S if self.announced else 0.0)
        others: list[Over | Wanted | Rejected] = []
        while not self.begun[tool] and time.monotonic() < end:
            try:
                item = self.inbox.get(timeout=LOOK_EVERY_S)
            except queue.Empty:
                continue
            if isinstance(item, Line):
                yield from self._hear(said.read(item.text))
            else:
                others.append(item)
                if isinstance(item, Over):
                    break
        self.later.extend(others)
        self.announced = self.begun[tool] > 0
        self.begun[tool] -= self.announced

    def _call(self, wanted: Wanted) -> Events:
        if self.calls >= self.brief.limits.max_steps:
            raise _End(Ending.LIMIT, f"I stopped at the limit of {self.brief.limits.max_steps} steps.", "step limit")
        if not wanted.take():
            return
        if self.calls:
            yield self._next(f"{self.program.title} calls {wanted.tool}")
        self.calls += 1
        self.first_token = self.first_token or time.monotonic()
        self.first_tool = self.first_tool or time.monotonic()
        try:
            outcome = self.toolbox.call(wanted.tool, wanted.arguments)
        except BaseException:
            wanted.outcome.set_result(CallOutcome(False, error="The lane has ended."))
            raise
        self.waited_s += outcome.waited_s
        self.succeeded = self.succeeded or outcome.ok
        wanted.outcome.set_result(outcome)

    def _hear(self, heard: said.Said | None) -> Events:
        match heard:
            case said.Message(text):
                self.first_token = self.first_token or time.monotonic()
                self.last = text[:MOST_ANSWER_CHARS]
                yield Said(self.last)
            case said.Thought(text):
                self.first_token = self.first_token or time.monotonic()
                self.note = text[:MOST_NOTE_CHARS]
            case said.CallBegan(tool):
                self.begun[tool] += 1
                self.first_token = self.first_token or time.monotonic()
            case said.Trouble(text, final):
                self.troubles.append(text)
                if final:
                    raise self._failed(failures.read(self.troubles, None))
            case said.Done(usage):
                self.usage = usage

    def _over(self, running: process.Process, *, flooded: bool) -> _End:
        """Output has ended: well, where the process says so by its code and by its own last event."""
        if flooded:
            return self._failed(failures.FLOODED)
        code = running.exit_code()
        if code != 0 or self.usage is None:
            return self._failed(failures.read(self.troubles, code))
        ending = endings.told(self.last, called=self.succeeded)
        return _End(ending, self.last, ending.value if self.last else "empty reply")

    def _account(self) -> Events:
        """What only its own records tell: the model, calls that never left it, and the tokens of a broken lane."""
        account = rollout.read(self.home)
        self.model = account.model
        self.usage = self.usage or account.usage
        for tool, arguments in account.malformed:
            yield Rejected(tool, arguments, NO_OBJECT)

    def _next(self, otherwise: str) -> Thinking:
        """The next step, with what the model said of it, where it said anything."""
        self.step += 1
        note, self.note = self.note or otherwise, ""
        return Thinking(self.step, note)

    def _keep_in_time(self) -> None:
        if self.cancel.requested():
            raise _End(Ending.STOPPED, STOPPED, "stop requested")
        if time.monotonic() >= self.began + self.brief.limits.time_s + self.waited_s:
            raise _End(Ending.LIMIT, "I stopped at the limit of time.", "time limit")

    def _turn_away(self) -> None:
        """Calls that nobody will carry out any more."""
        while True:
            try:
                item = self.inbox.get_nowait()
            except queue.Empty:
                return
            if isinstance(item, Wanted) and item.take():
                item.outcome.set_result(CallOutcome(False, error="The lane has ended."))

    def _failed(self, failure: Failure) -> _End:
        return _End(Ending.FAILED, failure.message, failure.code, failure)

    def _ms(self, moment: float | None) -> float | None:
        return None if moment is None else round((moment - self.began) * 1000, 1)
