"""Slots: never more than the limit, first come first served, and a wait that can end."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy.engine.drive import NO_TIME_LEFT, NOT_STARTED, run, run_async, was_sent
from policy.engine.failures import Failure
from policy.engine.judge import JudgeReply, JudgeRequest
from policy.engine.profile import InvalidConfig
from policy.engine.slots import Place, Slots
from tests.policy.engine.doubles import one_request, reply


class Counting:
    """Counts who is asked at once; answers after a moment."""

    name = "counting"

    def __init__(self, moment_s: float = 0.002) -> None:
        self.moment_s = moment_s
        self.lock = threading.Lock()
        self.now = self.most = self.asked = 0

    def ask(self, request: JudgeRequest, *, timeout_s: float) -> JudgeReply:
        with self.counted():
            threading.Event().wait(self.moment_s)
            return reply({})

    @contextmanager
    def counted(self) -> Iterator[None]:
        with self.lock:
            self.now += 1
            self.asked += 1
            self.most = max(self.most, self.now)
        try:
            yield
        finally:
            with self.lock:
                self.now -= 1


class CountingAwaited(Counting):
    async def ask(self, request: JudgeRequest, *, timeout_s: float) -> JudgeReply:  # type: ignore[override]
        with self.counted():
            await asyncio.sleep(self.moment_s)
            return reply({})


def in_threads(count: int, work: Callable[[], object]) -> None:
    threads = [threading.Thread(target=work) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def nobody() -> None:
    pass


@given(st.integers(1, 4), st.lists(st.tuples(st.booleans(), st.integers(0, 9)), max_size=60))
def test_whatever_comes_and_goes_the_oldest_are_in_and_no_more_than_the_limit(
    limit: int, moves: list[tuple[bool, int]]
) -> None:
    slots, present = Slots(limit), list[Place]()
    for comes, which in moves:
        if comes or not present:
            present.append(slots.enter(nobody))
        else:
            slots.leave(present.pop(which % len(present)))
        admitted = [place.admitted for place in present]
        assert sum(admitted) == slots.held == min(limit, len(present))
        assert slots.waiting == len(present) - slots.held
        assert sorted(admitted, reverse=True) == admitted


def test_leaving_twice_frees_one_slot() -> None:
    slots = Slots(1)
    first, second, third = (slots.enter(nobody) for _ in range(3))
    slots.leave(first)
    slots.leave(first)
    assert (second.admitted, third.admitted, slots.held, slots.waiting) == (True, False, 1, 1)


def test_a_place_whose_loop_is_gone_takes_no_slot() -> None:
    def gone() -> None:
        raise RuntimeError("Event loop is closed")

    slots = Slots(1)
    first, _, third = slots.enter(nobody), slots.enter(gone), slots.enter(nobody)
    slots.leave(first)
    assert (third.admitted, slots.held, slots.waiting) == (True, 1, 0)


@pytest.mark.parametrize("limit", [0, -1, True, 1.5, "2", None])
def test_a_limit_is_a_positive_whole_number(limit: Any) -> None:
    with pytest.raises(InvalidConfig, match="positive integer"):
        Slots(limit)


def test_threads_never_exceed_the_limit_and_all_are_answered() -> None:
    judge, slots = Counting(), Slots(2)
    in_threads(12, lambda: run(one_request(), judge, budget_ms=9000, slots=slots))
    assert (judge.most, judge.asked) == (2, 12)
    assert (slots.held, slots.waiting) == (0, 0)


async def test_tasks_never_exceed_the_limit_and_all_are_answered() -> None:
    judge, slots = CountingAwaited(), Slots(3)
    await asyncio.gather(*(run_async(one_request(), judge, budget_ms=9000, slots=slots) for _ in range(12)))
    assert (judge.most, judge.asked) == (3, 12)
    assert (slots.held, slots.waiting) == (0, 0)


def test_the_wait_for_a_slot_is_part_of_the_budget() -> None:
    judge, slots = Counting(), Slots(1)
    slots.enter(nobody)
    told = run(one_request(), judge, budget_ms=30, slots=slots)
    assert told == NO_TIME_LEFT
    assert not was_sent(told)
    assert (judge.asked, slots.waiting) == (0, 0)


async def test_the_awaited_wait_for_a_slot_is_part_of_the_budget() -> None:
    judge, slots = CountingAwaited(), Slots(1)
    slots.enter(nobody)
    assert await run_async(one_request(), judge, budget_ms=30, slots=slots) == NO_TIME_LEFT
    assert (judge.asked, slots.waiting) == (0, 0)


def test_a_cancel_is_heard_in_the_queue_with_its_reason() -> None:
    judge, slots = Counting(), Slots(1)
    slots.enter(nobody)
    told = run(
        one_request(), judge, budget_ms=9000, slots=slots, cancelled=lambda: "closing" if slots.waiting else False
    )
    assert isinstance(told, Failure)
    assert told.message == f"{NOT_STARTED.message}: closing"
    assert not was_sent(told)
    assert (judge.asked, slots.waiting) == (0, 0)


async def test_a_cancelled_task_leaves_the_queue() -> None:
    slots = Slots(1)
    slots.enter(nobody)
    task = asyncio.ensure_future(run_async(one_request(), CountingAwaited(), budget_ms=9000, slots=slots))
    while not slots.waiting:
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (slots.held, slots.waiting) == (1, 0)
