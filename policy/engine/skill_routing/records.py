"""What goes into a routing to a skill and what comes out of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from policy.engine.diagnostics import Diagnostics, failure_json
from policy.engine.failures import Failure
from policy.engine.mode import Mode

NONE = "__none__"
MAX_NAME_CHARS = 200


class Status(StrEnum):
    """How the routing ended, in the words of seed 000."""

    SELECTED = "selected"
    NONE = "none"
    FALLBACK = "fallback"
    OFF = "off"


class Rule(StrEnum):
    """Stable id of the rule that gave the status."""

    SELECTED = "skill.selected"
    NONE = "skill.none"
    NOT_NEEDED = "skill.not-needed"
    BELOW_THRESHOLD = "skill.below-threshold"
    UNSURE = "skill.unsure"
    NO_SKILLS = "skill.no-skills"
    FAILURE = "skill.failure"
    OFF = "skill.off"


class DropReason(StrEnum):
    """Why a skill was not offered to the judge."""

    EMPTY = "empty skill name"
    UNSENDABLE = "skill name with characters that cannot be sent"
    TOO_LONG = f"skill name longer than {MAX_NAME_CHARS} code points"
    RESERVED = f"skill name {NONE} is the answer for no skill"
    DUPLICATE = "duplicate skill name"
    CAP = "maxSkills cap"


@dataclass(frozen=True, slots=True)
class Skill:
    """What is known of a skill before it is loaded; trusted text, unlike the task."""

    name: str
    description: str | None = None
    when_to_use: str | None = None

    def to_json(self) -> dict[str, Any]:
        return {"name": self.name, "description": self.description, "whenToUse": self.when_to_use}


@dataclass(frozen=True, slots=True)
class Dropped:
    """A skill that was not offered."""

    name: str
    reason: DropReason

    def to_json(self) -> dict[str, str]:
        return {"name": self.name, "reason": self.reason.value}


@dataclass(frozen=True, slots=True)
class SkillRouting:
    """Which skill fits, if any, and why; what was answered is told for `none` too, and is None where unknown.

    `hint` is one bounded line that a host may show to its model, only where `applied`.
    """

    status: Status
    rule: Rule
    reason: str
    mode: Mode
    skill: str | None = None
    hint: str | None = None
    needs_skill: float | None = None
    choice: str | None = None
    probability: float | None = None
    confidence: float | None = None
    probabilities: Mapping[str, float] = field(default_factory=dict)
    dropped: tuple[Dropped, ...] = ()
    failure: Failure | None = None
    diagnostics: Diagnostics = field(default_factory=Diagnostics)

    @property
    def applied(self) -> bool:
        return self.mode is Mode.ENFORCE and self.status is Status.SELECTED

    def decision_json(self) -> dict[str, Any]:
        """What was decided, without how long it took or what it cost."""
        return {
            "status": self.status.value,
            "rule": self.rule.value,
            "reason": self.reason,
            "mode": self.mode.value,
            "applied": self.applied,
            "skill": self.skill,
            "hint": self.hint,
            "needs_skill": self.needs_skill,
            "choice": self.choice,
            "probability": self.probability,
            "confidence": self.confidence,
            "probabilities": dict(self.probabilities),
            "dropped": [dropped.to_json() for dropped in self.dropped],
            "failure": None if self.failure is None else failure_json(self.failure),
        }

    def to_json(self) -> dict[str, Any]:
        return {**self.decision_json(), "diagnostics": self.diagnostics.to_json()}
