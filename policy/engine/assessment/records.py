"""What comes out of an assessment."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from policy.engine.bounded_call import Loss
from policy.engine.decisions import Action, Decision
from policy.engine.diagnostics import Diagnostics, failure_json
from policy.engine.failures import Failure
from policy.engine.mode import Mode


class Status(StrEnum):
    """The strictest action of all rules that fired, or `off`."""

    ALLOW = "allow"
    ASK = "ask"
    HOLD = "hold"
    DENY = "deny"
    OFF = "off"


class Rule(StrEnum):
    """Stable ids; `assessment.missing-argument` is the one that `policy.engine.arguments` gives."""

    VIOLATION = "assessment.restriction-violation"
    MISSING = "assessment.missing-information"
    MISMATCH = "assessment.task-mismatch"
    CLEAR = "assessment.clear"
    INCOMPLETE = "assessment.incomplete-input"
    FAILURE_ASK = "assessment.failure.ask"
    FAILURE_HOLD = "assessment.failure.hold"


@dataclass(frozen=True, slots=True)
class Risk:
    """How bad a wrong call would be: a place on the rubric, 0 to levels - 1, never a percentage and never a gate."""

    score: float
    confidence: float

    def to_json(self) -> dict[str, float]:
        return {"score": self.score, "confidence": self.confidence}


@dataclass(frozen=True, slots=True)
class Values:
    """What the judge answered, probabilities of yes in [0, 1]; None where there is no usable answer."""

    matches_task: float | None = None
    missing_information: float | None = None
    violates_restriction: float | None = None
    risk: Risk | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "matches_task": self.matches_task,
            "missing_information": self.missing_information,
            "violates_restriction": self.violates_restriction,
            "risk": None if self.risk is None else self.risk.to_json(),
        }


@dataclass(frozen=True, slots=True)
class Assessment:
    """What became of one call. The engine stops nothing: a host does, only where `applied`.

    `decisions` are all rules that fired, or the one that says why the call may go on; none in mode `off`.
    `restrictions` are the texts that were weighed, `losses` what a judge would not have seen of the call,
    `signature` (16 hex digits) is the same for the same call only.
    """

    status: Status
    mode: Mode
    tool: str
    signature: str
    values: Values = field(default_factory=Values)
    decisions: tuple[Decision, ...] = ()
    restrictions: tuple[str, ...] = ()
    losses: tuple[Loss, ...] = ()
    failure: Failure | None = None
    diagnostics: Diagnostics = field(default_factory=Diagnostics)

    @property
    def applied(self) -> bool:
        return self.mode is Mode.ENFORCE and self.status is not Status.OFF

    @property
    def deciding(self) -> Decision | None:
        """The first rule that gave the status."""
        return next((each for each in self.decisions if each.action.value == self.status.value), None)

    @property
    def action(self) -> Action | None:
        """The status as an action; None in mode `off`, which decides nothing."""
        return None if self.status is Status.OFF else Action(self.status.value)

    @property
    def arguments_truncated(self) -> bool:
        """Whether any of the call or the restrictions would not have reached a judge."""
        return bool(self.losses)

    def decision_json(self) -> dict[str, Any]:
        """What was decided, without how long it took or what it cost."""
        deciding = self.deciding
        return {
            "status": self.status.value,
            "rule": None if deciding is None else deciding.rule,
            "reason": None if deciding is None else deciding.reason,
            "mode": self.mode.value,
            "applied": self.applied,
            "tool": self.tool,
            "signature": self.signature,
            "restrictions": list(self.restrictions),
            "values": self.values.to_json(),
            "decisions": [decision.to_json() for decision in self.decisions],
            "losses": [loss.to_json() for loss in self.losses],
            "failure": None if self.failure is None else failure_json(self.failure),
        }

    def to_json(self) -> dict[str, Any]:
        return {**self.decision_json(), "diagnostics": self.diagnostics.to_json()}
