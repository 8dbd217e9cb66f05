"""One question to one HTTP judge, blocking or awaited, with everything that came of it."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import httpx

from policy.engine.failures import Failure, JudgeFailed
from policy.engine.judge import JudgeReply, JudgeRequest
from policy.engine.questions import Choice, Noul, Score
from policy.judges import remote
from policy.judges.attempts import Attempt, AttemptStatus
from policy.judges.http import network
from policy.judges.http.exchange import Clocks
from policy.judges.http.judge import AsyncHttpJudge, HttpJudge
from policy.judges.http.retries import Retries
from policy.judges.http.target import Target
from policy.judges.keys import Key
from policy.judges.settings import JudgeSettings

CANARY = "sk-or-canary-7f3a9c51e2b84d60"
REQUEST = JudgeRequest(
    {"task": "look up the host"},
    {
        "go": Noul("Is it needed?", true="It is.", false="It is not."),
        "tool": Choice("Which one?", {"dig": "asks DNS", "print": None}),
        "risk": Score("How bad?", ("none", "some", "much")),
    },
    "test",
)
ANSWERS: dict[str, Any] = {
    "go": {"type": "noul", "noul": 0.9},
    "tool": {"type": "choice", "choice": "dig", "confidence": 0.6, "probabilities": {"dig": 0.8, "print": 0.2}},
    "risk": {
        "type": "score",
        "score": 0.3,
        "confidence": 0.55,
        "legend": {"0": "none", "1": "some", "2": "much"},
        "probabilities": {"0": 0.7, "1": 0.3, "2": 0.0},
    },
}
REPLY: dict[str, Any] = {
    "model": "jev-1.13.0",
    "answers": ANSWERS,
    "usage": {"input_tokens": 120, "output_tokens": 3},
}
Handler = Callable[[httpx.Request], httpx.Response]


@dataclass
class FastClock:
    """The real clock plus the pauses, which nobody sits through."""

    pauses: list[float] = field(default_factory=list)

    def __call__(self) -> float:
        return time.monotonic() + sum(self.pauses)

    def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)

    async def sleep_async(self, seconds: float) -> None:
        self.pauses.append(seconds)

    def clocks(self) -> Clocks:
        return Clocks(self, lambda: datetime(2026, 11, 30, 12, tzinfo=UTC), lambda: 0.0)


@dataclass
class Told:
    """What came of one question."""

    reply: JudgeReply | None
    failure: Failure | None
    attempts: list[Attempt]
    pauses: list[float]
    error: JudgeFailed | None = None

    @property
    def code(self) -> str | None:
        return None if self.failure is None else self.failure.code.value

    @property
    def message(self) -> str:
        return "" if self.failure is None else self.failure.message

    @property
    def paths(self) -> list[str]:
        return [] if self.failure is None else [violation.path for violation in self.failure.violations]

    @property
    def ended(self) -> list[Attempt]:
        return [attempt for attempt in self.attempts if attempt.status is not AttemptStatus.PENDING]

    @property
    def statuses(self) -> list[str]:
        return [attempt.status.value for attempt in self.ended]


def target(name: str = "typesafe", *, key: str | None = CANARY, **settings: Any) -> Target:
    """A judge by name; `account` is filled in where one is needed."""
    account = {"account": "acc-1"} if name == "cloudflare" else {}
    return remote.target(JudgeSettings(name, **{**account, **settings}), key=None if key is None else Key(key))


def ask(
    whom: Target,
    request: JudgeRequest = REQUEST,
    *,
    handler: Handler | None = None,
    retries: Retries | None = None,
    timeout_s: float = 8.0,
    awaited: bool = False,
) -> Told:
    """Ask once; `handler` plays the far side inside this process, without it a real connection is made."""
    clock, attempts = FastClock(), list[Attempt]()
    reply, error = None, None
    try:
        if awaited:
            reply = asyncio.run(_awaited(whom, request, handler, retries, timeout_s, clock, attempts))
        else:
            reply = _blocking(whom, request, handler, retries, timeout_s, clock, attempts)
    except JudgeFailed as failed:
        error = failed
    return Told(reply, error.failure if error else None, attempts, clock.pauses, error)


def _blocking(
    whom: Target,
    request: JudgeRequest,
    handler: Handler | None,
    retries: Retries | None,
    timeout_s: float,
    clock: FastClock,
    attempts: list[Attempt],
) -> JudgeReply:
    opener = network.client if handler is None else in_process(handler)
    judge = HttpJudge(whom, retries=retries, clocks=clock.clocks(), sleep=clock.sleep, opener=opener)
    try:
        return judge.ask(request, timeout_s=timeout_s, on_attempt=attempts.append)
    finally:
        judge.close()


async def _awaited(
    whom: Target,
    request: JudgeRequest,
    handler: Handler | None,
    retries: Retries | None,
    timeout_s: float,
    clock: FastClock,
    attempts: list[Attempt],
) -> JudgeReply:
    opener = network.async_client if handler is None else in_process_async(handler)
    async with AsyncHttpJudge(
        whom, retries=retries, clocks=clock.clocks(), sleep=clock.sleep_async, opener=opener
    ) as judge:
        return await judge.ask(request, timeout_s=timeout_s, on_attempt=attempts.append)


def in_process(handler: Handler) -> network.Opener:
    return lambda base: httpx.Client(transport=httpx.MockTransport(handler), follow_redirects=False)


def in_process_async(handler: Handler) -> network.AsyncOpener:
    return lambda base: httpx.AsyncClient(transport=httpx.MockTransport(handler), follow_redirects=False)


def replies(*outcomes: Any, **headers: str) -> Handler:
    """A handler that gives one outcome after the other, the last again and again: a status, a body, or both."""
    left = list(outcomes)

    def handler(request: httpx.Request) -> httpx.Response:
        outcome = left.pop(0) if len(left) > 1 else left[0]
        if isinstance(outcome, Exception):
            raise outcome
        status, body = outcome if isinstance(outcome, tuple) else (200, outcome)
        if isinstance(body, int):
            status, body = body, {}
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return httpx.Response(status, content=raw, headers=named)

    return handler


def sent_to(whom: Target, request: JudgeRequest = REQUEST, body: Any = None) -> httpx.Request:
    """The HTTP request that a judge sends."""
    seen: list[httpx.Request] = []

    def handler(asked: httpx.Request) -> httpx.Response:
        seen.append(asked)
        return httpx.Response(200, json=REPLY if body is None else body)

    ask(whom, request, handler=handler)
    return seen[0]


def with_answers(**changed: Mapping[str, Any] | None) -> dict[str, Any]:
    """The sound reply with some answers changed; None leaves one out."""
    answers = {**ANSWERS, **changed}
    return {**REPLY, "answers": {name: answer for name, answer in answers.items() if answer is not None}}
