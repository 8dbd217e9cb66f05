"""A judge with a memory: every physical request is a row of the ledger from the moment it is sent."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, cast

from django.db import Error as DatabaseFault

from policy.engine.bounds import clean_text
from policy.engine.canonical import json_safe
from policy.engine.failures import Failure, FailureCode, HostFault, JudgeFailed
from policy.engine.judge import Judge, JudgeReply, JudgeRequest, is_reply
from policy.engine.redaction.stored import stored
from policy.judges.attempts import Attempt, AttemptStatus, WatchedJudge
from policy.models import LedgerEntry
from policy.people.models import User

Told = Callable[[LedgerEntry, JudgeReply | Failure | None], None]
BROKE = Failure(FailureCode.UNKNOWN, "The judge broke instead of answering; the log says where.")
# What a column holds; a larger count is no count.
MOST_TOKENS = 2**31 - 1
# Attempts that brought a reply in its envelope, whatever was wrong with the answers in it.
_REPLIED = frozenset(
    {AttemptStatus.ANSWERED, AttemptStatus.VALID, AttemptStatus.INVALID_SUM, AttemptStatus.INVALID_OTHER}
)


class RecordedJudge:
    """Wraps a judge for one logical call.

    `call` is on every row of it. `tell` hears of every row: with None when the request is sent, then with the reply or
    the failure. A judge that tells its attempts has a row for each; a stored answer is a row too, and says so. A host
    that cannot record raises `HostFault`: its own trouble is never booked as the judge's.
    """

    def __init__(self, judge: Judge, *, origin: str, origin_id: str, tell: Told, user: User | None = None) -> None:
        self.name = judge.name
        self._judge = judge
        # Not `isinstance`: looking at every attribute would load the model of `local`.
        self._watched = cast(WatchedJudge, judge) if getattr(judge, "tells_attempts", False) else None
        self._fixed: dict[str, Any] = {"origin": origin, "origin_id": origin_id, "user": user}
        self._tell = tell
        self.call = secrets.token_hex(16)
        self._attempts = 0
        self._steps = 0

    def ask(self, request: JudgeRequest, *, timeout_s: float) -> JudgeReply:
        self._steps += 1
        book = _Book(self._rows(request), self._tell)
        if self._watched is None:
            book.send()
        came: JudgeReply | Failure = BROKE
        began = time.monotonic()
        try:
            reply = self._asked(request, timeout_s, book)
            if is_reply(reply):
                came = reply
            return reply
        except JudgeFailed as failed:
            came = failed.failure
            raise
        except HostFault:
            book.leave()
            raise
        finally:
            book.close(came, (time.monotonic() - began) * 1000)

    def _asked(self, request: JudgeRequest, timeout_s: float, book: _Book) -> JudgeReply:
        if self._watched is not None:
            return self._watched.ask(request, timeout_s=timeout_s, on_attempt=book.hear)
        return self._judge.ask(request, timeout_s=timeout_s)

    def _rows(self, request: JudgeRequest) -> Callable[[], LedgerEntry]:
        """Makes the rows of one request, which is read and masked once."""
        encoded, kept = request.encoded(), stored(request.to_wire())
        same: Mapping[str, Any] = {
            **self._fixed,
            "call": self.call,
            "step": self._steps,
            "stage": request.stage,
            "judge": self.name,
            "endpoint": self._watched.endpoint[:300] if self._watched else "",
            "requested_model": self._watched.model[:120] if self._watched else "",
            "request": kept.value,
            "request_masked": kept.changed,
            "request_digest": request.digest,
            "request_bytes": len(encoded),
        }

        def row() -> LedgerEntry:
            self._attempts += 1
            return LedgerEntry(**same, attempt=self._attempts, status=LedgerEntry.Status.SENT)

        return row


@dataclass(slots=True)
class _Book:
    """The rows of one request: at most one is open, and each is told twice."""

    row: Callable[[], LedgerEntry]
    tell: Told
    _open: LedgerEntry | None = None
    _reply: JudgeReply | None = None
    _ended: list[LedgerEntry] = field(default_factory=list)

    def send(self, **known: Any) -> LedgerEntry:
        entry = self._open = self.row()
        for name, value in known.items():
            setattr(entry, name, value)
        self._record(entry, None)
        return entry

    def hear(self, attempt: Attempt) -> None:
        """What a judge tells of a physical request: when it is sent, and how it ended."""
        if attempt.status is AttemptStatus.PENDING:
            self._settle()
            self.send(
                endpoint=attempt.endpoint[:300],
                requested_model=attempt.requested_model[:120],
                request_bytes=attempt.request_bytes,
                wait_ms=attempt.wait_ms,
                after=self._ended[-1].verdict if self._ended else "",
            )
            return
        entry = self._open or self.send()
        _fill_attempt(entry, attempt)
        if attempt.failure is None and attempt.status in _REPLIED:
            # Its reply is still to be read: what the caller gets of it comes with the end of `ask`.
            self._reply = JudgeReply({}, attempt.raw or b"", attempt.latency_ms or 0.0)
            return
        self._end(attempt.failure or Failure(FailureCode.INVALID_RESPONSE, _SENT_ON))

    def close(self, came: JudgeReply | Failure, latency_ms: float) -> None:
        """The end of `ask`: the last row gets what the caller gets."""
        if isinstance(came, JudgeReply) and came.cached_at is not None:
            self.send(cached_at=came.cached_at)
        if self._open is None:
            return
        entry = self._open
        if isinstance(came, JudgeReply):
            _fill_reply(entry, came)
            self._reply = came if not entry.verdict else _timed(came, entry.latency_ms)
            self._settle()
        elif self._reply is not None:
            self._settle()
        else:
            entry.latency_ms = latency_ms
            self._end(came)

    def leave(self) -> None:
        """The host cannot go on: an open row stays as it was sent, since nobody knows what came of it."""
        self._open = None

    def _settle(self) -> None:
        """An attempt that brought a reply is done with."""
        if self._open is None or self._reply is None:
            return
        entry, reply, self._open, self._reply = self._open, self._reply, None, None
        entry.status = LedgerEntry.Status.ANSWERED
        self._ended.append(entry)
        self._record(entry, reply)

    def _end(self, failure: Failure) -> None:
        assert self._open is not None
        entry, self._open = self._open, None
        entry.status = LedgerEntry.Status.FAILED
        entry.failure_code = failure.code.value
        entry.failure_message = clean_text(failure.message).text
        self._ended.append(entry)
        self._record(entry, failure)

    def _record(self, entry: LedgerEntry, came: JudgeReply | Failure | None) -> None:
        with _own_trouble():
            # The request does not change any more, and it is the largest part of a row.
            entry.save(update_fields=None if came is None else _FOUND)
            self.tell(entry, came)


# What is known of a row only when its attempt has ended.
_FOUND = (
    *("requested_model", "answered_model", "provider_id", "status", "verdict", "http_status", "reason"),
    *("raw_reply", "body", "totals", "response_bytes", "input_tokens", "output_tokens", "token_source", "latency_ms"),
    *("failure_code", "failure_message", "diagnostic"),
)
_SENT_ON = "the far side sent the request on to another address of its own"


@contextmanager
def _own_trouble() -> Iterator[None]:
    try:
        yield
    except DatabaseFault as error:
        raise HostFault("the ledger could not be written") from error


def _fill_attempt(entry: LedgerEntry, attempt: Attempt) -> None:
    entry.verdict = attempt.status.value
    entry.http_status = attempt.http_status
    entry.provider_id = attempt.request_id[:120]
    entry.response_bytes = attempt.response_bytes
    entry.answered_model = attempt.answered_model[:120]
    entry.input_tokens = attempt.input_tokens
    entry.output_tokens = attempt.output_tokens
    entry.token_source = "" if attempt.input_tokens is None else "reported"
    entry.latency_ms = attempt.latency_ms
    entry.reason = attempt.reason[:40]
    entry.raw_reply = _text(attempt.raw or b"")
    entry.diagnostic = None if attempt.diagnostic is None else dict(attempt.diagnostic)


def _fill_reply(entry: LedgerEntry, reply: JudgeReply) -> None:
    body: Mapping[str, Any] = reply.body if isinstance(reply.body, Mapping) else {}
    usage = body.get("usage")
    entry.answered_model = clean_text(str(body.get("model", ""))[:120]).text
    entry.raw_reply = _text(reply.raw)
    entry.body = body_read(reply, entry.raw_reply) if entry.verdict or entry.cached_at else ""
    entry.totals = reply.totals.value
    entry.input_tokens = _count(usage, "input_tokens")
    entry.output_tokens = _count(usage, "output_tokens")
    entry.token_source = reply.token_source if entry.input_tokens is not None else ""
    if not entry.verdict:
        entry.response_bytes = len(reply.raw)
        entry.latency_ms = reply.latency_ms


def _timed(reply: JudgeReply, latency_ms: float | None) -> JudgeReply:
    """The reply with the time of its own request: the caller's covers those before it too."""
    return reply if latency_ms is None else replace(reply, latency_ms=latency_ms)


def body_read(reply: JudgeReply, raw: str) -> str:
    """What the engine read, as JSON, where it is not the reply itself: some providers wrap it."""
    body = json.dumps(json_safe(reply.body), ensure_ascii=False)
    try:
        return "" if json.loads(raw) == json.loads(body) else body
    except ValueError:
        return body


def _text(raw: bytes) -> str:
    return clean_text(raw.decode(errors="replace")).text


def _count(usage: Any, name: str) -> int | None:
    """A token count, or None where the judge did not report one; unknown is not 0."""
    value = usage.get(name) if isinstance(usage, dict) else None
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_TOKENS else None
