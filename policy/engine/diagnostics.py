"""How a decision went: stages, requests, tokens, time and what was cut before sending."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from policy.engine.canonical import canonical_json
from policy.engine.contract import Usage
from policy.engine.failures import Failure, Violation


@dataclass(frozen=True, slots=True)
class RequestNote:
    """One request: `latency_ms` and tokens are None where unknown, as after a failure."""

    stage: str
    questions: int
    model: str | None = None
    usage: Usage = field(default_factory=Usage)
    latency_ms: float | None = None
    failure: Failure | None = None
    violations: tuple[Violation, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "stage": self.stage,
            "questions": self.questions,
            "model": self.model,
            "usage": self.usage.to_json(),
            "latency_ms": self.latency_ms,
            "failure": None if self.failure is None else self.failure.code.value,
            "violations": [violation_json(violation) for violation in self.violations],
        }


@dataclass(frozen=True, slots=True)
class Diagnostics:
    """`question_sizes` counts the options of each pick, "none" included; `loss` counts code points by place."""

    stages: tuple[str, ...] = ()
    requests: tuple[RequestNote, ...] = ()
    question_sizes: Mapping[str, int] = field(default_factory=dict)
    loss: Mapping[str, int] = field(default_factory=dict)
    state: Mapping[str, Any] | str = field(default="", repr=False, compare=False)
    question_set: str = ""

    @property
    def state_chars(self) -> int:
        """Code points of the state as ASCII JSON, 0 where none was made; counted when somebody wants to know."""
        return len(canonical_json(self.state)) if self.state else 0

    @property
    def usage(self) -> Usage:
        """Tokens of all requests together; unknown as soon as one of them is."""
        return Usage(
            _sum([note.usage.input_tokens for note in self.requests]),
            _sum([note.usage.output_tokens for note in self.requests]),
        )

    @property
    def latency_ms(self) -> float | None:
        """Time spent waiting for replies, in milliseconds; unknown when a request ended without one."""
        known = [note.latency_ms for note in self.requests if note.latency_ms is not None]
        return sum(known) if len(known) == len(self.requests) else None

    @property
    def models(self) -> tuple[str, ...]:
        """The models that answered; more than one when an alias moved in mid-selection."""
        return tuple(dict.fromkeys(note.model for note in self.requests if note.model is not None))

    def to_json(self) -> dict[str, Any]:
        return {
            "question_set": self.question_set,
            "stages": list(self.stages),
            "requests": [note.to_json() for note in self.requests],
            "models": list(self.models),
            "usage": self.usage.to_json(),
            "latency_ms": self.latency_ms,
            "question_sizes": dict(self.question_sizes),
            "state_chars": self.state_chars,
            "loss": dict(self.loss),
        }


def failure_json(failure: Failure) -> dict[str, Any]:
    """A failure as hosts store it."""
    return {
        "code": failure.code.value,
        "message": failure.message,
        "retryable": failure.retryable,
        "violations": [violation_json(violation) for violation in failure.violations],
    }


def violation_json(violation: Violation) -> dict[str, Any]:
    return {"path": violation.path, "message": violation.message, "received": violation.received}


def _sum(counts: Sequence[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None
