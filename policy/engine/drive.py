"""Drivers: they ask the judge what a generator of the engine wants to know, within one time budget."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Protocol, TypeVar

from policy.engine.failures import Failure, FailureCode, HostFault, JudgeFailed
from policy.engine.judge import Judge, JudgeReply, JudgeRequest

logger = logging.getLogger(__name__)

Result = TypeVar("Result")
Sent = JudgeReply | Failure
OnExchange = Callable[[JudgeRequest, Sent], None]

# Worded by seed 000.
TOO_LATE = Failure(FailureCode.TIMEOUT, "jev budget elapsed before the provider replied")
ABORTED = Failure(FailureCode.ABORTED, "the caller cancelled while the judge was asked")
NO_TIME_LEFT = Failure(FailureCode.TIMEOUT, "the time budget was used up before this request could be sent")
NOT_STARTED = Failure(FailureCode.ABORTED, "the caller cancelled before this request was sent")


class AsyncJudge(Protocol):
    """The promise of `Judge`, awaited."""

    name: str

    async def ask(self, request: JudgeRequest, *, timeout_s: float) -> JudgeReply: ...


def run(
    steps: Generator[JudgeRequest, Sent, Result],
    judge: Judge,
    *,
    budget_ms: int,
    on_exchange: OnExchange | None = None,
    cancelled: Callable[[], bool] | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Result:
    """Run the generator to its end; the budget (ms) bounds all its requests together.

    `on_exchange` sees each request with what the generator was told about it, in order (see `was_sent`).
    `cancelled` is looked at before and after each request. Judge failures become results, never exceptions.
    """
    course = _Course(clock() + budget_ms / 1000, on_exchange, cancelled, clock)
    try:
        request = next(steps)
        while True:
            request = steps.send(course.told(request, course.refused() or _ask(judge, request, course.left_s())))
    except StopIteration as end:
        result: Result = end.value
        return result


async def run_async(
    steps: Generator[JudgeRequest, Sent, Result],
    judge: AsyncJudge,
    *,
    budget_ms: int,
    on_exchange: OnExchange | None = None,
    cancelled: Callable[[], bool] | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Result:
    """The same for an awaited judge, which is interrupted when the budget ends."""
    course = _Course(clock() + budget_ms / 1000, on_exchange, cancelled, clock)
    try:
        request = next(steps)
        while True:
            sent = course.refused() or await _ask_async(judge, request, course.left_s())
            request = steps.send(course.told(request, sent))
    except StopIteration as end:
        result: Result = end.value
        return result


def was_sent(outcome: Sent) -> bool:
    """Whether the judge was asked at all: a request that the budget or a cancel prevented costs nothing."""
    return outcome not in (NO_TIME_LEFT, NOT_STARTED)


@dataclass(frozen=True, slots=True)
class _Course:
    """One run of a generator: its deadline and who is told."""

    deadline: float
    on_exchange: OnExchange | None
    cancelled: Callable[[], bool] | None
    clock: Callable[[], float]

    def left_s(self) -> float:
        return self.deadline - self.clock()

    def refused(self) -> Failure | None:
        """Why the next request must not be sent, if so."""
        if self._is_cancelled():
            return NOT_STARTED
        return NO_TIME_LEFT if self.left_s() <= 0 else None

    def told(self, request: JudgeRequest, sent: Sent) -> Sent:
        """What the generator learns: a late or unwanted reply is none, and an abort by the clock is a time-out."""
        told = sent
        if isinstance(sent, JudgeReply):
            told = ABORTED if self._is_cancelled() else TOO_LATE if self.left_s() < 0 else sent
        elif sent.code is FailureCode.ABORTED and sent != NOT_STARTED:
            told = sent if self._is_cancelled() or self.left_s() > 0 else TOO_LATE
        if self.on_exchange is not None:
            self.on_exchange(request, told)
        return told

    def _is_cancelled(self) -> bool:
        return self.cancelled is not None and self.cancelled()


def _ask(judge: Judge, request: JudgeRequest, timeout_s: float) -> Sent:
    try:
        return judge.ask(request, timeout_s=timeout_s)
    except JudgeFailed as failed:
        return failed.failure
    except HostFault:
        raise
    except Exception as error:  # the edge to foreign judges: a fault of theirs must not end the caller
        return _broken(judge.name, error)


async def _ask_async(judge: AsyncJudge, request: JudgeRequest, timeout_s: float) -> Sent:
    try:
        async with asyncio.timeout(timeout_s):
            return await judge.ask(request, timeout_s=timeout_s)
    except JudgeFailed as failed:
        return failed.failure
    except TimeoutError:
        return TOO_LATE
    except HostFault:
        raise
    except Exception as error:  # as in `_ask`
        return _broken(judge.name, error)


def _broken(name: str, error: Exception) -> Failure:
    """The kind of error only: its text may hold a key or a body."""
    logger.error("judge %s broke its protocol with %s", name, type(error).__name__)
    return Failure(FailureCode.UNKNOWN, f"judge {name} broke with {type(error).__name__} instead of a typed failure")
