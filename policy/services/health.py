"""How each judge does for a person: written by real questions and by a check, read by Settings."""

from __future__ import annotations

import threading
import time
from datetime import datetime
from typing import Any

from django.utils import timezone

from policy.engine.failures import Failure, FailureCode
from policy.engine.judge import JudgeReply
from policy.ledger import Told
from policy.models import LedgerEntry
from policy.people.models import Health, User

SLOW_MS = 2000.0
# The same news is not written again sooner than this.
_QUIET_S = 5.0
_MOST_REMEMBERED = 1000
# Nothing about the judge: the caller went away, or was not asked at all.
_NO_NEWS = frozenset({FailureCode.ABORTED, FailureCode.OFF, FailureCode.INCOMPLETE_INPUT})

_lock = threading.Lock()
_told: dict[tuple[int, str, str], float] = {}


def listener(by: User) -> Told:
    """What a recorded judge tells, as news about it for this person."""

    def tell(entry: LedgerEntry, came: JudgeReply | Failure | None) -> None:
        if came is not None:
            heard(entry.judge, came, by=by, http_status=entry.http_status)

    return tell


def heard(judge: str, came: JudgeReply | Failure, *, by: User, http_status: int | None = None) -> None:
    """A real question came back like this."""
    failure = came if isinstance(came, Failure) else None
    if isinstance(came, JudgeReply) and came.cached_at is not None:
        return
    if failure is not None and (failure.unsent or failure.code in _NO_NEWS):
        return
    if _is_news((by.pk, judge, failure.code if failure else "")):
        write(judge, came, by=by, http_status=http_status)


def write(
    judge: str,
    came: JudgeReply | Failure,
    *,
    by: User,
    http_status: int | None = None,
    checked_at: datetime | None = None,
) -> Health:
    """Store what came last; an older failure stays to be seen beside a newer answer."""
    now = timezone.now()
    values: dict[str, Any] = {"answered_at": now, "latency_ms": came.latency_ms} if isinstance(came, JudgeReply) else {}
    if isinstance(came, Failure):
        said = {"failure_code": came.code.value, "failure_message": came.message, "http_status": http_status}
        values = {"failed_at": now, **said}
    if checked_at is not None:
        values["checked_at"] = checked_at
    row, _ = Health.objects.update_or_create(user=by, judge=judge, defaults=values)
    return row


def of(by: User) -> dict[str, Health]:
    """What is known of each judge that this person has asked."""
    return {row.judge: row for row in Health.objects.filter(user=by)}


def forget_news() -> None:
    """Let everything be news again."""
    with _lock:
        _told.clear()


def _is_news(what: tuple[int, str, str]) -> bool:
    now = time.monotonic()
    with _lock:
        if now - _told.get(what, float("-inf")) < _QUIET_S:
            return False
        if len(_told) >= _MOST_REMEMBERED:
            _told.clear()
        # A judge that changes its mind is news at once.
        for each in [each for each in _told if each[:2] == what[:2]]:
            del _told[each]
        _told[what] = now
    return True
