"""Loops: the same call again and again, found by counting; no judge is asked (seed 000, Loop detection)."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass

from policy.engine.call_key import call_key

__all__ = ["LoopDetector", "Observation", "call_key"]

# Seed 000, `loopDetection.maxRepeats`: the third identical call is denied.
MAX_REPEATS = 2
MAX_SUBJECTS = 64


@dataclass(frozen=True, slots=True)
class Observation:
    """How often the call came in a row, and whether that is too often."""

    count: int
    repeated: bool


class LoopDetector:
    """Counts equal calls in a row, one chain per subject (an agent, a lane); safe to share between threads.

    A call that came `max_repeats` times is repeated; `exempt` names tools that may be called again on purpose, such as
    one that polls. Beyond `max_subjects` the subject that was observed longest ago is forgotten. Only equal calls
    without another in between are seen: no cycles, no near repeats. Raises `TypeError` for an unusable option.
    """

    def __init__(
        self, *, max_repeats: int = MAX_REPEATS, max_subjects: int = MAX_SUBJECTS, exempt: Iterable[str] = ()
    ) -> None:
        self._chains: OrderedDict[str, tuple[str, int]] = OrderedDict()
        self._lock = threading.Lock()
        self.adjust(max_repeats=max_repeats, max_subjects=max_subjects, exempt=exempt)

    def adjust(
        self, *, max_repeats: int = MAX_REPEATS, max_subjects: int = MAX_SUBJECTS, exempt: Iterable[str] = ()
    ) -> None:
        """Other options from now on; what was counted so far is kept."""
        _whole_number("max_repeats", max_repeats, at_least=2)
        _whole_number("max_subjects", max_subjects, at_least=1)
        if isinstance(exempt, str):
            raise TypeError(f"exempt must be a list of tool ids; got the text {exempt!r:.80}")
        with self._lock:
            self.max_repeats, self.max_subjects, self.exempt = max_repeats, max_subjects, frozenset(exempt)
            self._forget_beyond(max_subjects)

    def observe(self, subject: str, key: str, *, tool: str = "") -> Observation:
        """Count a call that took place; any other call of the subject begins a new chain."""
        with self._lock:
            before, count = self._chains.pop(subject, (key, 0))
            count = count + 1 if before == key else 1
            self._forget_beyond(self.max_subjects - 1)
            self._chains[subject] = key, count
            return self._observation(count, tool)

    def check(self, subject: str, key: str, *, tool: str = "") -> Observation:
        """How often this very call has come in a row so far; nothing is counted."""
        with self._lock:
            return self._observation(self._count(subject, key), tool)

    def peek(self, subject: str, key: str) -> int:
        """The count of the subject's chain, 0 where its last call was another."""
        with self._lock:
            return self._count(subject, key)

    def reset(self, subject: str) -> None:
        """Forget one subject, as when its user says something new."""
        with self._lock:
            self._chains.pop(subject, None)

    def clear(self) -> None:
        """Forget every subject."""
        with self._lock:
            self._chains.clear()

    @property
    def size(self) -> int:
        """How many subjects are remembered."""
        return len(self._chains)

    def _count(self, subject: str, key: str) -> int:
        last, count = self._chains.get(subject, (key, 0))
        return count if last == key else 0

    def _observation(self, count: int, tool: str) -> Observation:
        return Observation(count, count >= self.max_repeats and tool not in self.exempt)

    def _forget_beyond(self, most: int) -> None:
        while len(self._chains) > most:
            self._chains.popitem(last=False)


def _whole_number(name: str, value: object, *, at_least: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < at_least:
        raise TypeError(f"{name} must be a whole number of at least {at_least}; got {value!r:.80}")
