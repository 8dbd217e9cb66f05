"""Turns at a judge: never more at once than allowed, a bounded wait, a bounded queue."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from policy.engine.drive import NO_TIME_LEFT
from policy.engine.failures import JudgeFailed
from policy.engine.judge import JudgeReply, JudgeRequest
from policy.engine.questions import Noul
from policy.judges.scripted import ScriptedJudge
from policy.services.turns import MOST_AT_ONCE, Busy, Queue, TakingTurns

REQUEST = JudgeRequest("a state", {"q": Noul("Is it?")}, "test")


class Held(ScriptedJudge):
    """Answers when it is let go; counts how many are inside."""

    def __init__(self) -> None:
        super().__init__()
        self.inside = 0
        self.most = 0
        self.go = threading.Semaphore(0)

    def ask(self, request: JudgeRequest, *, timeout_s: float) -> JudgeReply:
        self.inside += 1
        self.most = max(self.most, self.inside)
        assert self.go.acquire(timeout=5)
        self.inside -= 1
        return super().ask(request, timeout_s=timeout_s)


@contextmanager
def callers(judge: TakingTurns, count: int, release: threading.Semaphore) -> Iterator[None]:
    threads = [threading.Thread(target=judge.ask, args=(REQUEST,), kwargs={"timeout_s": 5.0}) for _ in range(count)]
    for thread in threads:
        thread.start()
    yield
    release.release(count)
    for thread in threads:
        thread.join(timeout=5)
    assert not any(thread.is_alive() for thread in threads)


def until(queue: Queue, *, asking: int, waiting: int) -> None:
    for _ in range(500):
        if (queue.asking, queue.waiting) == (asking, waiting):
            return
        threading.Event().wait(0.01)
    raise AssertionError((queue.asking, queue.waiting))


def test_no_more_than_allowed_are_asked_at_once_and_all_come_to_their_turn() -> None:
    held, queue = Held(), Queue()
    with callers(TakingTurns(held, queue, at_once=2), 5, held.go):
        until(queue, asking=2, waiting=3)
    assert (held.most, len(held.requests)) == (2, 5)
    assert (queue.asking, queue.waiting) == (0, 0)


def test_a_wait_that_takes_the_whole_time_is_a_time_out_and_asks_nothing() -> None:
    held, queue = Held(), Queue()
    turned = TakingTurns(held, queue, at_once=1)
    with callers(turned, 1, held.go):
        until(queue, asking=1, waiting=0)
        with pytest.raises(JudgeFailed) as failed:
            turned.ask(REQUEST, timeout_s=0.01)
    assert failed.value.failure == NO_TIME_LEFT
    assert len(held.requests) == 1


def test_a_full_queue_refuses_at_once() -> None:
    held, queue = Held(), Queue(most_waiting=1)
    turned = TakingTurns(held, queue, at_once=1)
    with callers(turned, 2, held.go):
        until(queue, asking=1, waiting=1)
        with pytest.raises(Busy, match="The judge scripted is busy"):
            turned.ask(REQUEST, timeout_s=5)
    assert len(held.requests) == 2


def test_a_profile_cannot_raise_the_bound_of_the_process() -> None:
    held, queue = Held(), Queue()
    with callers(TakingTurns(held, queue, at_once=10**6), MOST_AT_ONCE + 1, held.go):
        until(queue, asking=MOST_AT_ONCE, waiting=1)
    assert held.most == MOST_AT_ONCE


def test_a_judge_that_breaks_gives_its_turn_back() -> None:
    class Broken(ScriptedJudge):
        def ask(self, request: JudgeRequest, *, timeout_s: float) -> JudgeReply:
            raise RuntimeError("broken")

    queue = Queue()
    with pytest.raises(RuntimeError):
        TakingTurns(Broken(), queue, at_once=1).ask(REQUEST, timeout_s=1)
    assert queue.asking == 0
