"""When to ask again, and how long to wait before: the only retry loop of a judge (official SDK; seed 000)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from policy.engine.profile import InvalidConfig

# What a first attempt may take of the time that is left, so that a second one is possible.
SHARE = 0.6
# Time kept back from the caller's budget to read the reply and to say what went wrong.
MARGIN_S = 0.02
# Not worth a connection.
LEAST_ATTEMPT_S = 0.05


@dataclass(frozen=True, slots=True)
class Retries:
    """How often and how patiently; all times in seconds. `jitter` is the share that may be taken off a pause."""

    more: int = 2
    attempt_s: float = 10.0
    first_pause_s: float = 0.5
    longest_pause_s: float = 5.0
    jitter: float = 0.25

    def __post_init__(self) -> None:
        if isinstance(self.more, bool) or not isinstance(self.more, int) or not 0 <= self.more <= 10:
            raise InvalidConfig(f"retries must be a whole number from 0 to 10, not {self.more!r}")
        if not (math.isfinite(self.attempt_s) and self.attempt_s > 0):
            raise InvalidConfig(f"the time-out of an attempt must be more than 0 seconds, not {self.attempt_s!r}")

    def limit_s(self, left_s: float, *, tried: int) -> float:
        """How long the next attempt may take; below what is left, so that the failure can still be told."""
        rest = left_s - min(MARGIN_S, left_s / 10)
        return min(self.attempt_s, rest if tried >= self.more else rest * SHARE)

    def pause_s(self, tried: int, *, chance: float) -> float:
        """The pause after so many attempts; `chance` in [0, 1) says how much of the jitter is taken off."""
        pause = min(self.first_pause_s * 2.0 ** (tried - 1), self.longest_pause_s)
        return pause * (1 - self.jitter * chance)


NO_RETRIES = Retries(more=0)


def asked_wait_s(headers: Mapping[str, str], *, now: datetime) -> float | None:
    """What the far side asks us to wait: `retry-after-ms` before `Retry-After` (seconds or a date, UTC when bare)."""
    if (wait := _number(headers.get("retry-after-ms"))) is not None:
        return wait / 1000
    text = headers.get("retry-after")
    if (wait := _number(text)) is not None or not text:
        return wait
    try:
        until = parsedate_to_datetime(text)
    except ValueError:
        return None
    return max((until.replace(tzinfo=until.tzinfo or UTC) - now).total_seconds(), 0.0)


def _number(text: str | None) -> float | None:
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if math.isfinite(value) and value >= 0 else None
