"""What the tests of the engine play with: a clock of their own, slow and broken judges, replies from plain dicts."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

from policy.engine.drive import run, run_async
from policy.engine.failures import Failure, FailureCode, JudgeFailed
from policy.engine.judge import Judge, JudgeReply, JudgeRequest
from policy.engine.profile import Profile
from policy.engine.questions import Noul
from policy.engine.selection import Candidate, Selection, select_tools
from policy.judges.scripted import Script, ScriptedJudge

REQUEST = JudgeRequest({"task": "t"}, {"go": Noul("Go?")}, "test")

Result = TypeVar("Result")
_loop: asyncio.Runner | None = None


@contextmanager
def awaiting() -> Iterator[None]:
    """Inside, `drive` awaits; the fixture `either_way` runs a module's tests with and without it."""
    global _loop
    with asyncio.Runner() as _loop:
        yield
    _loop = None


def drive(
    steps: Generator[JudgeRequest, JudgeReply | Failure, Result], judge: Judge, *, budget_ms: int = 8000, **more: Any
) -> Result:
    """`run`, or `run_async` with the same judge where the fixture `either_way` says so."""
    if _loop is None:
        return run(steps, judge, budget_ms=budget_ms, **more)
    return _loop.run(run_async(steps, Awaited(judge), budget_ms=budget_ms, **more))


class Awaited:
    """Any judge, awaited."""

    def __init__(self, judge: Judge) -> None:
        self.name = judge.name
        self.judge = judge

    async def ask(self, request: JudgeRequest, *, timeout_s: float) -> JudgeReply:
        return self.judge.ask(request, timeout_s=timeout_s)


class Clock:
    """Seconds that pass only when a test says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def pass_s(self, seconds: float) -> None:
        self.now += seconds


class SlowJudge:
    """Takes its time on the given clock; obeys the time-out unless told to overrun it, and gives up with a code."""

    name = "slow"

    def __init__(
        self,
        clock: Clock,
        *,
        delay_s: float,
        overruns: bool = False,
        breaks: bool = False,
        gives_up: FailureCode = FailureCode.TIMEOUT,
    ) -> None:
        self.clock = clock
        self.delay_s = delay_s
        self.overruns = overruns
        self.breaks = breaks
        self.gives_up = gives_up
        self.timeouts: list[float] = []

    def ask(self, request: JudgeRequest, *, timeout_s: float) -> JudgeReply:
        self.timeouts.append(timeout_s)
        in_time = self.overruns or self.delay_s <= timeout_s
        self.clock.pass_s(self.delay_s if in_time else timeout_s)
        if self.breaks:
            raise ValueError("a secret key")
        if not in_time:
            raise JudgeFailed(Failure(self.gives_up, "slow"))
        return reply({name: {"type": "noul", "noul": 0.9} for name in request.questions})


def one_request() -> Generator[JudgeRequest, JudgeReply | Failure, JudgeReply | Failure]:
    """The smallest generator: asks once and returns what it was told."""
    told = yield REQUEST
    return told


def reply(answers: object, **more: Any) -> JudgeReply:
    body = {"model": "m-1", "answers": answers, **more}
    return JudgeReply(body, json.dumps(body).encode(), latency_ms=10.0)


def tools(**categories: str) -> list[Candidate]:
    """`tools(net="ping dig")` is two candidates of the category net."""
    return [Candidate(tool, (category,)) for category, ids in categories.items() for tool in ids.split()]


def select(
    answers: Mapping[str, Any] | None = None, *, judge: ScriptedJudge | None = None, **options: Any
) -> tuple[Selection, ScriptedJudge]:
    """A selection with scripted answers, and the judge that was asked."""
    judge = judge or ScriptedJudge(Script(answers or {}))
    arguments = {"task": "look up the host", "profile": Profile(), "candidates": tools(net="dig ping"), **options}
    return drive(select_tools(**arguments), judge), judge
