"""Turns at a judge: so many requests at once in this process, a bounded queue behind them."""

from __future__ import annotations

import threading
import time

from policy.engine.drive import NO_TIME_LEFT
from policy.engine.failures import HostFault, JudgeFailed
from policy.engine.judge import Judge, JudgeReply, JudgeRequest

# Whatever a profile says: a profile comes with the request, the processor does not.
MOST_AT_ONCE = 8
MOST_WAITING = 32
RETRY_AFTER_S = 2


class Busy(HostFault):
    """Too many requests wait for this judge already; nothing was asked. `retry_after_s` is a fair time to wait."""

    retry_after_s = RETRY_AFTER_S

    def __init__(self, judge: str) -> None:
        super().__init__(
            f"The judge {judge} is busy: {MOST_WAITING} requests wait for it already. "
            f"Try again in {RETRY_AFTER_S} seconds."
        )


class Queue:
    """Who is being answered by one judge and who waits, in this process."""

    def __init__(self, *, most_waiting: int = MOST_WAITING) -> None:
        self._most_waiting = most_waiting
        self._changed = threading.Condition()
        self._asking = 0
        self._waiting = 0

    @property
    def asking(self) -> int:
        return self._asking

    @property
    def waiting(self) -> int:
        return self._waiting

    def enter(self, judge: str, *, at_once: int, timeout_s: float) -> bool:
        """Take a turn as soon as fewer than `at_once` are taken; False when the time ran out, `Busy` when full."""
        limit = min(at_once, MOST_AT_ONCE)
        with self._changed:
            if self._asking >= limit and self._waiting >= self._most_waiting:
                raise Busy(judge)
            self._waiting += 1
            try:
                came = self._changed.wait_for(lambda: self._asking < limit, timeout_s)
            finally:
                self._waiting -= 1
            self._asking += came
            return came

    def leave(self) -> None:
        with self._changed:
            self._asking -= 1
            # All of them: each waits for a limit of its own.
            self._changed.notify_all()


class TakingTurns:
    """A judge that is asked by at most `at_once` callers of this queue together; the wait is part of the time-out."""

    def __init__(self, judge: Judge, queue: Queue, *, at_once: int) -> None:
        self.name = judge.name
        self._judge = judge
        self._queue = queue
        self._at_once = at_once

    def ask(self, request: JudgeRequest, *, timeout_s: float) -> JudgeReply:
        deadline = time.monotonic() + timeout_s
        if not self._queue.enter(self.name, at_once=self._at_once, timeout_s=timeout_s):
            raise JudgeFailed(NO_TIME_LEFT)
        try:
            return self._judge.ask(request, timeout_s=max(deadline - time.monotonic(), 0))
        finally:
            self._queue.leave()


_lock = threading.Lock()
_queues: dict[str, Queue] = {}


def queue_of(judge: str) -> Queue:
    """The one queue of a judge in this process, by the judge's name."""
    with _lock:
        return _queues.setdefault(judge, Queue())
