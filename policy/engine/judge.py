"""The protocol between the engine and a judge: the judge answers, it never decides."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, Protocol, TypeGuard

from policy.engine.questions import Questions
from policy.engine.totals import Totals

TokenSource = Literal["reported", "estimated"]


@dataclass(frozen=True, slots=True)
class JudgeRequest:
    """One physical request: a JSON state, typed questions and the stage of the decision that asks."""

    state: Mapping[str, Any] | str
    questions: Questions
    stage: str

    def to_wire(self) -> dict[str, Any]:
        """The exact `state` and `questions` as sent, order kept (what `request_digest` hashes)."""
        state = self.state if isinstance(self.state, str) else dict(self.state)
        return {"state": state, "questions": {name: question.to_wire() for name, question in self.questions.items()}}

    @property
    def digest(self) -> str:
        """SHA-256 of the bytes as sent: what makes two requests the same."""
        return hashlib.sha256(self.encoded()).hexdigest()

    def encoded(self) -> bytes:
        """The wire form as compact UTF-8 JSON, order kept: what is measured in bytes and digested."""
        return json.dumps(self.to_wire(), separators=(",", ":"), ensure_ascii=False).encode("utf-8", "surrogatepass")


@dataclass(frozen=True, slots=True)
class JudgeReply:
    """What a judge returned, unchecked: `body` is `{model, answers, usage}` as parsed, numbers untouched.

    `totals` is the tolerance that the host granted this judge; the judge's server has no say in it. `cached_at` is
    when a stored answer was given, None for one that was given now: a hit costs nothing, its usage is what it would.
    """

    body: Mapping[str, Any]
    raw: bytes
    latency_ms: float
    token_source: TokenSource = "reported"
    notes: tuple[str, ...] = field(default=())
    totals: Totals = Totals.STRICT
    cached_at: datetime | None = None


class Judge(Protocol):
    """Answers typed questions about a state; raises `JudgeFailed` with a typed failure, nothing else."""

    name: str

    def ask(self, request: JudgeRequest, *, timeout_s: float) -> JudgeReply: ...


def is_reply(came: object) -> TypeGuard[JudgeReply]:
    """Whether a judge kept its promise of what it gives back; what the body holds is for the contract to say."""
    return isinstance(came, JudgeReply) and isinstance(came.raw, bytes) and isinstance(came.latency_ms, int | float)
