"""What code decides from answers: an action, the rule that fired and the value that it measured."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Action(StrEnum):
    """Ordered by strictness: allow < ask < hold < deny."""

    ALLOW = "allow"
    ASK = "ask"
    HOLD = "hold"
    DENY = "deny"

    @property
    def strictness(self) -> int:
        return _ORDER.index(self)


_ORDER = (Action.ALLOW, Action.ASK, Action.HOLD, Action.DENY)


def strictest(actions: Iterable[Action]) -> Action:
    """The strictest of the actions, `allow` for none: more evidence can only make a decision stricter."""
    return max(actions, key=_ORDER.index, default=Action.ALLOW)


@dataclass(frozen=True, slots=True)
class Decision:
    """One rule that fired. `applied` is true only where the host enforces; `measured` is None for local rules."""

    action: Action
    rule: str
    reason: str
    question: str | None = None
    applied: bool = False
    measured: float | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "action": self.action.value,
            "rule": self.rule,
            "reason": self.reason,
            "question": self.question,
            "applied": self.applied,
            "measured": self.measured,
        }
