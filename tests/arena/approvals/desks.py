"""A lane that waits for a person, played with the real rows: the worker's side in a thread, the person's here."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from django.db import connection

from arena.approvals.models import Approval
from arena.models import Lane, Run
from arena.runs import approving, claims, route, start
from arena.runs.approving import Approved, Desk, NotApproved, Question
from arena.runs.cancel import LaneCancel
from arena.runs.recorder import Recorder
from policy.people.models import User

WITHIN_S = 30.0
REFUND = {"order_id": "LL-7", "amount": 40, "note": "token=abcdef0123456789"}


@dataclass
class Waiting:
    """A lane at work whose calls can be put to a person."""

    lane: Lane
    recorder: Recorder
    lost: threading.Event = field(default_factory=threading.Event)
    pool: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(4))
    calls: int = 0

    @classmethod
    def begin(cls, by: User) -> Waiting:
        run = start.start("refund", by=by, origin="api", arms=["full"])
        route.route(run.pk)
        lane = Lane.objects.get(run=run)
        owner = claims.claim(Lane.objects.filter(pk=lane.pk))
        assert owner is not None
        lane.refresh_from_db()
        return cls(lane, Recorder(lane, owner))

    @property
    def run(self) -> Run:
        return Run.objects.get(pk=self.lane.run_id)

    def desk(self, *, attended: bool = True) -> Desk:
        return Desk(self.recorder, LaneCancel(self.lane.run_id, lost=self.lost, time_s=60), attended=attended)

    def question(self, arguments: Mapping[str, Any] | None = None) -> Question:
        self.calls += 1
        given = REFUND if arguments is None else arguments
        return Question(self.calls, "issue_refund", "destructive", given, "rules.refunds", "money leaves the house")

    def ask(self, question: Question | None = None, desk: Desk | None = None) -> Future[Approved | NotApproved]:
        """Ask in a thread of its own, as a lane does."""
        return self.pool.submit(_closing, approving.require_approval, question or self.question(), desk or self.desk())


def _closing(work: Callable[..., Approved | NotApproved], *arguments: Any) -> Approved | NotApproved:
    try:
        return work(*arguments)
    finally:
        connection.close()


def opened() -> Approval:
    """The approval that a thread is about to ask for."""
    found: Approval = until(lambda: Approval.objects.filter(state=Approval.State.OPEN).last())
    return found


def until(look: Callable[[], Any]) -> Any:
    """What `look` gives once it gives something."""
    end = time.monotonic() + WITHIN_S
    while time.monotonic() < end:
        if found := look():
            return found
        time.sleep(0.02)
    raise AssertionError("it did not come in time")
