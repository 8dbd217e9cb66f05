"""A judge with a memory: every physical request and what came of it becomes a row of the ledger."""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable
from typing import Any

from policy.engine.failures import Failure, JudgeFailed
from policy.engine.judge import Judge, JudgeReply, JudgeRequest
from policy.models import LedgerEntry

OnAsk = Callable[[LedgerEntry, JudgeRequest], None]
OnOutcome = Callable[[LedgerEntry, JudgeReply | Failure], None]


class RecordedJudge:
    """Wraps a judge for one logical call; `on_ask` and `on_outcome` let the caller tell of it while it happens."""

    def __init__(self, judge: Judge, *, origin: str, origin_id: str, on_ask: OnAsk, on_outcome: OnOutcome) -> None:
        self.name = judge.name
        self._judge = judge
        self._origin = (origin, origin_id)
        self._on_ask = on_ask
        self._on_outcome = on_outcome
        self._call = secrets.token_hex(16)
        self._attempts = 0

    def ask(self, request: JudgeRequest, *, timeout_s: float) -> JudgeReply:
        entry = self._entry(request)
        self._on_ask(entry, request)
        began = time.monotonic()
        try:
            reply = self._judge.ask(request, timeout_s=timeout_s)
        except JudgeFailed as failed:
            entry.latency_ms = (time.monotonic() - began) * 1000
            self._failed(entry, failed.failure)
            self._on_outcome(entry, failed.failure)
            raise
        self._answered(entry, reply)
        self._on_outcome(entry, reply)
        return reply

    def _entry(self, request: JudgeRequest) -> LedgerEntry:
        self._attempts += 1
        encoded = request.encoded()
        origin, origin_id = self._origin
        return LedgerEntry(
            call=self._call,
            attempt=self._attempts,
            origin=origin,
            origin_id=origin_id,
            stage=request.stage,
            judge=self.name,
            request=request.to_wire(),
            request_digest=hashlib.sha256(encoded).hexdigest(),
            request_bytes=len(encoded),
        )

    @staticmethod
    def _failed(entry: LedgerEntry, failure: Failure) -> None:
        entry.status = LedgerEntry.Status.FAILED
        entry.failure_code = failure.code.value
        entry.failure_message = failure.message
        entry.save()

    @staticmethod
    def _answered(entry: LedgerEntry, reply: JudgeReply) -> None:
        usage: Any = reply.body.get("usage")
        entry.status = LedgerEntry.Status.ANSWERED
        entry.answered_model = str(reply.body.get("model", ""))[:120]
        entry.raw_reply = reply.raw.decode(errors="replace")
        entry.response_bytes = len(reply.raw)
        entry.input_tokens = _count(usage, "input_tokens")
        entry.output_tokens = _count(usage, "output_tokens")
        entry.token_source = reply.token_source if entry.input_tokens is not None else ""
        entry.latency_ms = reply.latency_ms
        entry.save()


def _count(usage: Any, name: str) -> int | None:
    """A token count, or None where the judge did not report one; unknown is not 0."""
    value = usage.get(name) if isinstance(usage, dict) else None
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
