"""The doorbell says "look now" to every live reader of this process; it carries no event.

SQLite: one thread reads `PRAGMA data_version`, which changes when any process commits.
PostgreSQL: one thread listens to a channel that `ring` notifies inside the writer's transaction.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from django.conf import settings
from django.db import Error as DatabaseFault
from django.db import connection, connections

logger = logging.getLogger("jev.doorbell")
CHANNEL = "jev_events"
_RETRY_S = 0.5


def ring(run: int) -> None:
    """Tell other processes that a run has news, when the transaction commits. SQLite needs no word."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, str(run)])


class Doorbell:
    """Wakes the subscribed readers of one process. The watching thread lives as long as somebody listens."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._listeners: dict[asyncio.Event, asyncio.AbstractEventLoop] = {}
        self._thread: threading.Thread | None = None

    @contextmanager
    def listen(self) -> Iterator[asyncio.Event]:
        """An event of the running loop that is set at every ring; the listener clears it before it looks."""
        bell = asyncio.Event()
        with self._lock:
            self._listeners[bell] = asyncio.get_running_loop()
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._watch, name="doorbell", daemon=True)
                self._thread.start()
        try:
            yield bell
        finally:
            with self._lock:
                del self._listeners[bell]

    def _wake(self) -> None:
        with self._lock:
            listeners = list(self._listeners.items())
        for bell, loop in listeners:
            # A loop that is closing has no reader left to wake.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(bell.set)

    def _wanted(self) -> bool:
        with self._lock:
            if not self._listeners and self._thread is threading.current_thread():
                self._thread = None
            # Another thread may have been started since, for new listeners; then this one is not wanted.
            return self._thread is threading.current_thread()

    def _watch(self) -> None:
        try:
            while self._wanted():
                try:
                    self._watch_postgres() if connection.vendor == "postgresql" else self._watch_sqlite()
                except (DatabaseFault, OSError) as error:
                    logger.warning("doorbell lost the database", extra={"reason": type(error).__name__})
                    connections.close_all()
                    time.sleep(_RETRY_S)
                    self._wake()
        finally:
            connections.close_all()

    def _watch_sqlite(self) -> None:
        with connection.cursor() as cursor:
            seen = None
            while self._wanted():
                version = cursor.execute("PRAGMA data_version").fetchone()[0]
                if version != seen:
                    seen = version
                    self._wake()
                time.sleep(settings.DOORBELL_POLL_S)

    def _watch_postgres(self) -> None:
        connection.ensure_connection()
        wire = connection.connection
        with connection.wrap_database_errors:
            wire.execute(f"LISTEN {CHANNEL}")
            # What was committed before the LISTEN took effect rings nobody, so everybody looks once.
            self._wake()
            while self._wanted():
                for _ in wire.notifies(timeout=_RETRY_S, stop_after=1):
                    self._wake()


doorbell = Doorbell()
