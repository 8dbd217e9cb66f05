"""One question over HTTP as a generator without I/O: attempts, pauses, redirects, the end of the budget."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Protocol
from urllib.parse import urljoin

from policy.engine.failures import Failure, FailureCode, Violation
from policy.judges.attempts import Attempt, AttemptStatus, OnAttempt
from policy.judges.http.address import BaseUrl, origin_of
from policy.judges.http.retries import LEAST_ATTEMPT_S, Retries, asked_wait_s

MOST_REDIRECTS = 3
# 303 asks for a GET, which is no question.
FOLLOWED = frozenset({301, 302, 307, 308})
REQUEST_IDS = ("x-typesafe-request-id", "x-request-id", "request-id", "cf-ray")


@dataclass(frozen=True, slots=True)
class Send:
    """Do this request; it has until `deadline` on the monotonic clock."""

    method: str
    url: str
    body: bytes
    headers: Mapping[str, str]
    limit_s: float
    most_bytes: int


@dataclass(frozen=True, slots=True)
class Wait:
    """Let this many seconds pass."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Received:
    """A reply: header names in lower case; `raw` is None when it was longer than allowed."""

    status: int
    headers: Mapping[str, str]
    raw: bytes | None


@dataclass(frozen=True, slots=True)
class Broken:
    """No reply, told without the library's own words; `again` says whether another attempt could help."""

    code: FailureCode
    message: str
    again: bool = True


Move = Send | Wait
Got = Received | Broken | None


@dataclass(frozen=True, slots=True)
class Read:
    """What an adapter makes of a reply: a body for the engine, or a failure with the status of the attempt.

    `raw` is kept of whatever came as a success, also where it is no answer. `again` says whether asking again could
    help, `reason` is a stable word for what the far side meant.
    """

    raw: bytes = b""
    body: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    status: AttemptStatus = AttemptStatus.ANSWERED
    failure: Failure | None = None
    again: bool = False
    reason: str = ""


class Reader(Protocol):
    """How a provider's replies are read."""

    def __call__(self, received: Received) -> Read: ...


@dataclass(frozen=True, slots=True)
class Call:
    """What is asked: the same bytes in every attempt. `label` names the far side in messages."""

    base: BaseUrl
    url: str
    body: bytes
    headers: Mapping[str, str]
    model: str
    label: str
    read: Reader
    scrub: Callable[[str], str]
    method: str = "POST"
    most_bytes: int = 1 << 20


@dataclass(frozen=True, slots=True)
class Clocks:
    """Time and chance, so that tests can have their own. `now` is for dates in `Retry-After`."""

    monotonic: Callable[[], float] = time.monotonic
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    chance: Callable[[], float] = random.random


@dataclass(frozen=True, slots=True)
class Ended:
    """How an exchange ended: a body to use, or a failure; `latency_ms` covers everything, pauses included."""

    read: Read
    latency_ms: float


@dataclass(slots=True)
class Exchange:
    """The course of one call: `steps()` yields what to do and is sent what came of it."""

    call: Call
    retries: Retries
    budget_s: float
    on_attempt: OnAttempt
    clocks: Clocks = field(default_factory=Clocks)
    _sent: int = 0
    _open: Attempt | None = None
    _began: float = 0.0

    def steps(self) -> Generator[Move, Got, Ended]:
        """Ask until there is an answer, asking again cannot help, or the budget (seconds) does not allow it."""
        start = self.clocks.monotonic()
        deadline = start + self.budget_s
        read, tried, pause = _NO_TIME, 0, 0.0
        while (left := deadline - self.clocks.monotonic()) >= LEAST_ATTEMPT_S:
            limit = self.retries.limit_s(left, tried=tried)
            read, headers = yield from self._attempt(limit, pause)
            tried += 1
            if read.failure is None or not read.again or tried > self.retries.more:
                break
            pause, too_long = self._pause(tried, headers, deadline)
            if too_long:
                read = replace(read, failure=_said(read.failure, too_long))
                break
            yield Wait(pause)
        if read.failure is not None and tried > 1:
            read = replace(read, failure=_said(read.failure, f"Asked {tried} times."))
        return Ended(read, (self.clocks.monotonic() - start) * 1000)

    def cancelled(self) -> None:
        """The caller went away: close the attempt that is under way. Without one this does nothing."""
        if self._open is not None:
            gone = Failure(FailureCode.ABORTED, f"the caller cancelled while {self.call.label} was asked")
            self._close(status=AttemptStatus.CANCELLED, failure=gone)

    def _pause(self, tried: int, headers: Mapping[str, str], deadline: float) -> tuple[float, str]:
        """How long to wait now, or why that would be too long."""
        asked = asked_wait_s(headers, now=self.clocks.now())
        pause = self.retries.pause_s(tried, chance=self.clocks.chance()) if asked is None else asked
        left = deadline - self.clocks.monotonic()
        if pause + LEAST_ATTEMPT_S <= left:
            return pause, ""
        who = "It asks" if asked is not None else "The next attempt would have"
        return pause, f"{who} to wait {pause:.3g} s; {max(left, 0):.2g} s of the time budget are left."

    def _attempt(self, limit_s: float, pause_s: float) -> Generator[Move, Got, tuple[Read, Mapping[str, str]]]:
        """One attempt, with the redirects inside the same origin that it takes."""
        url, ends = self.call.url, self.clocks.monotonic() + limit_s
        for hop in range(MOST_REDIRECTS + 1):
            # A redirect is the far side's text, and it knows the key.
            self._begin(url if hop == 0 else self.call.scrub(url), limit_s, pause_s if hop == 0 else 0.0)
            left = max(ends - self.clocks.monotonic(), 0.001)
            call = self.call
            got = yield Send(call.method, url, call.body, call.headers, left, call.most_bytes)
            if isinstance(got, Broken):
                return self._broken(got), {}
            assert got is not None
            where = self._redirected(got, url) if 300 <= got.status < 400 else None
            if isinstance(where, Read) or where is None:
                read = where or self.call.read(got)
                self._read(got, read)
                return read, got.headers
            self._close(status=AttemptStatus.REDIRECTED, http_status=got.status, request_id=self._id(got))
            url = where
        failure = _refused(call.label, f"redirected more than {MOST_REDIRECTS} times", "http.location")
        return Read(status=AttemptStatus.HTTP_ERROR, failure=failure), {}

    def _redirected(self, got: Received, url: str) -> str | Read:
        """Where to ask the same again, or the refusal: a key and a state are sent to no other origin."""
        label, target = self.call.label, got.headers.get("location", "")
        there = _joined(url, target)
        problem = ""
        if got.status not in FOLLOWED or not target:
            problem = f"answered HTTP {got.status}, which is no answer to a question"
        elif origin_of(there) != self.call.base.origin:
            scheme, host, port = origin_of(there) or ("", "", 0)
            shown = self.call.scrub(f"{scheme}://{host}:{port}") if host else "an address that cannot be read"
            problem = f"redirects to another origin ({shown}); nothing was sent there"
        if not problem:
            return there.partition("#")[0]
        failure = _refused(label, f"{problem}. Check the base address", "http.location")
        return Read(status=AttemptStatus.HTTP_ERROR, failure=failure, reason="redirect")

    def _broken(self, broken: Broken) -> Read:
        late = broken.code is FailureCode.TIMEOUT
        status = AttemptStatus.TIMEOUT if late else AttemptStatus.TRANSPORT_ERROR
        failure = Failure(broken.code, f"{self.call.label}: {self.call.scrub(broken.message)}")
        self._close(status=status, failure=failure)
        return Read(status=status, failure=failure, again=broken.again)

    def _read(self, got: Received, read: Read) -> None:
        usage: Any = read.body.get("usage")
        self._close(
            status=read.status,
            http_status=got.status,
            request_id=self._id(got),
            response_bytes=None if got.raw is None else len(got.raw),
            answered_model=str(read.body.get("model") or "")[:200],
            input_tokens=count(usage, "input_tokens"),
            output_tokens=count(usage, "output_tokens"),
            raw=read.raw or None,
            reason=read.reason,
            failure=read.failure,
        )

    def _id(self, got: Received) -> str:
        return self.call.scrub(next((got.headers[name] for name in REQUEST_IDS if name in got.headers), ""))[:120]

    def _begin(self, url: str, limit_s: float, pause_s: float) -> None:
        self._sent += 1
        self._began = self.clocks.monotonic()
        attempt = Attempt(
            index=self._sent,
            status=AttemptStatus.PENDING,
            endpoint=url,
            requested_model=self.call.model,
            request_bytes=len(self.call.body),
            wait_ms=pause_s * 1000,
            limit_ms=limit_s * 1000,
        )
        self.on_attempt(attempt)
        self._open = attempt

    def _close(self, **found: Any) -> None:
        assert self._open is not None
        latency_ms = (self.clocks.monotonic() - self._began) * 1000
        ended, self._open = replace(self._open, latency_ms=latency_ms, **found), None
        self.on_attempt(ended)


_NO_TIME = Read(
    status=AttemptStatus.TIMEOUT,
    failure=Failure(FailureCode.TIMEOUT, "the time budget was used up before a request could be sent", unsent=True),
)


def count(usage: Any, name: str) -> int | None:
    """A token count as whole number, None where there is none; unknown is not 0."""
    value = usage.get(name) if isinstance(usage, Mapping) else None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 2**31 or value != int(value):
        return None
    return int(value)


def _joined(url: str, target: str) -> str:
    """Where a redirect leads; what cannot be read leads nowhere."""
    try:
        return urljoin(url, target)
    except ValueError:
        return ""


def _said(failure: Failure | None, more: str) -> Failure:
    assert failure is not None
    stop = "" if failure.message.endswith((".", "!", "?")) else "."
    return replace(failure, message=f"{failure.message}{stop} {more}")


def _refused(label: str, problem: str, path: str) -> Failure:
    return Failure(FailureCode.INVALID_RESPONSE, f"{label} {problem}.", (Violation(path, problem),))
