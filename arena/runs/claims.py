"""Claims and leases: a row has one owner for a while, by the database's clock."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models import F, QuerySet
from django.db.models.functions import Now

from arena.models import Lane, Run


def lease() -> Any:
    """The end of a lease that begins now, as a database expression."""
    return Now() + timedelta(seconds=settings.LANE_LEASE_S)


def claim(rows: QuerySet[Run] | QuerySet[Lane], **changes: Any) -> str | None:
    """Take the one row of `rows` in one conditional update. Returns the owner token, or None: someone else has it."""
    owner = secrets.token_hex(16)
    taken = rows.update(owner=owner, lease_until=lease(), attempt=F("attempt") + 1, **changes)
    return owner if taken else None


class Lease:
    """A lease that prolongs itself until it is left or lost."""

    def __init__(self, model: type[Run] | type[Lane], pk: int, owner: str) -> None:
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
                try:
                    self.prolong()
                except DatabaseError:
                    connection.close()
        finally:
            connection.close()

    def leave(self) -> None:
        self._left.set()


@contextmanager
def held(model: type[Run] | type[Lane], pk: int, owner: str) -> Iterator[Lease]:
    """Hold a claimed row while the block works, however long it waits."""
    held_lease = Lease(model, pk, owner)
    keeper = threading.Thread(target=held_lease.keep, name=f"lease-{owner[:8]}", daemon=True)
    keeper.start()
    try:
        yield held_lease
    finally:
        held_lease.leave()
        keeper.join()
