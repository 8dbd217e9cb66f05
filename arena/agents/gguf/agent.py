"""The agent: the task is split into steps by code, the model chooses and fills one call per step, then it answers.

A free loop does not work with models of this size: they never stop, or stop after one call. So code keeps the order,
and the model does what it can: pick one tool of the menu, write its arguments, say what was found.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Mapping
from typing import Any

from arena.agents import clauses, words
from arena.agents.agent import (
    AgentEvent,
    AgentResult,
    Brief,
    Cancel,
    Ending,
    Fault,
    Progress,
    Rejected,
    Said,
    Thinking,
    Toolbox,
    Usage,
)
from arena.agents.answers import Phrases
from arena.agents.clauses import Role
from arena.agents.gguf import grammar, wording
from arena.agents.gguf.grammar import Call, NoneFits, Question
from arena.agents.gguf.model import LocalModel, Message, ModelFailed, ModelSlow, Unwanted, Written
from arena.agents.gguf.wording import Done

MOST_REPLY_TOKENS = 320
MOST_ANSWER_TOKENS = 240
# A refused or unreadable call is tried once more, with the refusal in front of the model.
TRIES = 2
BATCH_CHARS = 80

Events = Generator[AgentEvent, None, None]


class Gguf:
    """The agent `gguf` with one model; see the module."""

    name = "gguf"
    label = "language model from a file"

    def __init__(self, model: LocalModel) -> None:
        self._model = model

    def run(self, brief: Brief, toolbox: Toolbox, cancel: Cancel) -> Generator[AgentEvent, None, AgentResult]:
        work = _Work(self._model, brief, toolbox, cancel)
        try:
            yield from work.all()
        except _End as end:
            yield Progress(work.usage)
            return AgentResult(
                end.ending,
                end.text,
                work.usage,
                self._model.name,
                work.steps,
                end.reason,
                fault=end.fault,
                code=end.code,
                first_token_ms=work.first_token_ms,
                first_tool_ms=work.first_tool_ms,
            )
        raise AssertionError("the work of a lane always ends with a reason")


class _End(Exception):
    """The work is over."""

    def __init__(self, ending: Ending, text: str, reason: str, *, fault: Fault | None = None, code: str = "") -> None:
        super().__init__(reason)
        self.ending, self.text, self.reason, self.fault, self.code = ending, text, reason, fault, code


class _Work:
    """One lane in progress."""

    def __init__(self, model: LocalModel, brief: Brief, toolbox: Toolbox, cancel: Cancel) -> None:
        self.model, self.brief, self.toolbox, self.cancel = model, brief, toolbox, cancel
        self.menu = list(brief.menu)
        self.phrases = Phrases(german=words.is_german(brief.task))
        self.done: list[Done] = []
        self.usage = Usage(input_tokens=0, output_tokens=0, cached_input_tokens=0)
        self.steps = 0
        self.first_token_ms: float | None = None
        self.first_tool_ms: float | None = None
        self._refusals: list[str] = []
        self._began = time.monotonic()
        self._deadline = self._began + brief.limits.time_s

    def all(self) -> Events:
        """Every step of the task in order, then the answer; ends with `_End`."""
        for goal in steps(self.brief):
            yield from self._serve(goal)
        if not self.done:
            text = "\n".join(self._refusals) or self.phrases.about("no_fit", self.brief.task)
            raise _End(Ending.DECLINED, text, "no tool fits")
        yield from self._close()

    def _serve(self, goal: str) -> Events:
        """One step: the call that the model writes, once more where it was refused or cannot be read."""
        for _ in range(TRIES):
            yield Thinking(self.steps + 1, goal)
            written = yield from self._write(
                wording.step(self.brief, self.menu, self.done, goal),
                schema=grammar.of(self.menu),
                max_tokens=MOST_REPLY_TOKENS,
            )
            try:
                reply = grammar.read(written.text)
            except grammar.Malformed as malformed:
                yield Rejected("", written.text, str(malformed))
                continue
            match reply:
                case Question(text):
                    raise _End(Ending.ASKED, text or self.phrases.about("vague", goal), "the model asked")
                case NoneFits(text):
                    self._refusals.append(text or self.phrases.about("no_fit", goal))
                    return
                case Call() if any(each.call == reply and each.outcome.ok for each in self.done):
                    # It has the result already; a second call would change something twice.
                    return
                case Call():
                    yield from self._call(reply)
                    if self.done[-1].outcome.ok:
                        return

    def _call(self, call: Call) -> Events:
        if self.steps >= self.brief.limits.max_steps:
            raise self._limit("step limit")
        self.steps += 1
        if self.first_tool_ms is None:
            self.first_tool_ms = self._ms()
        outcome = self.toolbox.call(call.tool, call.arguments)
        self._deadline += outcome.waited_s
        known = {tool.id for tool in self.menu}
        self.menu += [tool for tool in outcome.joined if tool.id not in known]
        self.done.append(Done(call, outcome))
        yield Progress(self.usage)

    def _close(self) -> Events:
        messages = wording.closing(self.brief, self.menu, self.done)
        written = yield from self._write(messages, schema=None, max_tokens=MOST_ANSWER_TOKENS, aloud=True)
        text = written.text.strip()
        if not any(each.outcome.ok for each in self.done):
            raise _End(Ending.ANSWERED, text, "every call was refused")
        raise _End(Ending.ANSWERED, text, "answered in part" if self._refusals else "answered")

    def _write(
        self, messages: list[Message], *, schema: Mapping[str, Any] | None, max_tokens: int, aloud: bool = False
    ) -> Generator[AgentEvent, None, Written]:
        """One request; its words are told in batches where they are for people."""
        self._check_limits()
        pieces = self.model.write(
            messages,
            schema=schema,
            max_tokens=max_tokens,
            timeout_s=self._deadline - time.monotonic(),
            cancelled=self.cancel.requested,
        )
        batch = ""
        try:
            while True:
                piece = next(pieces)
                if piece and self.first_token_ms is None:
                    self.first_token_ms = self._ms()
                batch += piece
                if aloud and len(batch) >= BATCH_CHARS:
                    yield Said(batch)
                    batch = ""
        except StopIteration as done:
            written: Written = done.value
        except ModelFailed as failed:
            raise _End(Ending.FAILED, str(failed), "the model failed", fault="host", code=failed.code) from failed
        except ModelSlow:
            raise self._limit("time limit") from None
        except Unwanted:
            raise self._stopped() from None
        self.usage = _sum(self.usage, written)
        if aloud and batch:
            yield Said(batch)
        yield Progress(self.usage)
        return written

    def _check_limits(self) -> None:
        if self.cancel.requested():
            raise self._stopped()
        if time.monotonic() >= self._deadline:
            raise self._limit("time limit")
        most = self.brief.limits.max_tokens
        if most is not None and (self.usage.input_tokens or 0) + (self.usage.output_tokens or 0) >= most:
            raise self._limit("token limit")

    def _stopped(self) -> _End:
        return _End(Ending.STOPPED, self.phrases.stopped, "stop requested")

    def _limit(self, reason: str) -> _End:
        return _End(Ending.LIMIT, self.phrases.limit(self.steps), reason)

    def _ms(self) -> float:
        return (time.monotonic() - self._began) * 1000


def steps(brief: Brief) -> list[str]:
    """The sub-goals of the task, one call each, in order.

    A clause that only wants something told belongs to the answer, unless there is nothing else to do.
    """
    found = clauses.read(brief.task, verbs={clauses.first_word(tool.description) for tool in brief.menu}).steps
    wanted = [clause for clause in found if clause.role is Role.ACTION] or list(found[:1])
    return [clause.whole for clause in wanted] or [brief.task]


def _sum(usage: Usage, written: Written) -> Usage:
    """The usage so far and that of one reply; what was not reported once is unknown from then on."""
    return Usage(
        input_tokens=_plus(usage.input_tokens, written.input_tokens),
        output_tokens=_plus(usage.output_tokens, written.output_tokens),
        cached_input_tokens=_plus(usage.cached_input_tokens, written.cached_tokens),
    )


def _plus(known: int | None, more: int | None) -> int | None:
    return None if known is None or more is None else known + more
