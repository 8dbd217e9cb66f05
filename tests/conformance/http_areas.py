"""How the lines about status codes, retries and keys are run: a real adapter over a far side in memory."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import httpx

from policy.engine.evaluation import evaluate
from policy.engine.profile import InvalidConfig, Profile
from policy.engine.questions import Noul
from policy.judges import remote
from policy.judges.attempts import Attempt, AttemptStatus, OnAttempt
from policy.judges.http.exchange import Clocks
from policy.judges.http.judge import HttpJudge
from policy.judges.http.retries import Retries
from policy.judges.keys import Key
from policy.judges.settings import JudgeSettings
from tests.conformance.cases import Fragment, Runner
from tests.policy.engine.doubles import Clock, drive

Input = Mapping[str, Any]
INVALID = {"model": "jev-1.13.0", "answers": {"go": {"type": "noul", "noul": 1.5}}}


class _Heard:
    """A judge whose attempts are counted."""

    def __init__(self, judge: HttpJudge) -> None:
        self.name = judge.name
        self._judge = judge
        self.attempts: list[Attempt] = []

    def ask(self, request: Any, *, timeout_s: float) -> Any:
        hear: OnAttempt = self.attempts.append
        return self._judge.ask(request, timeout_s=timeout_s, on_attempt=hear)


def over_http(given: Input) -> dict[str, Any]:
    """Every attempt is answered with the line's status; nobody sits through the pauses."""
    clock = Clock()
    judge = _judge(given, clock)
    heard = _Heard(judge)
    budget_ms = given.get("budgetMs", 8000)
    told = drive(
        evaluate(state={"task": "t"}, questions={"go": Noul("Go?")}, profile=Profile()),
        heard,
        budget_ms=budget_ms,
        clock=clock,
    )
    judge.close()
    failed = told.failure
    return {
        "ok": told.ok,
        "failure": failed.code.value if failed else None,
        "retryable": failed.retryable if failed else None,
        "message": failed.message if failed else None,
        "attempts": sum(attempt.status is not AttemptStatus.PENDING for attempt in heard.attempts),
    }


def live_key(given: Input) -> dict[str, Any]:
    """What a host that configures the live judge is told."""
    try:
        _target(given["liveProvider"])
    except InvalidConfig as error:
        return {"error": error.code.value, "messageContains": Fragment(error)}
    return {"ok": True}


# Both belong to areas of the engine, which passes these lines on.
RUNNERS: dict[str, Runner] = {}


def _judge(given: Input, clock: Clock) -> HttpJudge:
    body = given.get("body", {})
    content = body.encode() if isinstance(body, str) and body.startswith(("{", "[")) else json.dumps(_wire(body))
    headers = {str(name): str(value) for name, value in given.get("headers", {}).items()}

    def far_side(request: httpx.Request) -> httpx.Response:
        return httpx.Response(given["status"], content=content, headers=headers)

    target = _target({"apiKey": "ts-conformance-key"})
    return HttpJudge(
        target,
        retries=Retries(more=given.get("maxRetries", 1)),
        clocks=Clocks(monotonic=clock),
        sleep=clock.pass_s,
        opener=lambda base: httpx.Client(transport=httpx.MockTransport(far_side)),
    )


def _wire(body: Any) -> Any:
    """A body that a line describes in words is one whose only answer is out of range."""
    return INVALID if isinstance(body, str) else body


def _target(live: Input) -> Any:
    key = live.get("apiKey")
    settings = JudgeSettings("typesafe", base_url=live.get("baseUrl", ""), model=live.get("model", ""))
    return remote.target(settings, key=None if key is None else Key(key))
