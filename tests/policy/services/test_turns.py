"""Turns at a judge: never more at once than it brings along, a wait within the budget, a bounded queue."""

from __future__ import annotations

import threading
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from policy.engine.failures import FailureCode
from policy.engine.judge import JudgeReply, JudgeRequest
from policy.engine.profile import Limits, Profile
from policy.engine.slots import Slots
from policy.judges.scripted import ScriptedJudge
from policy.models import LedgerEntry
from policy.people.services import local_user
from policy.services import judgments, turns
from policy.services.turns import Busy, slots_of
from tests.policy.services.conftest import MENU

pytestmark = pytest.mark.django_db(transaction=True)


class Held(ScriptedJudge):
    """Answers when it is let go; counts how many are with it."""

    name = "held"

    def __init__(self) -> None:
        super().__init__()
        self.inside = 0
        self.most = 0
        self.go = threading.Event()
        self.came = threading.Semaphore(0)

    def ask(self, request: JudgeRequest, *, timeout_s: float) -> JudgeReply:
        self.inside += 1
        self.most = max(self.most, self.inside)
        self.came.release()
        assert self.go.wait(5)
        self.inside -= 1
        return super().ask(request, timeout_s=timeout_s)


@pytest.fixture(autouse=True)
def _own_queues(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "_slots", {})


def select(judge: Held, **limits: int) -> judgments.Judgment[Any]:
    try:
        profile = Profile(limits=Limits(**limits))
        return judgments.select_tools(
            task="t", candidates=MENU, by=local_user(), origin="api", judge=judge, profile=profile
        )
    finally:
        connection.close()


def test_the_limit_is_the_judges_own_whatever_a_caller_asks_for() -> None:
    held = Held()
    with ThreadPoolExecutor(5) as pool:
        asked: list[Future[Any]] = [pool.submit(select, held, max_concurrent=99) for _ in range(5)]
        assert all(held.came.acquire(timeout=5) for _ in range(2))
        assert not held.came.acquire(timeout=0.05)
        held.go.set()
        assert [each.result(timeout=5).result.failure for each in asked] == [None] * 5
    assert held.most == Limits().max_concurrent == 2


def test_a_wait_that_takes_the_whole_budget_is_a_time_out_and_leaves_no_row() -> None:
    held = Held()
    slots = slots_of("held", limit=1)
    place = slots.enter(lambda: None)
    judgment = select(held, budget_ms=30)
    assert judgment.result.failure.code is FailureCode.TIMEOUT
    assert (judgment.request_digests, LedgerEntry.objects.count()) == ((), 0)
    slots.leave(place)
    assert (slots.held, slots.waiting) == (0, 0)


def test_a_full_queue_refuses_at_once_and_asks_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    slots = Slots(1)
    for _ in range(1 + turns.MOST_WAITING):
        slots.enter(lambda: None)
    monkeypatch.setitem(turns._slots, "held", slots)
    with pytest.raises(Busy, match="The judge held is busy: 32 requests wait"):
        select(Held())
    assert not LedgerEntry.objects.exists()
