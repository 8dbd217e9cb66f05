"""Telling a terminal that a run waits for a person, and where to answer."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.db import connection
from django.urls import reverse

from arena.approvals.models import Approval
from arena.models import Run

_LOOK_EVERY_S = 0.5


@contextmanager
def told(run: Run) -> Iterator[None]:
    """While the block works, print every question of the run once, on standard error."""
    done = threading.Event()
    thread = threading.Thread(target=_look, args=(run, done), name="asks", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def sentence(row: Approval) -> str:
    """What waits, and where the answer is given."""
    page = reverse("arena:run", args=[row.run.public_id])
    return (
        f"Lane {row.lane.letter} waits for you: may it call {row.tool}? ({row.rule}: {row.reason}) "
        f"Answer on {page} of the site of this folder (manage.py up); no answer within "
        f"{settings.APPROVAL_WITHIN_S:g} s means no."
    )


def _look(run: Run, done: threading.Event) -> None:
    said: set[int] = set()
    try:
        while not done.wait(_LOOK_EVERY_S):
            rows = Approval.objects.filter(run=run, state=Approval.State.OPEN).select_related("run", "lane")
            for row in rows.exclude(pk__in=said):
                said.add(row.pk)
                sys.stderr.write(f"{sentence(row)}\n")
    finally:
        connection.close()
