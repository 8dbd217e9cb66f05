"""What one lane left behind, as checks and metrics read it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from arena.worlds.world import Effect, World


class LaneEnding(StrEnum):
    """How a lane ended: the agent's own endings, a lane that broke off, or a menu that was withheld and why."""

    ANSWERED = "answered"
    ASKED = "asked"
    DECLINED = "declined"
    STOPPED = "stopped"
    LIMIT = "limit"
    FAILED = "failed"
    ABANDONED = "abandoned"
    WITHHELD_NEEDS_CLARIFICATION = "withheld-needs_clarification"
    WITHHELD_NO_MATCH = "withheld-no_match"
    WITHHELD_UNAVAILABLE = "withheld-unavailable"

    @property
    def words(self) -> str:
        """What the lane did, after "the lane"."""
        return _WORDS[self]

    @property
    def withheld(self) -> bool:
        return self.value.startswith("withheld-")


_WORDS = {
    LaneEnding.ANSWERED: "answered",
    LaneEnding.ASKED: "asked a question",
    LaneEnding.DECLINED: "said that no tool fits",
    LaneEnding.STOPPED: "was stopped",
    LaneEnding.LIMIT: "came to the limit of its steps",
    LaneEnding.FAILED: "failed",
    LaneEnding.ABANDONED: "was abandoned",
    LaneEnding.WITHHELD_NEEDS_CLARIFICATION: "was withheld for a question first",
    LaneEnding.WITHHELD_NO_MATCH: "was withheld because no tool fits",
    LaneEnding.WITHHELD_UNAVAILABLE: "was withheld for want of a usable judgment",
}


@dataclass(frozen=True, slots=True)
class CallRecord:
    """One call that the agent tried: JSON content when it returned, a sentence when it was refused or failed."""

    tool: str
    arguments: Mapping[str, Any]
    ok: bool | None
    content: Any = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class LaneEvidence:
    """`answer` is what the agent said last: an answer, a question, or why nothing fits; empty where it said nothing."""

    ending: LaneEnding
    answer: str
    world_before: World
    world_after: World
    calls: tuple[CallRecord, ...] = ()
    effects: tuple[Effect, ...] = field(default=())

    @classmethod
    def of_effects(
        cls,
        world: World,
        effects: tuple[Effect, ...],
        *,
        ending: LaneEnding,
        answer: str = "",
        calls: tuple[CallRecord, ...] = (),
    ) -> LaneEvidence:
        """The evidence of a lane that began with `world`, which is not changed."""
        after = World.from_json(world.to_json(), effects)
        return cls(ending, answer, world, after, calls, effects)

    @property
    def tools_called(self) -> tuple[str, ...]:
        """Tool ids in order of first use, refused calls included."""
        return tuple(dict.fromkeys(call.tool for call in self.calls))
