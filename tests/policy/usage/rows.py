"""Rows of the ledger for the tests of the usage pages: what a site with three judges would have."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from policy.models import LedgerEntry

TODAY = datetime.now(UTC).date()
ENDPOINT = "https://api.typesafe.ai/v1/systemone"
LOCAL = {"judge": "local", "answered_model": "local-e5small+bm25-4", "token_source": "estimated", "latency_ms": 14.0}
REMOTE = {
    "judge": "typesafe",
    "endpoint": ENDPOINT,
    "requested_model": "jev-latest",
    "answered_model": "jev-1.13.0",
    "token_source": "reported",
    "latency_ms": 250.0,
    "verdict": "answered",
    "http_status": 200,
}
NO_ANSWER = {"status": "failed", "answered_model": "", "input_tokens": None, "output_tokens": None, "token_source": ""}
_serial = iter(range(10**9))


def entry(kind: dict[str, Any] = LOCAL, *, day: date | int = 0, **changed: Any) -> LedgerEntry:
    """One row, answered with 100 and 10 tokens unless told otherwise; `day` may be so many days ago."""
    number = next(_serial)
    row = {
        "call": f"{number:032x}",
        "attempt": 1,
        "origin": "run",
        "origin_id": "run_abc",
        "stage": "relevance",
        "request_digest": "0" * 64,
        "request": {},
        "request_bytes": 400,
        "input_tokens": 100,
        "output_tokens": 10,
        "status": "answered",
        **kind,
        **changed,
    }
    made = LedgerEntry(**row)
    when = TODAY - timedelta(days=day) if isinstance(day, int) else day
    made.at, made.day = datetime.combine(when, time(12), UTC), when
    return made


def keep(rows: Iterable[LedgerEntry]) -> list[LedgerEntry]:
    """Store rows at their own time, which the model would set to now."""
    wanted = list(rows)
    times = [row.at for row in wanted]
    stored = LedgerEntry.objects.bulk_create(wanted, batch_size=500)
    for row, at in zip(stored, times, strict=True):
        row.at = at
    LedgerEntry.objects.bulk_update(stored, ["at"], batch_size=500)
    return stored


def retried(calls: int = 1, *, day: int = 0, after: str = "http_error") -> list[LedgerEntry]:
    """Calls of which the first attempt brought no answer, or a wrong total, and the second one did."""
    rows = []
    for _ in range(calls):
        call = f"{next(_serial):032x}"
        first = {} if after == "invalid_sum" else {**NO_ANSWER, "failure_code": "SERVER", "http_status": 503}
        rows.append(entry(REMOTE, day=day, call=call, **first | {"verdict": after}))
        rows.append(entry(REMOTE, day=day, call=call, attempt=2, after=after, verdict="valid"))
    return rows
