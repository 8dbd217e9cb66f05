"""What goes into a routing to a model and what comes out of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from policy.engine.bounds import clean_text
from policy.engine.diagnostics import Diagnostics, failure_json
from policy.engine.failures import Failure
from policy.engine.mode import Mode
from policy.engine.profile import InvalidConfig


class RouteClass(StrEnum):
    """What a host can map to a model of its own."""

    FAST = "fast"
    BALANCED = "balanced"
    REASONING = "reasoning"


class Status(StrEnum):
    """How the routing ended, in the words of seed 000."""

    ROUTED = "routed"
    FALLBACK = "fallback"
    OFF = "off"


class Rule(StrEnum):
    """Stable id of the rule that gave the status."""

    ROUTED = "model.routed"
    KEPT = "model.kept"
    BELOW_THRESHOLD = "model.below-threshold"
    NOT_AVAILABLE = "model.not-available"
    NO_ROUTES = "model.no-routes"
    FAILURE = "model.failure"
    OFF = "model.off"


class DropReason(StrEnum):
    """Why a class was not offered to the judge."""

    NO_TARGET = "no configured target"


@dataclass(frozen=True, slots=True)
class Target:
    """A model at a provider; both names count when two targets are compared."""

    provider: str
    model: str

    def __post_init__(self) -> None:
        for name, value in (("provider", self.provider), ("model", self.model)):
            if not isinstance(value, str) or not value.strip() or clean_text(value).lost:
                raise InvalidConfig(f"the {name} of a route target must be a non-empty text; got {value!r:.80}")

    def __str__(self) -> str:
        return f"{self.provider}/{self.model}"

    def to_json(self) -> dict[str, str]:
        return {"provider": self.provider, "model": self.model}


@dataclass(frozen=True, slots=True)
class Route:
    """What a class stands for; the description says what it is good for and is sent (200 code points)."""

    target: Target
    description: str | None = None

    def to_json(self) -> dict[str, Any]:
        return {**self.target.to_json(), "description": self.description}


@dataclass(frozen=True, slots=True)
class Dropped:
    """A class that was not offered."""

    route: str
    reason: DropReason

    def to_json(self) -> dict[str, str]:
        return {"route": self.route, "reason": self.reason.value}


@dataclass(frozen=True, slots=True)
class ModelRouting:
    """Which model to use, and why; `target` is the default one unless the status is `routed`.

    The engine changes no model: a host does, only where `applied`. Numbers are None where nothing was answered.
    """

    status: Status
    rule: Rule
    reason: str
    mode: Mode
    target: Target
    route: RouteClass | None = None
    choice: str | None = None
    probability: float | None = None
    confidence: float | None = None
    probabilities: Mapping[str, float] = field(default_factory=dict)
    dropped: tuple[Dropped, ...] = ()
    failure: Failure | None = None
    diagnostics: Diagnostics = field(default_factory=Diagnostics)

    @property
    def applied(self) -> bool:
        return self.mode is Mode.ENFORCE and self.status is Status.ROUTED

    def decision_json(self) -> dict[str, Any]:
        """What was decided, without how long it took or what it cost."""
        return {
            "status": self.status.value,
            "rule": self.rule.value,
            "reason": self.reason,
            "mode": self.mode.value,
            "applied": self.applied,
            "route": None if self.route is None else self.route.value,
            "target": self.target.to_json(),
            "choice": self.choice,
            "probability": self.probability,
            "confidence": self.confidence,
            "probabilities": dict(self.probabilities),
            "dropped": [dropped.to_json() for dropped in self.dropped],
            "failure": None if self.failure is None else failure_json(self.failure),
        }

    def to_json(self) -> dict[str, Any]:
        return {**self.decision_json(), "diagnostics": self.diagnostics.to_json()}
