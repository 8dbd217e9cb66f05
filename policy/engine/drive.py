"""Drivers: they ask the judge what a generator of the engine wants to know, within one time budget."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Generator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar

from policy.engine.bounds import bound_line
from policy.engine.failures import Failure, FailureCode, HostFault, JudgeFailed
from policy.engine.judge import Judge, JudgeReply, JudgeRequest, is_reply
from policy.engine.slots import Slots

logger = logging.getLogger(__name__)

Result = TypeVar("Result")
Sent = JudgeReply | Failure
OnExchange = Callable[[JudgeRequest, Sent], None]
Cancelled = Callable[[], bool | str]

# Worded by seed 000.
TOO_LATE = Failure(FailureCode.TIMEOUT, "jev budget elapsed before the provider replied")
ABORTED = Failure(FailureCode.ABORTED, "the caller cancelled while the judge was asked")
NO_TIME_LEFT = Failure(
    FailureCode.TIMEOUT, "the time budget was used up before this request could be sent", unsent=True
)
NOT_STARTED = Failure(FailureCode.ABORTED, "the caller cancelled before this request was sent", unsent=True)

# How a judge may put it that its time was up.
_BY_CLOCK = frozenset({FailureCode.ABORTED, FailureCode.TIMEOUT})

# How soon a cancel is heard while waiting: a callable cannot wake anybody.
LOOK_S = 0.02
MAX_REASON_CHARS = 200


class AsyncJudge(Protocol):
    """The promise of `Judge`, awaited."""

    name: str

    def ask(self, request: JudgeRequest, *, timeout_s: float) -> Coroutine[Any, Any, JudgeReply]: ...


def run(
    steps: Generator[JudgeRequest, Sent, Result],
    judge: Judge,
    *,
    budget_ms: int,
    on_exchange: OnExchange | None = None,
    cancelled: Cancelled | None = None,
    slots: Slots | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Result:
    """Run the generator to its end; the budget (ms) bounds all its requests together, and the waits for a slot.

    `on_exchange` sees each request with what the generator was told about it, in order (see `was_sent`).
    `cancelled` (true, or the reason as a text) is looked at before and after each request and while it waits for one
    of the `slots`; a judge that is being asked is not interrupted, its reply is thrown away. Judge failures become
    results, never exceptions.
    """
    course = _Course(clock() + budget_ms / 1000, on_exchange, cancelled, clock)
    try:
        request = next(steps)
        while True:
            request = steps.send(course.told(request, _in_turn(judge, request, course, slots)))
    except StopIteration as end:
        result: Result = end.value
        return result


async def run_async(
    steps: Generator[JudgeRequest, Sent, Result],
    judge: AsyncJudge,
    *,
    budget_ms: int,
    on_exchange: OnExchange | None = None,
    cancelled: Cancelled | None = None,
    slots: Slots | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Result:
    """The same for an awaited judge, which is interrupted when the budget ends or the caller cancels."""
    course = _Course(clock() + budget_ms / 1000, on_exchange, cancelled, clock)
    try:
        request = next(steps)
        while True:
            async with _turn_async(course, slots) as refused:
                sent = refused or await _ask_async(judge, request, course)
            request = steps.send(course.told(request, sent))
    except StopIteration as end:
        result: Result = end.value
        return result


def was_sent(outcome: Sent) -> bool:
    """Whether the judge was asked at all: a request that the budget or a cancel prevented costs nothing."""
    return isinstance(outcome, JudgeReply) or not outcome.unsent


@dataclass(frozen=True, slots=True)
class _Course:
    """One run of a generator: its deadline and who is told."""

    deadline: float
    on_exchange: OnExchange | None
    cancelled: Cancelled | None
    clock: Callable[[], float]

    def left_s(self) -> float:
        return self.deadline - self.clock()

    def refused(self) -> Failure | None:
        """Why the next request must not be sent, if so."""
        return self.aborted(NOT_STARTED) or (NO_TIME_LEFT if self.left_s() <= 0 else None)

    def aborted(self, failure: Failure = ABORTED) -> Failure | None:
        """The failure with the caller's reason, once the caller has cancelled."""
        reason = self.cancelled is not None and self.cancelled()
        if isinstance(reason, str) and reason:
            return replace(failure, message=f"{failure.message}: {bound_line(reason, MAX_REASON_CHARS).text}")
        return failure if reason else None

    def told(self, request: JudgeRequest, sent: Sent) -> Sent:
        """What the generator learns: a late or unwanted reply is none, and what ends with the budget is its doing."""
        told = sent
        if isinstance(sent, JudgeReply):
            told = self.aborted() or (TOO_LATE if self.left_s() < 0 else sent)
        elif sent.code in _BY_CLOCK and not sent.unsent:
            told = sent if self.left_s() > 0 or self.aborted() else TOO_LATE
        if self.on_exchange is not None:
            self.on_exchange(request, told)
        return told


def _in_turn(judge: Judge, request: JudgeRequest, course: _Course, slots: Slots | None) -> Sent:
    """Ask at once where nobody has to wait for a slot."""
    if slots is None:
        return course.refused() or _ask(judge, request, course.left_s())
    with _turn(course, slots) as refused:
        return refused or _ask(judge, request, course.left_s())


@contextmanager
def _turn(course: _Course, slots: Slots) -> Iterator[Failure | None]:
    """Hold a slot for one request; gives why the request must not be sent, if so."""
    admitted = threading.Event()
    place = slots.enter(admitted.set)
    try:
        while not place.admitted and course.refused() is None:
            admitted.wait(min(course.left_s(), LOOK_S))
        yield course.refused()
    finally:
        slots.leave(place)


@asynccontextmanager
async def _turn_async(course: _Course, slots: Slots | None) -> AsyncIterator[Failure | None]:
    """The same, awaited."""
    if slots is None:
        yield course.refused()
        return
    loop, admitted = asyncio.get_running_loop(), asyncio.Event()
    place = slots.enter(lambda: loop.call_soon_threadsafe(admitted.set))
    try:
        while not place.admitted and course.refused() is None:
            with suppress(TimeoutError):
                async with asyncio.timeout(min(course.left_s(), LOOK_S)):
                    await admitted.wait()
        yield course.refused()
    finally:
        slots.leave(place)


def _ask(judge: Judge, request: JudgeRequest, timeout_s: float) -> Sent:
    try:
        return _taken(judge.name, judge.ask(request, timeout_s=timeout_s))
    except JudgeFailed as failed:
        return failed.failure
    except HostFault:
        raise
    except Exception as error:  # the edge to foreign judges: a fault of theirs must not end the caller
        return _broken(judge.name, error)


async def _ask_async(judge: AsyncJudge, request: JudgeRequest, course: _Course) -> Sent:
    left_s = course.left_s()
    try:
        async with asyncio.timeout(left_s):
            asking = judge.ask(request, timeout_s=left_s)
            came = await (asking if course.cancelled is None else _unless_cancelled(asking, course))
            return _taken(judge.name, came)
    except JudgeFailed as failed:
        return failed.failure
    except TimeoutError:
        return TOO_LATE
    except HostFault:
        raise
    except Exception as error:  # as in `_ask`
        return _broken(judge.name, error)


async def _unless_cancelled(asking: Coroutine[Any, Any, JudgeReply], course: _Course) -> Sent:
    """The reply, or the caller's cancel as soon as it is heard; the judge has ended either way."""
    task = asyncio.ensure_future(asking)
    try:
        while not (await asyncio.wait({task}, timeout=LOOK_S))[0]:
            if (aborted := course.aborted()) is not None:
                return aborted
        return task.result()
    finally:
        if not task.done():
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


def _taken(name: str, came: object) -> Sent:
    """What a judge gave back, where it is a reply or a failure at all."""
    if is_reply(came) or isinstance(came, Failure):
        return came
    if asyncio.iscoroutine(came):
        came.close()
    kind = type(came).__name__
    logger.error("judge %s broke its protocol with a %s", name, kind)
    return Failure(FailureCode.UNKNOWN, f"judge {name} gave back a {kind} that is no reply")


def _broken(name: str, error: Exception) -> Failure:
    """The kind of error only: its text may hold a key or a body."""
    logger.error("judge %s broke its protocol with %s", name, type(error).__name__)
    return Failure(FailureCode.UNKNOWN, f"judge {name} broke with {type(error).__name__} instead of a typed failure")
