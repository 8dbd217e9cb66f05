"""What happened to one physical request: a judge tells it twice, when the request is sent and when it has ended."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol, runtime_checkable

from policy.engine.failures import Failure
from policy.engine.judge import JudgeReply, JudgeRequest


class AttemptStatus(StrEnum):
    """`answered` says that a reply came in its envelope; only recovery looks into the answers (the next three)."""

    PENDING = "pending"
    ANSWERED = "answered"
    VALID = "valid"
    INVALID_SUM = "invalid_sum"
    INVALID_OTHER = "invalid_other"
    REDIRECTED = "redirected"
    HTTP_ERROR = "http_error"
    TRANSPORT_ERROR = "transport_error"
    EMPTY_BODY = "empty_body"
    BODY_LIMIT = "body_limit"
    INVALID_JSON = "invalid_json"
    TIMEOUT = "timeout"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Attempt:
    """One physical request; `index` counts from 1 within one call of `ask`.

    None is unknown, as tokens after a failure. `wait_ms` is the pause before it, `reason` a stable word of ours for
    what the far side meant (`no_credits`, `too_large`, `daily_quota`, ...). No text of it holds the key. `diagnostic`
    and `projection` are recovery's: structure only, question by question.
    """

    index: int
    status: AttemptStatus
    endpoint: str
    requested_model: str
    request_bytes: int
    wait_ms: float = 0.0
    limit_ms: float | None = None
    latency_ms: float | None = None
    http_status: int | None = None
    request_id: str = ""
    response_bytes: int | None = None
    answered_model: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None
    raw: bytes | None = None
    reason: str = ""
    failure: Failure | None = None
    diagnostic: Mapping[str, Any] | None = None
    projection: Mapping[str, Any] | None = None


OnAttempt = Callable[[Attempt], None]


def unwatched(attempt: Attempt) -> None:
    """Nobody looks at the attempts of this call."""


class AsyncWatchedJudge(Protocol):
    """The same, awaited."""

    name: str
    endpoint: str
    model: str
    tells_attempts: bool

    async def ask(
        self, request: JudgeRequest, *, timeout_s: float, on_attempt: OnAttempt = unwatched
    ) -> JudgeReply: ...

    async def aclose(self) -> None: ...


@runtime_checkable
class WatchedJudge(Protocol):
    """A judge that may send more than one request for one question, and tells of each."""

    name: str
    endpoint: str
    model: str
    tells_attempts: bool

    def ask(self, request: JudgeRequest, *, timeout_s: float, on_attempt: OnAttempt = unwatched) -> JudgeReply: ...

    def close(self) -> None: ...
