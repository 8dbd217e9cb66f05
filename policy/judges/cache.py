"""Answers that were paid for once: kept by judge, endpoint, requested model and the exact request."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Protocol

from policy.engine.contract import validate
from policy.engine.judge import JudgeReply, JudgeRequest
from policy.judges.attempts import OnAttempt, WatchedJudge, unwatched


@dataclass(frozen=True, slots=True)
class CacheKey:
    """What must be the same; the digest is over the exact state and questions, order kept."""

    judge: str
    endpoint: str
    model: str
    request_digest: str


@dataclass(frozen=True, slots=True)
class Kept:
    """A valid reply with the model that answered and when (UTC)."""

    reply: JudgeReply
    model: str
    at: datetime


class Store(Protocol):
    """Where replies are kept. A store that cannot read what it has says that it has nothing."""

    def find(self, key: CacheKey) -> Kept | None: ...

    def keep(self, key: CacheKey, kept: Kept) -> None: ...


class MemoryStore:
    """A bounded store in this process; the longest unused goes first."""

    def __init__(self, *, most: int = 4096) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._kept: OrderedDict[CacheKey, Kept] = OrderedDict()

    def find(self, key: CacheKey) -> Kept | None:
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def keep(self, key: CacheKey, kept: Kept) -> None:
        with self._lock:
            self._kept[key] = kept
            self._kept.move_to_end(key)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)

    def __len__(self) -> int:
        return len(self._kept)


class CachedJudge:
    """A judge that is asked only what it has not answered yet; a hit says so in `cached_at` and costs nothing.

    Only valid replies are kept. The tokens of a hit are those of the first answer: what it would have cost.
    """

    tells_attempts = True

    def __init__(
        self,
        judge: WatchedJudge,
        store: Store,
        *,
        longest: timedelta = timedelta(days=7),
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.name = judge.name
        self.endpoint = judge.endpoint
        self.model = judge.model
        self._judge = judge
        self._store = store
        self._longest = longest
        self._now = now

    def ask(self, request: JudgeRequest, *, timeout_s: float, on_attempt: OnAttempt = unwatched) -> JudgeReply:
        key = CacheKey(self.name, self.endpoint, self.model, request.digest)
        kept = self._store.find(key)
        if kept is not None and self._now() - kept.at < self._longest:
            return replace(_apart(kept.reply), latency_ms=0.0, cached_at=kept.at)
        reply = self._judge.ask(request, timeout_s=timeout_s, on_attempt=on_attempt)
        checked = validate(reply.body, request.questions, totals=reply.totals)
        if checked.failure is None and checked.model is not None:
            self._store.keep(key, Kept(_apart(reply), checked.model, self._now()))
        return reply

    def close(self) -> None:
        self._judge.close()


def _apart(reply: JudgeReply) -> JudgeReply:
    """A copy that nobody else can write to."""
    return replace(reply, body=deepcopy(reply.body))
