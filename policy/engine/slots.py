"""How many requests may be at a judge at once, and who is next."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from policy.engine.profile import InvalidConfig


@dataclass(eq=False, slots=True)
class Place:
    """One place in the queue; `wake` is called, from any thread, once it is `admitted`."""

    wake: Callable[[], object]
    admitted: bool = False


class Slots:
    """At most `limit` holders at once in this process, first come, first served; for threads and event loops alike.

    A freed slot is handed to the next in the queue under the lock, so that nobody slips in between.
    """

    def __init__(self, limit: int) -> None:
        if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
            raise InvalidConfig(f"a limit of requests at once must be a positive integer; got {limit!r:.80}")
        self.limit = limit
        self._lock = threading.Lock()
        self._holders: set[Place] = set()
        self._queue: deque[Place] = deque()

    @property
    def held(self) -> int:
        return len(self._holders)

    @property
    def waiting(self) -> int:
        return len(self._queue)

    def enter(self, wake: Callable[[], object]) -> Place:
        """A place, admitted at once where there is room; give it back with `leave`, whatever happens."""
        place = Place(wake)
        with self._lock:
            self._queue.append(place)
            self._hand_over()
        return place

    def leave(self, place: Place) -> None:
        """Give the slot to the next, or leave the queue; leaving twice changes nothing."""
        with self._lock:
            if place in self._holders:
                self._holders.remove(place)
            elif place in self._queue:
                self._queue.remove(place)
            self._hand_over()

    def _hand_over(self) -> None:
        while self._queue and len(self._holders) < self.limit:
            place = self._queue.popleft()
            try:
                place.wake()
            except RuntimeError:  # its event loop is closed: nobody is there to take the slot
                continue
            place.admitted = True
            self._holders.add(place)
