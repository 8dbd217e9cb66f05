"""A judge with a memory: every physical request is a row of the ledger from the moment it is sent."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.db import Error as DatabaseFault

from policy.engine.bounds import clean_text
from policy.engine.failures import Failure, FailureCode, HostFault, JudgeFailed
from policy.engine.judge import Judge, JudgeReply, JudgeRequest, is_reply
from policy.models import LedgerEntry

Told = Callable[[LedgerEntry, JudgeReply | Failure | None], None]
BROKE = Failure(FailureCode.UNKNOWN, "The judge broke instead of answering; the log says where.")
# What a column holds; a larger count is no count.
MOST_TOKENS = 2**31 - 1


class RecordedJudge:
    """Wraps a judge for one logical call.

    `call` is on every row of it. `tell` hears of every row: with None when the request is sent, then with the reply or
    the failure. A host that cannot record raises `HostFault`: its own trouble is never booked as the judge's.
    """

    def __init__(self, judge: Judge, *, origin: str, origin_id: str, tell: Told) -> None:
        self.name = judge.name
        self._judge = judge
        self._origin = (origin, origin_id)
        self._tell = tell
        self.call = secrets.token_hex(16)
        self._attempts = 0

    def ask(self, request: JudgeRequest, *, timeout_s: float) -> JudgeReply:
        entry = self._entry(request)
        self._record(entry, None)
        began = time.monotonic()
        came: JudgeReply | Failure = BROKE
        try:
            reply = self._judge.ask(request, timeout_s=timeout_s)
            if is_reply(reply):
                came = reply
            return reply
        except JudgeFailed as failed:
            came = failed.failure
            raise
        finally:
            entry.latency_ms = (time.monotonic() - began) * 1000
            _fill(entry, came)
            self._record(entry, came)

    def _record(self, entry: LedgerEntry, came: JudgeReply | Failure | None) -> None:
        with _own_trouble():
            entry.save()
            self._tell(entry, came)

    def _entry(self, request: JudgeRequest) -> LedgerEntry:
        self._attempts += 1
        origin, origin_id = self._origin
        return LedgerEntry(
            call=self.call,
            attempt=self._attempts,
            origin=origin,
            origin_id=origin_id,
            stage=request.stage,
            judge=self.name,
            request=request.to_wire(),
            request_digest=request.digest,
            request_bytes=len(request.encoded()),
            status=LedgerEntry.Status.SENT,
        )


@contextmanager
def _own_trouble() -> Iterator[None]:
    try:
        yield
    except DatabaseFault as error:
        raise HostFault("the ledger could not be written") from error


def _fill(entry: LedgerEntry, came: JudgeReply | Failure) -> None:
    if isinstance(came, Failure):
        entry.status = LedgerEntry.Status.FAILED
        entry.failure_code = came.code.value
        entry.failure_message = clean_text(came.message).text
        return
    body: Mapping[str, Any] = came.body if isinstance(came.body, Mapping) else {}
    usage = body.get("usage")
    entry.status = LedgerEntry.Status.ANSWERED
    entry.answered_model = clean_text(str(body.get("model", ""))[:120]).text
    entry.raw_reply = clean_text(came.raw.decode(errors="replace")).text
    entry.response_bytes = len(came.raw)
    entry.input_tokens = _count(usage, "input_tokens")
    entry.output_tokens = _count(usage, "output_tokens")
    entry.token_source = came.token_source if entry.input_tokens is not None else ""
    entry.latency_ms = came.latency_ms


def _count(usage: Any, name: str) -> int | None:
    """A token count, or None where the judge did not report one; unknown is not 0."""
    value = usage.get(name) if isinstance(usage, dict) else None
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_TOKENS else None
