"""When a lane must stop: a person asked, the time is up, the lease is gone, or its worker is going."""

from __future__ import annotations

import threading
import time

from arena.models import Run

_LOOK_EVERY_S = 0.1
# Set when this process is told to end: its lanes then come to an end with a word, instead of being killed.
leaving = threading.Event()


class LaneCancel:
    """Looks at the run's row at most ten times a second; remembers why it said yes and how long it paused (seconds)."""

    def __init__(self, run: int, *, lost: threading.Event, time_s: float) -> None:
        self._run = run
        self._lost = lost
        self._deadline = time.monotonic() + time_s
        self._looked = float("-inf")
        self.stopped = False
        self.timed_out = False
        self.paused_s = 0.0
        self.extended_s = 0.0

    def requested(self) -> bool:
        now = time.monotonic()
        self.timed_out = self.timed_out or now >= self._deadline
        if not self.stopped and now - self._looked >= _LOOK_EVERY_S:
            self.look()
        return self.stopped or self.timed_out or self._lost.is_set() or leaving.is_set()

    def extend(self, seconds: float) -> None:
        """A person took this long to answer: the lane's time goes on by as much."""
        self._deadline += max(seconds, 0.0)
        self.extended_s += max(seconds, 0.0)

    def look(self) -> None:
        """Whether a person has asked by now."""
        self._looked = time.monotonic()
        self.stopped = Run.objects.filter(pk=self._run, stop_requested_at__isnull=False).exists()

    def broken_off(self) -> bool:
        """Whether a wait for a person must end: a stop, a lost lease, a worker that goes. The lane's time stands."""
        self.look()
        return self.stopped or self._lost.is_set() or leaving.is_set()

    def rest(self, seconds: float) -> None:
        """Sleep between two looks at something else, less when the lease is lost."""
        self._lost.wait(seconds)

    def wait(self, seconds: float) -> bool:
        began = time.monotonic()
        try:
            while not self.requested():
                left = began + seconds - time.monotonic()
                if left <= 0:
                    return False
                self._lost.wait(min(left, _LOOK_EVERY_S))
            return True
        finally:
            self.paused_s += time.monotonic() - began
