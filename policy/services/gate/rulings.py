"""What becomes of a call: it proceeds, somebody is asked, it is cancelled, or it is denied."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from policy.engine.assessment import Assessment
from policy.engine.decisions import Action

# What a host hands to its agent with a denial (seed 000, Decision actions).
DENIED: Mapping[str, str] = {"name": "JevAssessment", "code": "JEV_DENIED"}
LOOPED: Mapping[str, str] = {"name": "JevLoopGuard", "code": "JEV_LOOP"}
MARK = "[jev]"


class Kind(StrEnum):
    """Ordered by strictness: allow < ask < cancel < deny."""

    ALLOW = "allow"
    ASK = "ask"
    CANCEL = "cancel"
    DENY = "deny"

    @property
    def strictness(self) -> int:
        return tuple(Kind).index(self)


@dataclass(frozen=True, slots=True)
class Ruling:
    """The end of all policies for one call; `rule` is the id of the rule that gave the kind, None where nobody objects.

    `reason` may be shown to a person; an agent is told that of a denial. `assessment` is there where one was made,
    applied or not.
    """

    kind: Kind = Kind.ALLOW
    reason: str = ""
    rule: str | None = None
    info: Mapping[str, str] = field(default_factory=dict)
    assessment: Assessment | None = None

    @property
    def allowed(self) -> bool:
        return self.kind is Kind.ALLOW


PROCEED = Ruling()

_KINDS = {Action.ALLOW: Kind.ALLOW, Action.ASK: Kind.ASK, Action.HOLD: Kind.CANCEL, Action.DENY: Kind.DENY}


def ruled(action: Action, rule: str, reason: str, *, info: Mapping[str, str] | None = None) -> Ruling:
    """An action as a host carries it out, with the reason in the form of seed 000's host."""
    kind = _KINDS[action]
    told = info if info is not None else DENIED if kind is Kind.DENY else {}
    return Ruling(kind, f"{MARK} {action.value} by {rule}: {reason}", rule, told)


def stricter(downstream: Ruling, own: Ruling) -> Ruling:
    """The stricter of the two; another policy's ruling stays as it is, reason included, unless ours is stricter."""
    return own if own.kind.strictness > downstream.kind.strictness else downstream
