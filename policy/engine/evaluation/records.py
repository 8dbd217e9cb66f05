"""What comes out of an evaluation of free questions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from policy.engine import confidence
from policy.engine.answers import Answer
from policy.engine.bounded_call import Loss
from policy.engine.decisions import Action, Decision, strictest
from policy.engine.diagnostics import Diagnostics, failure_json
from policy.engine.failures import Failure
from policy.engine.mode import Mode


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The valid answers and what the rules make of them.

    Answers stand or fall alone: after `INVALID_RESPONSE` the valid ones and the decisions on them are kept, while
    `failure` says that something is missing. `skipped` names the rules that found no fitting answer. `losses` says
    what of the state was cut before it was sent; a masked secret is no loss.
    """

    mode: Mode
    answers: Mapping[str, Answer] = field(default_factory=dict)
    decisions: tuple[Decision, ...] = ()
    skipped: tuple[str, ...] = ()
    failure: Failure | None = None
    losses: tuple[Loss, ...] = ()
    diagnostics: Diagnostics = field(default_factory=Diagnostics)

    @property
    def ok(self) -> bool:
        return self.failure is None

    @property
    def applied(self) -> bool:
        """Whether a host may act on it."""
        return self.ok and self.mode is Mode.ENFORCE

    @property
    def action(self) -> Action | None:
        """The strictest decision, `allow` where every rule could look and none fired; otherwise None, never `allow`."""
        if not self.ok or (self.skipped and not self.decisions):
            return None
        return strictest(decision.action for decision in self.decisions)

    @property
    def computed_confidence(self) -> dict[str, float]:
        """The confidence of each choice and score by the official formulas, computed here and not reported."""
        found = {name: confidence.computed(answer) for name, answer in self.answers.items()}
        return {name: value for name, value in found.items() if value is not None}

    def decision_json(self) -> dict[str, Any]:
        """What was decided, without how long it took or what it cost."""
        return {
            "ok": self.ok,
            "mode": self.mode.value,
            "applied": self.applied,
            "action": None if self.action is None else self.action.value,
            "answers": {name: answer.to_json() for name, answer in self.answers.items()},
            "computed_confidence": self.computed_confidence,
            "decisions": [decision.to_json() for decision in self.decisions],
            "skipped": list(self.skipped),
            "losses": [loss.to_json() for loss in self.losses],
            "failure": None if self.failure is None else failure_json(self.failure),
        }

    def to_json(self) -> dict[str, Any]:
        return {**self.decision_json(), "diagnostics": self.diagnostics.to_json()}
