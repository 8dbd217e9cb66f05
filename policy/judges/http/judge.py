"""A judge behind HTTP: an adapter, a checked address, a key and the one transport, blocking or awaited."""

from __future__ import annotations

import asyncio
import json
import os
import threading
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import httpx

from policy.engine.failures import Failure, FailureCode, JudgeFailed, Violation
from policy.engine.judge import JudgeReply, JudgeRequest
from policy.engine.profile import InvalidConfig
from policy.engine.totals import Totals
from policy.judges.attempts import AttemptStatus, OnAttempt, unwatched
from policy.judges.http import drivers, errors, network
from policy.judges.http.adapter import Adapter, Defect, checked_model
from policy.judges.http.address import BaseUrl
from policy.judges.http.exchange import Call, Clocks, Ended, Exchange, Read, Received
from policy.judges.http.replies import NotJson, parsed
from policy.judges.http.retries import Retries
from policy.judges.http.scrub import Scrub
from policy.judges.keys import Key

MOST_REPLY_BYTES = 1 << 20
_HEADERS = {
    "Accept": "application/json",
    # A few kilobytes unpack to gigabytes; a size can only be limited where it is what it seems.
    "Accept-Encoding": "identity",
    "Content-Type": "application/json",
    "User-Agent": "jev-arena",
}


@dataclass(frozen=True, slots=True)
class Target:
    """Whom to ask and as whom; immutable. `totals` is the tolerance that the host grants this server.

    Raises `InvalidConfig` for a missing key and an unusable model.
    """

    adapter: Adapter
    base: BaseUrl
    model: str
    key: Key | None = None
    totals: Totals = Totals.STRICT
    most_bytes: int = MOST_REPLY_BYTES
    scrub: Scrub = field(init=False)

    def __post_init__(self) -> None:
        checked_model(self.model, label=self.adapter.label)
        if self.key is None and self.adapter.needs_key:
            raise InvalidConfig(f"{self.adapter.label} needs a key: enter one on Settings")
        if self.key is not None:
            self.adapter.check_key(self.key)
        object.__setattr__(self, "scrub", Scrub(self.key))

    @property
    def endpoint(self) -> str:
        return self.adapter.url(self.base, self.model)

    @property
    def auth(self) -> drivers.Bearer | None:
        return None if self.key is None else drivers.Bearer(self.key)

    def matches(self, answered: str) -> bool:
        """Whether an answer may be of the model that was asked for."""
        return self.adapter.matches(self.model, answered)

    def call(self, request: JudgeRequest) -> Call:
        """The request as bytes, the same in every attempt; raises `JudgeFailed` for what cannot be sent."""
        model = self.adapter.wire_model(self.model)
        try:
            wire = self.adapter.encode(request, model)
            failure = None
        except Defect as defect:
            wire, failure = {}, defect.failure
        body, problem = _encoded(wire)
        if failure is not None or problem:
            raise JudgeFailed(failure or Failure(FailureCode.BAD_REQUEST, f"nothing was sent: {problem}"))
        read = partial(self._read, request, model)
        headers = {**_HEADERS, **self.adapter.headers()}
        base, label, most = self.base, self.adapter.label, self.most_bytes
        return Call(base, self.endpoint, body, headers, model, label, read, self.scrub, most_bytes=most)

    def reply(self, ended: Ended) -> JudgeReply:
        """What the engine is given; raises `JudgeFailed` with the failure that ended the asking."""
        read = ended.read
        if read.failure is not None:
            raise JudgeFailed(read.failure)
        return JudgeReply(read.body, read.raw, ended.latency_ms, notes=read.notes, totals=self.totals)

    def _read(self, request: JudgeRequest, model: str, received: Received) -> Read:
        if not 200 <= received.status < 300:
            return self._refusal(request, received)
        if received.raw is None:
            problem = f"is longer than {self.most_bytes} bytes"
            return self._invalid(AttemptStatus.BODY_LIMIT, Violation("body", problem))
        if received.headers.get("content-encoding", "identity").lower() not in ("identity", ""):
            return self._invalid(
                AttemptStatus.INVALID_JSON, Violation("body", "is compressed, which was not asked for")
            )
        raw = self.scrub.raw(received.raw)
        if not raw.strip():
            return self._invalid(AttemptStatus.EMPTY_BODY, Violation("body", "is empty"))
        try:
            unwrapped = self.adapter.unwrap(parsed(raw), request, model)
        except NotJson as broken:
            return self._invalid(AttemptStatus.INVALID_JSON, *broken.violations)
        except Defect as defect:
            failure = self._scrubbed(defect.failure)
            status = AttemptStatus.INVALID_OTHER
            return Read(status=status, failure=failure, again=defect.again, reason=defect.reason)
        return Read(raw, unwrapped.body, unwrapped.notes)

    def _refusal(self, request: JudgeRequest, received: Received) -> Read:
        """An error status, in whatever shape the far side words it."""
        raw = self.scrub.raw(received.raw or b"")
        text = raw.decode("utf-8", errors="replace")
        try:
            body = parsed(raw)
        except NotJson:
            body = None
        meant = self.adapter.meaning(received.status, body)
        said = self.scrub(errors.error_text(body, text))
        places = [(self.scrub(path), self.scrub(told)) for path, told in errors.error_violations(body)]
        hint = self.adapter.hint(request) if meant.code is FailureCode.BAD_REQUEST else ""
        failure = errors.failure(meant, label=self.adapter.label, status=received.status, said=said, places=places)
        if hint:
            failure = Failure(failure.code, f"{failure.message} {hint}", failure.violations)
        return Read(status=AttemptStatus.HTTP_ERROR, failure=failure, again=meant.again, reason=meant.reason)

    def _invalid(self, status: AttemptStatus, *violations: Violation) -> Read:
        first = violations[0]
        message = f"{self.adapter.label}: the reply cannot be read: {first.path or 'the reply'} {first.message}."
        failure = self._scrubbed(Failure(FailureCode.INVALID_RESPONSE, message, violations))
        return Read(status=status, failure=failure)

    def _scrubbed(self, failure: Failure) -> Failure:
        """The failure without secrets: paths and copies of what was received are the far side's words, too."""
        violations = tuple(
            Violation(self.scrub(each.path), self.scrub(each.message), _scrubbed(each.received, self.scrub))
            for each in failure.violations
        )
        return Failure(failure.code, self._erased(failure.message), violations)

    def _erased(self, text: str) -> str:
        return self.key.erased(text) if self.key else text


class HttpJudge:
    """Asks over HTTP and waits; safe to use from many threads. Closing it closes its connections."""

    tells_attempts = True

    def __init__(
        self,
        target: Target,
        *,
        retries: Retries | None = None,
        clocks: Clocks | None = None,
        sleep: Callable[[float], None] = time.sleep,
        opener: network.Opener = network.client,
    ) -> None:
        self.target = target
        self.name = target.adapter.name
        self.endpoint = target.endpoint
        self.model = target.model
        self.retries = retries or Retries()
        self._clocks = clocks or Clocks()
        self._sleep = sleep
        self._opener = opener
        self._lock = threading.Lock()
        self._opened: tuple[int, httpx.Client] | None = None

    def ask(self, request: JudgeRequest, *, timeout_s: float, on_attempt: OnAttempt = unwatched) -> JudgeReply:
        """One logical question: every physical request is told to `on_attempt`; raises `JudgeFailed`."""
        exchange = Exchange(self.target.call(request), self.retries, timeout_s, on_attempt, self._clocks)
        return self.target.reply(drivers.run(exchange, self._client(), self.target.auth, sleep=self._sleep))

    def close(self) -> None:
        with self._lock:
            opened, self._opened = self._opened, None
        if opened is not None:
            opened[1].close()

    def _client(self) -> httpx.Client:
        """One client a process: connections do not survive a fork."""
        process = os.getpid()
        with self._lock:
            if self._opened is None or self._opened[0] != process:
                self._opened = process, self._opener(self.target.base)
            return self._opened[1]


class AsyncHttpJudge:
    """The same, awaited; for one event loop. `async with` closes its connections."""

    tells_attempts = True

    def __init__(
        self,
        target: Target,
        *,
        retries: Retries | None = None,
        clocks: Clocks | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        opener: network.AsyncOpener = network.async_client,
    ) -> None:
        self.target = target
        self.name = target.adapter.name
        self.endpoint = target.endpoint
        self.model = target.model
        self.retries = retries or Retries()
        self._clocks = clocks or Clocks()
        self._sleep = sleep
        self._client = opener(target.base)

    async def ask(self, request: JudgeRequest, *, timeout_s: float, on_attempt: OnAttempt = unwatched) -> JudgeReply:
        exchange = Exchange(self.target.call(request), self.retries, timeout_s, on_attempt, self._clocks)
        return self.target.reply(await drivers.run_async(exchange, self._client, self.target.auth, sleep=self._sleep))

    async def aclose(self) -> None:
        await self._client.aclose()

    async def __aenter__(self) -> AsyncHttpJudge:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.aclose()


def _encoded(wire: Any) -> tuple[bytes, str]:
    """The bytes to send, or why there are none."""
    try:
        text = json.dumps(wire, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
        return text.encode("utf-8"), ""
    except UnicodeEncodeError:
        return b"", "a text has half of a character (a lone surrogate)"
    except RecursionError:
        return b"", "the state is nested too deep"
    except (ValueError, TypeError):
        return b"", "the state holds a value that JSON does not have, such as NaN"


def _scrubbed(received: Any, scrub: Scrub) -> Any:
    if isinstance(received, str):
        return scrub(received)
    if isinstance(received, dict):
        return {scrub(str(name)): _scrubbed(item, scrub) for name, item in received.items()}
    return received
