"""What a lane writes while it works: its state and its events, fenced by the owner's token."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.agents.agent import Rejected, Said, Waiting
from arena.models import Lane, LaneState
from arena.runs.log import Draft, append_as

# What is kept of arguments that are no JSON object, in characters.
KEPT_ARGUMENTS = 2_000


class Recorder:
    """Writes a lane's events in order; raises `LeaseLost` once the lane belongs to somebody else."""

    def __init__(self, lane: Lane, owner: str) -> None:
        self.lane = lane
        self.owner = owner
        self.state = LaneState(lane.state)
        self.step = 0

    def write(self, state: LaneState, drafts: Sequence[Draft] = (), message: str = "", **changes: Any) -> None:
        """Events of this lane and, where it changes, its state, in one transaction."""
        own = [Draft(draft.kind, draft.payload, self.lane.pk) for draft in drafts]
        if state != self.state:
            payload = {"state": state.value, **({"message": message} if message else {})}
            own.append(Draft("lane.state", payload, self.lane.pk))
            changes |= {"state": state, "message": message}
        append_as(self.lane, self.owner, own, changes)
        self.state = state

    def think(self, note: str, candidates: Sequence[tuple[str, float]]) -> None:
        """A step begins. From the first one on, the lane is never silently run again: it has spent something."""
        self.step += 1
        payload = {"step": self.step, "note": note, "candidates": [list(pair) for pair in candidates]}
        self.write(LaneState.WORKING, [Draft("step.thinking", payload)], began=True)

    def say(self, said: Said) -> None:
        """A batch of the agent's words."""
        if said.text:
            self.write(LaneState.WORKING, [Draft("step.said", {"step": self.step, "text": said.text})])

    def wait(self, waiting: Waiting) -> None:
        payload = {"step": self.step, "seconds": round(waiting.seconds, 3), "reason": waiting.reason}
        self.write(LaneState.WORKING, [Draft("step.waiting", payload)])

    def reject(self, rejected: Rejected) -> None:
        """A call with malformed arguments: recorded, and nothing executed."""
        cut = rejected.arguments[:KEPT_ARGUMENTS]
        payload = {"step": self.step, "tool": rejected.tool, "arguments": cut, "error": rejected.error}
        self.write(LaneState.WORKING, [Draft("call.rejected", payload)])

    def join(self, menu: list[dict[str, Any]], *, of: int) -> None:
        """The lane's menu has grown: `menu` is the whole of it now."""
        self.write(self.state, [Draft("lane.menu", {"tools": menu, "of": of})], menu=menu)
