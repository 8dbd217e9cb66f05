"""Drivers: one budget for all requests, failures as results, a cancel that is heard."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Generator
from typing import Any

import pytest

from policy.engine.drive import ABORTED, NO_TIME_LEFT, NOT_STARTED, TOO_LATE, run, run_async, was_sent
from policy.engine.failures import Failure, FailureCode, JudgeFailed
from policy.engine.judge import JudgeReply, JudgeRequest
from tests.policy.engine.doubles import REQUEST, Awaited, Clock, SlowJudge, one_request

Told = JudgeReply | Failure


def asks(count: int) -> Generator[JudgeRequest, Told, list[Told]]:
    told = []
    for _ in range(count):
        told.append((yield REQUEST))
    return told


def driven(count: int = 1, *, delay_s: float = 0.0, **judge: Any) -> tuple[list[Told], SlowJudge]:
    """Ask `count` times within one second; every answer takes `delay_s`."""
    clock = Clock()
    slow = SlowJudge(clock, delay_s=delay_s, **judge)
    return run(asks(count), slow, budget_ms=1000, clock=clock), slow


def test_a_generator_that_asks_nothing_returns_at_once() -> None:
    told, judge = driven(0)
    assert told == []
    assert judge.timeouts == []


def test_all_requests_share_one_budget() -> None:
    told, judge = driven(3, delay_s=0.4)
    assert [type(each) for each in told] == [JudgeReply, JudgeReply, Failure]
    assert judge.timeouts == pytest.approx([1.0, 0.6, 0.2])


def test_a_request_without_time_left_is_not_sent() -> None:
    told, judge = driven(3, delay_s=0.5)
    assert told[2] == NO_TIME_LEFT
    assert len(judge.timeouts) == 2


def test_a_reply_after_the_budget_is_a_time_out() -> None:
    told, _ = driven(delay_s=1.1, overruns=True)
    assert told == [TOO_LATE]


def test_a_judge_that_breaks_its_promise_is_an_unknown_failure_without_its_text(caplog: Any) -> None:
    with caplog.at_level(logging.ERROR):
        (told,), _ = driven(breaks=True)
    assert isinstance(told, Failure)
    assert told.code is FailureCode.UNKNOWN
    assert told.message == "judge slow broke with ValueError instead of a typed failure"
    assert "broke its protocol" in caplog.text


@pytest.mark.parametrize(("cancels_at", "told", "asked"), [(0.0, NOT_STARTED, 0), (0.3, ABORTED, 1)])
def test_a_cancel_is_heard_before_and_after_a_request(cancels_at: float, told: Failure, asked: int) -> None:
    clock = Clock()
    judge = SlowJudge(clock, delay_s=0.5)
    result = run(one_request(), judge, budget_ms=9000, cancelled=lambda: clock() >= cancels_at, clock=clock)
    assert result == told
    assert len(judge.timeouts) == asked


@pytest.mark.parametrize(("delay_s", "code"), [(1.0, FailureCode.TIMEOUT), (0.2, FailureCode.ABORTED)])
def test_an_abort_that_the_clock_caused_is_a_time_out(delay_s: float, code: FailureCode) -> None:
    clock = Clock()

    class Aborting(SlowJudge):
        def ask(self, request: JudgeRequest, *, timeout_s: float) -> JudgeReply:
            clock.pass_s(delay_s + 0.1)
            raise JudgeFailed(Failure(FailureCode.ABORTED, "gone"))

    told = run(one_request(), Aborting(clock, delay_s=0), budget_ms=1000, clock=clock)
    assert isinstance(told, Failure)
    assert told.code is code


def test_a_time_out_at_the_end_of_the_budget_is_the_budgets_and_an_earlier_one_the_judges() -> None:
    told, _ = driven(delay_s=1.5)
    assert told == [TOO_LATE]

    class Impatient(SlowJudge):
        def ask(self, request: JudgeRequest, *, timeout_s: float) -> JudgeReply:
            raise JudgeFailed(Failure(FailureCode.TIMEOUT, "no answer within 100 ms"))

    early = run(one_request(), Impatient(Clock(), delay_s=0), budget_ms=1000)
    assert early == Failure(FailureCode.TIMEOUT, "no answer within 100 ms")


def test_the_host_sees_every_exchange_as_the_generator_was_told() -> None:
    clock, seen = Clock(), []
    judge = SlowJudge(clock, delay_s=0.6)
    told = run(asks(3), judge, budget_ms=1000, on_exchange=lambda *each: seen.append(each), clock=clock)
    assert [sent for _, sent in seen] == told
    assert [request for request, _ in seen] == [REQUEST] * 3
    assert [was_sent(sent) for sent in told] == [True, True, False]


async def test_the_awaited_driver_tells_the_same() -> None:
    clock = Clock()
    judge = Awaited(SlowJudge(clock, delay_s=0.4))
    told = await run_async(asks(4), judge, budget_ms=1000, clock=clock)
    expected, _ = driven(4, delay_s=0.4)
    assert told == expected


async def test_the_awaited_driver_interrupts_a_judge_that_hangs() -> None:
    class Hanging:
        name = "hanging"

        async def ask(self, request: JudgeRequest, *, timeout_s: float) -> JudgeReply:
            await asyncio.Event().wait()
            raise AssertionError("an event that nobody sets was set")

    assert await run_async(one_request(), Hanging(), budget_ms=20) == TOO_LATE


@pytest.mark.parametrize("reason", ["the page was closed", True])
async def test_an_awaited_judge_is_interrupted_when_the_caller_cancels(reason: str | bool) -> None:
    begun, ended = asyncio.Event(), asyncio.Event()

    class Hanging:
        name = "hanging"

        async def ask(self, request: JudgeRequest, *, timeout_s: float) -> JudgeReply:
            begun.set()
            try:
                await asyncio.Event().wait()
            finally:
                ended.set()
            raise AssertionError("an event that nobody sets was set")

    told = await run_async(one_request(), Hanging(), budget_ms=9000, cancelled=lambda: begun.is_set() and reason)
    assert isinstance(told, Failure)
    assert told.code is FailureCode.ABORTED
    assert told.message == ABORTED.message + (f": {reason}" if isinstance(reason, str) else "")
    assert ended.is_set()


async def test_the_awaited_driver_survives_a_broken_judge() -> None:
    told = await run_async(one_request(), Awaited(SlowJudge(Clock(), delay_s=0, breaks=True)), budget_ms=1000)
    assert isinstance(told, Failure)
    assert told.code is FailureCode.UNKNOWN


GARBAGE = [None, "allow", 1, {"model": "m", "answers": {}}, JudgeReply({}, b"", "soon")]  # type: ignore[arg-type]


@pytest.mark.parametrize("came", GARBAGE, ids=["none", "text", "number", "body", "latency"])
async def test_what_is_no_reply_is_a_failure_and_ends_nobody(came: Any) -> None:
    class Careless:
        name = "careless"

        def ask(self, request: JudgeRequest, *, timeout_s: float) -> Any:
            return came

    told = run(one_request(), Careless(), budget_ms=1000)
    assert isinstance(told, Failure)
    assert (told.code, told.message) == (
        FailureCode.UNKNOWN,
        f"judge careless gave back a {type(came).__name__} that is no reply",
    )
    assert await run_async(one_request(), Awaited(Careless()), budget_ms=1000) == told


def test_an_awaited_judge_in_a_driver_that_blocks_is_a_failure() -> None:
    told = run(one_request(), Awaited(SlowJudge(Clock(), delay_s=0)), budget_ms=1000)  # type: ignore[arg-type]
    assert isinstance(told, Failure)
    assert "gave back a coroutine" in told.message
