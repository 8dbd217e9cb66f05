"""What a lane writes while it works: its state and its events, fenced by the owner's token."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.models import Lane, LaneState
from arena.runs.log import Draft, append_as


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
