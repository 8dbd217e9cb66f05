"""A lane's evidence, read back from its events: the calls, the effects, the world before and after."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.evidence.lane import CallRecord, LaneEnding, LaneEvidence
from arena.models import Event, Lane, LaneState
from arena.worlds.world import Effect, World

_BROKEN_OFF = {
    LaneState.FAILED: LaneEnding.FAILED,
    LaneState.STOPPED: LaneEnding.STOPPED,
    LaneState.ABANDONED: LaneEnding.ABANDONED,
}


def evidence(lane: Lane, events: Sequence[Event], *, world: World, outcome: str) -> LaneEvidence:
    """What the lane left behind; `events` are its own in order, `outcome` is the run's selection outcome."""
    finished = [event.payload for event in events if event.kind == "call.finished"]
    return LaneEvidence.of_effects(
        world,
        tuple(Effect.from_json(effect) for call in finished for effect in call.get("effects", ())),
        ending=_ending(lane, outcome),
        answer=lane.answer,
        calls=calls(events),
    )


def calls(events: Sequence[Event]) -> tuple[CallRecord, ...]:
    """Every call of a lane in order; `ok` is None for a call that never came back."""
    ends = {event.payload["call"]: event.payload for event in events if event.kind == "call.finished"}
    records = []
    for event in events:
        if event.kind == "call.started":
            end = ends.get(event.payload["call"], {"ok": None, "error": "The call did not come back."})
            records.append(
                CallRecord(
                    tool=event.payload["tool"],
                    arguments=event.payload["arguments"],
                    ok=end["ok"],
                    content=end.get("content"),
                    error=end.get("error"),
                )
            )
    return tuple(records)


def last_usage(events: Sequence[Event]) -> dict[str, Any]:
    """The tokens that a lane last told of, for one that did not live to tell its sum; empty where it told none."""
    told = [event.payload for event in events if event.kind == "lane.usage"]
    return {"usage": told[-1]} if told else {}


def _ending(lane: Lane, outcome: str) -> LaneEnding:
    if lane.state == LaneState.WITHHELD:
        return LaneEnding(f"withheld-{outcome}")
    return _BROKEN_OFF.get(LaneState(lane.state)) or LaneEnding(lane.ending)
