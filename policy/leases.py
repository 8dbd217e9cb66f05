"""Claims and leases: a row has one owner for a while, by the database's clock.

A row that can be claimed has the fields `owner`, `lease_until` and `attempt`.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import Error as DatabaseFault
from django.db import connection
from django.db.models import F, Model, QuerySet
from django.db.models.functions import Now


def lease() -> Any:
    """The end of a lease that begins now, as a database expression."""
    return Now() + timedelta(seconds=settings.LANE_LEASE_S)


def claim(rows: QuerySet[Any], **changes: Any) -> str | None:
    """Take the one row of `rows` in one conditional update. Returns the owner token, or None: someone else has it."""
    owner = secrets.token_hex(16)
    taken = rows.update(owner=owner, lease_until=lease(), attempt=F("attempt") + 1, **changes)
    return owner if taken else None


class Lease:
    """A lease that prolongs itself until it is left, lost, or older than its work may be."""

    def __init__(self, model: type[Model], pk: int, owner: str, at_most_s: float) -> None:
        self._until = time.monotonic() + at_most_s
        self._rows = model._default_manager.filter(pk=pk, owner=owner)
        self._left = threading.Event()
        self.lost = threading.Event()

    def prolong(self) -> None:
        if not self._rows.update(lease_until=lease()):
            self.lost.set()

    def keep(self) -> None:
        """Prolong every third of the lease's length; a database that is busy for a moment is asked again."""
        try:
            while not self.lost.is_set() and not self._left.wait(settings.LANE_LEASE_S / 3):
                if time.monotonic() >= self._until:
                    return
                try:
                    self.prolong()
                except DatabaseFault:
                    connection.close()
        finally:
            connection.close()

    def extend(self, seconds: float) -> None:
        """The work waits for a person meanwhile, so it may take this much longer."""
        self._until += max(seconds, 0.0)

    def leave(self) -> None:
        self._left.set()


@contextmanager
def held(model: type[Model], pk: int, owner: str, *, at_most_s: float) -> Iterator[Lease]:
    """Hold a claimed row while the block works, but no longer than `at_most_s`: what hangs is left to the reaper."""
    held_lease = Lease(model, pk, owner, at_most_s)
    keeper = threading.Thread(target=held_lease.keep, name=f"lease-{owner[:8]}", daemon=True)
    keeper.start()
    try:
        yield held_lease
    finally:
        held_lease.leave()
        keeper.join()
