"""What goes into a selection and what comes out of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from policy.engine.diagnostics import Diagnostics, failure_json
from policy.engine.failures import Failure
from policy.engine.mode import Mode


class Status(StrEnum):
    """How the selection ended, in the words of seed 000."""

    SELECTED = "selected"
    ABSTAINED = "abstained"
    FALLBACK = "fallback"
    OFF = "off"


class Outcome(StrEnum):
    """What the selection means for a host that withholds; everything but `selected` offers no menu."""

    SELECTED = "selected"
    NEEDS_CLARIFICATION = "needs_clarification"
    NO_MATCH = "no_match"
    UNAVAILABLE = "unavailable"


class Rule(StrEnum):
    """Stable id of the rule that gave the outcome."""

    SELECTED = "selection.selected"
    ASK_FIRST = "selection.ask-first"
    WEAK_WINNER = "selection.weak-winner"
    NO_RELEVANT_CATEGORY = "selection.no-relevant-category"
    NONE_FITS = "selection.none-fits"
    NO_CANDIDATES = "selection.no-candidates"
    CAP = "selection.cap"
    FAILURE = "selection.failure"
    OFF = "selection.off"


class DropReason(StrEnum):
    """Why a candidate is not in the result."""

    EMPTY = "empty tool id"
    UNSENDABLE = "tool id with characters that cannot be sent"
    DUPLICATE = "duplicate tool id"
    RESTRICTED = "restricted"
    CATEGORY_NOT_RELEVANT = "category not relevant"
    QUESTION_FIRST = "a question comes first"
    NOT_PICKED = "not picked"
    CAP = "maxSelected cap"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A tool that may be offered. Lower `priority` wins under a cap, None comes last."""

    id: str
    categories: tuple[str, ...]
    description: str | None = None
    restricted: bool = False
    priority: int | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "categories": list(self.categories),
            "description": self.description,
            "restricted": self.restricted,
            "priority": self.priority,
        }


@dataclass(frozen=True, slots=True)
class Category:
    """A group of tools and what it is for; trusted text, unlike the task."""

    id: str
    description: str | None = None

    def to_json(self) -> dict[str, Any]:
        return {"id": self.id, "description": self.description}


@dataclass(frozen=True, slots=True)
class Chosen:
    """A tool in the result, with the probability of its pick and the category in which it was picked."""

    id: str
    probability: float
    category: str

    def to_json(self) -> dict[str, Any]:
        return {"id": self.id, "probability": self.probability, "category": self.category}


class Dropped(NamedTuple):
    """A candidate that is not in the result; the probability is None where no pick offered it.

    A named tuple and no dataclass: every selection makes one for nearly every tool.
    """

    id: str
    reason: DropReason
    probability: float | None = None
    category: str | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "reason": self.reason.value,
            "probability": self.probability,
            "category": self.category,
        }


@dataclass(frozen=True, slots=True)
class Pick:
    """One answered pick: labels as sent (`__none__` is the answer "no tool"), `tool` the id behind the choice."""

    choice: str
    tool: str | None
    probability: float
    confidence: float
    probabilities: Mapping[str, float]
    tools: Mapping[str, float]

    def to_json(self) -> dict[str, Any]:
        return {
            "choice": self.choice,
            "tool": self.tool,
            "probability": self.probability,
            "confidence": self.confidence,
            "probabilities": dict(self.probabilities),
        }


@dataclass(frozen=True, slots=True)
class CategoryResult:
    """One category: its relevance (None where unknown), and a pick per chunk of its members."""

    category: str
    relevance: float | None
    relevant: bool = False
    picks: tuple[Pick, ...] = ()

    def to_json(self) -> dict[str, Any]:
        wire: dict[str, Any] = {"category": self.category, "relevance": self.relevance, "relevant": self.relevant}
        wire["pick"] = self.picks[0].to_json() if self.picks else None
        if len(self.picks) > 1:
            wire["further_picks"] = [pick.to_json() for pick in self.picks[1:]]
        return wire


@dataclass(frozen=True, slots=True)
class Selection:
    """The plan of one selection, readable without anything else.

    `always_allow` is the host's list without restricted ids, plus the selected ids. A host narrows its tools only
    where `applied`; it keeps its own set on every other status, or withholds according to `outcome`.
    """

    status: Status
    outcome: Outcome
    rule: Rule
    reason: str
    mode: Mode
    selected: tuple[Chosen, ...] = ()
    expand: tuple[Chosen, ...] = ()
    always_allow: tuple[str, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    categories: tuple[CategoryResult, ...] = ()
    ask_first: float | None = None
    failure: Failure | None = None
    diagnostics: Diagnostics = field(default_factory=Diagnostics)

    @property
    def applied(self) -> bool:
        return self.mode is Mode.ENFORCE and self.status is Status.SELECTED

    @property
    def tool_ids(self) -> tuple[str, ...]:
        """Selected, then expand, then always allowed; each id once."""
        ids = (*(chosen.id for chosen in (*self.selected, *self.expand)), *self.always_allow)
        return tuple(dict.fromkeys(ids))

    def decision_json(self) -> dict[str, Any]:
        """What was decided, without how long it took or what it cost: a replay must give the same."""
        return {
            "status": self.status.value,
            "outcome": self.outcome.value,
            "rule": self.rule.value,
            "reason": self.reason,
            "mode": self.mode.value,
            "applied": self.applied,
            "selected": [chosen.to_json() for chosen in self.selected],
            "expand": [chosen.to_json() for chosen in self.expand],
            "always_allow": list(self.always_allow),
            "dropped": [dropped.to_json() for dropped in self.dropped],
            "categories": [result.to_json() for result in self.categories],
            "ask_first": self.ask_first,
            "failure": None if self.failure is None else failure_json(self.failure),
        }

    def to_json(self) -> dict[str, Any]:
        return {**self.decision_json(), "diagnostics": self.diagnostics.to_json()}
