"""The agent `llm`: asks a model, makes the calls that it wants one after the other, until it says its last words."""

from __future__ import annotations

import time
from collections.abc import Generator
from dataclasses import dataclass, field, replace

from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, TextPart, ToolReturnPart, UserPromptPart
from pydantic_ai.models import ModelRequestParameters

from arena.agents import endings, providers
from arena.agents.agent import (
    AgentEvent,
    AgentResult,
    Brief,
    Cancel,
    Ending,
    Progress,
    Rejected,
    Said,
    Thinking,
    Toolbox,
    Usage,
    Waiting,
)
from arena.agents.llm import calls, failures
from arena.agents.llm import connection as connections
from arena.agents.llm.connection import Connection, Options
from arena.agents.llm.failures import Failure
from arena.agents.llm.line import LOOK_EVERY_S, HungUp, Line, NoLine, Piece
from arena.agents.llm.tokens import Tally
from arena.agents.llm.words import Words, hidden
from arena.agents.prompt import PROMPT, opening
from arena.catalogs.tool import Tool

STOPPED = "Stopped on request."
LEAST_OUTPUT = 16
"""Fewest tokens of output that a request may be bounded to; below, providers refuse it."""

Events = Generator[AgentEvent, None, None]


class Llm:
    """The agent `llm`; see the module. It is made for one lane, with the key of the lane's person."""

    name = "llm"
    label = "language model"

    def __init__(self, connection: Connection, options: Options | None = None) -> None:
        self._connection = connection
        self._options = options or Options()

    def run(self, brief: Brief, toolbox: Toolbox, cancel: Cancel) -> Generator[AgentEvent, None, AgentResult]:
        try:
            with Line(self._connection) as line:
                work = _Work(self._connection, self._options, line, brief, toolbox, cancel)
                try:
                    yield from work.all()
                except _End as end:
                    yield Progress(work.tally.usage())
                    return work.result(end)
        except NoLine as error:
            why = hidden(f"The model {self._connection.model} cannot be asked: {error}", self._connection.key)
            return AgentResult(Ending.FAILED, why, Usage(), None, 0, "not_set_up", fault="host", code="not_set_up")
        raise AssertionError("the work of a lane always ends with a reason")


class _End(Exception):
    """The work is over."""

    def __init__(self, ending: Ending, text: str, reason: str, failure: Failure | None = None) -> None:
        super().__init__(reason)
        self.ending, self.text, self.reason, self.failure = ending, text, reason, failure


@dataclass(slots=True)
class _Times:
    """Moments of the monotonic clock, and seconds waited for the provider."""

    began: float
    first_token: float | None = None
    first_tool: float | None = None
    waited_s: float = 0.0

    def ms(self, moment: float | None) -> float | None:
        return None if moment is None else round((moment - self.began) * 1000, 1)


@dataclass(slots=True)
class _Work:
    """One lane in progress."""

    connection: Connection
    options: Options
    line: Line
    brief: Brief
    toolbox: Toolbox
    cancel: Cancel
    menu: tuple[Tool, ...] = ()
    messages: list[ModelMessage] = field(default_factory=list)
    model: str | None = None
    steps: int = 0
    malformed: int = 0
    succeeded: bool = False
    tally: Tally = field(init=False)
    times: _Times = field(init=False)
    deadline: float = field(init=False)

    def __post_init__(self) -> None:
        self.menu = self.brief.menu
        self.tally = Tally(providers.PROVIDERS[self.connection.provider])
        self.times = _Times(time.monotonic())
        self.deadline = self.times.began + self.brief.limits.time_s

    @property
    def provider(self) -> str:
        """What people call whoever serves the model."""
        return providers.PROVIDERS[self.connection.provider].vendor or f"The server {self._host}"

    @property
    def _host(self) -> str:
        return self.connection.address.partition("://")[2].partition("/")[0]

    def all(self) -> Events:
        """Requests and calls in turn; ends with `_End`."""
        self._tell(UserPromptPart(opening(self.brief)))
        step = 0
        while True:
            step += 1
            response = yield from self._reply(step)
            wanted = calls.wanted(response, self.menu, self.connection.key)
            if not wanted:
                raise self._last_words(response)
            self.messages.append(calls.remembered(response, wanted))
            self._keep_in_budget(response)
            self._tell(*(yield from self._calls(wanted)))

    def result(self, end: _End) -> AgentResult:
        failed = {} if end.failure is None else {"fault": end.failure.fault, "code": end.failure.code}
        return AgentResult(
            ending=end.ending,
            text=end.text,
            usage=self.tally.usage(),
            model=self.model,
            steps=self.steps,
            stop_reason=end.reason,
            first_token_ms=self.times.ms(self.times.first_token),
            first_tool_ms=self.times.ms(self.times.first_tool),
            waiting_ms=round(self.times.waited_s * 1000, 1),
            **failed,  # type: ignore[arg-type]
        )

    def _tell(self, *parts: UserPromptPart | ToolReturnPart) -> None:
        self.messages.append(ModelRequest(parts=list(parts), instructions=PROMPT))

    def _reply(self, step: int) -> Generator[AgentEvent, None, ModelResponse]:
        """One whole reply, asked for again only while nothing of it had come and the provider asks to wait."""
        yield Thinking(step, f"{self.connection.model} chooses the next step")
        waits = 0
        while True:
            begun: list[Piece] = []
            try:
                response = yield from self._stream(begun)
            except HungUp:
                raise self._stopped() from None
            except Exception as error:
                failure = failures.read(error, self.provider, begun=bool(begun), waits=waits)
                waits += 1
                yield from self._wait(failure)
                continue
            if response.state != "complete" or response.finish_reason is None:
                raise self._failed(Failure("provider", "disconnected", failures.broke_off(self.provider)))
            return response

    def _stream(self, begun: list[Piece]) -> Generator[AgentEvent, None, ModelResponse]:
        words = Words(self.connection.key)
        parameters = ModelRequestParameters(function_tools=calls.offered(self.menu))
        settings = connections.settings(self.connection.provider, self.options, most_output=self._most_output())
        response: ModelResponse | None = None
        try:
            for item in self.line.ask(self.messages, settings, parameters, stop=self._must_stop):
                if isinstance(item, Piece):
                    begun.append(item)
                    self.times.first_token = self.times.first_token or time.monotonic()
                    batch = words.add(item.text)
                    if batch:
                        yield Said(batch)
                else:
                    response = item.response
        except Exception:
            # What had come before it broke is kept, and shown as what the lane left off at.
            if rest := words.rest():
                yield Said(rest)
            raise
        if rest := words.rest():
            yield Said(rest)
        assert response is not None, "a line ends with the whole reply or raises"
        self.tally.add(response.usage)
        self.model = hidden(response.model_name or "", self._key) or self.model
        return response

    def _wait(self, failure: Failure) -> Events:
        """Wait as the provider asks, or fail with its failure where waiting cannot help or would take too long."""
        wait = failure.wait_s
        if wait is None or time.monotonic() + wait >= self.deadline:
            raise self._failed(failure)
        yield Waiting(wait, failure.message)
        began = time.monotonic()
        try:
            while (left := began + wait - time.monotonic()) > 0:
                if self.cancel.requested():
                    raise self._stopped()
                time.sleep(min(left, LOOK_EVERY_S))
        finally:
            self.times.waited_s += time.monotonic() - began

    def _calls(self, wanted: list[calls.Wanted]) -> Generator[AgentEvent, None, list[ToolReturnPart]]:
        """Make the calls of one reply in its order, one after the other."""
        parts: list[ToolReturnPart] = []
        for call in wanted:
            if self.steps + self.malformed >= self.brief.limits.max_steps:
                raise _End(
                    Ending.LIMIT, f"I stopped at the limit of {self.brief.limits.max_steps} steps.", "step limit"
                )
            if self._must_stop():
                raise self._stopped()
            if call.problem:
                self.malformed += 1
                yield Rejected(call.tool, call.raw, call.problem)
                parts.append(calls.rejected(call))
                continue
            self.steps += 1
            self.times.first_tool = self.times.first_tool or time.monotonic()
            outcome = self.toolbox.call(call.tool, call.arguments)
            self.deadline += outcome.waited_s
            self.succeeded = self.succeeded or outcome.ok
            self.menu += tuple(tool for tool in outcome.joined if tool not in self.menu)
            parts.append(calls.returned(call, outcome))
        yield Progress(self.tally.usage())
        return parts

    def _last_words(self, response: ModelResponse) -> _End:
        text = hidden("".join(part.content for part in response.parts if isinstance(part, TextPart)).strip(), self._key)
        if response.finish_reason == "content_filter":
            why = f"{self.provider} withheld the reply by a filter of its own."
            return self._failed(Failure("provider", "filtered", why))
        if response.finish_reason == "length":
            return _End(Ending.LIMIT, text, "output limit")
        ending = endings.told(text, called=self.succeeded)
        return _End(ending, text, "empty reply" if not text else ending.value)

    @property
    def _key(self) -> str:
        return self.connection.key

    def _keep_in_budget(self, response: ModelResponse) -> None:
        most = self.brief.limits.max_tokens
        if response.finish_reason == "length" or (most is not None and self.tally.known >= most):
            raise _End(Ending.LIMIT, f"I stopped at the limit of {most:,} tokens." if most else "", "token limit")

    def _most_output(self) -> int | None:
        most = self.brief.limits.max_tokens
        return None if most is None else max(most - self.tally.known, LEAST_OUTPUT)

    def _must_stop(self) -> bool:
        return self.cancel.requested() or time.monotonic() >= self.deadline

    def _stopped(self) -> _End:
        if self.cancel.requested():
            return _End(Ending.STOPPED, STOPPED, "stop requested")
        return _End(Ending.LIMIT, "I stopped at the limit of time.", "time limit")

    def _failed(self, failure: Failure) -> _End:
        kept = replace(failure, message=hidden(failure.message, self._key))
        return _End(Ending.FAILED, kept.message, kept.code, kept)
