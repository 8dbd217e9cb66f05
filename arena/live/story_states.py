"""States as people see them: an icon, a word and a tone, never a colour alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from arena.models import Arm, LaneState, RunState

Tone = Literal["ink", "ok", "bad", "ask", "off"]


@dataclass(frozen=True, slots=True)
class State:
    """`turning` marks an icon that turns while something is under way."""

    key: str
    icon: str
    word: str
    tone: Tone
    turning: bool = False


_RUN = {
    RunState.QUEUED: State("queued", "queued", "queued", "off"),
    RunState.ROUTING: State("routing", "routing", "routing", "ink"),
    RunState.RUNNING: State("running", "running", "running", "ink", turning=True),
    RunState.STOPPING: State("stopping", "stopping", "stopping", "off"),
    RunState.SETTLING: State("settling", "settling", "settling", "ink"),
    RunState.COMPLETE: State("complete", "good", "complete", "ok"),
    RunState.PARTIAL: State("partial", "partial", "partial", "ask"),
    RunState.FAILED: State("failed", "bad", "failed", "bad"),
    RunState.STOPPED: State("stopped", "stopped", "stopped", "off"),
    RunState.ABANDONED: State("abandoned", "abandoned", "abandoned", "off"),
}
_LANE = {
    LaneState.WAITING: State("waiting", "waiting", "waiting", "off"),
    LaneState.STARTING: State("starting", "starting", "starting", "ink"),
    LaneState.WORKING: State("working", "working", "working", "ink"),
    LaneState.CALLING: State("calling", "calling", "calling", "ink"),
    LaneState.ASKING: State("asking", "asking", "waiting for you", "ask"),
    LaneState.ANSWERING: State("answering", "answering", "answering", "ink"),
    LaneState.COMPLETED: State("completed", "good", "completed", "ok"),
    LaneState.FAILED: State("failed", "bad", "failed", "bad"),
    LaneState.STOPPED: State("stopped", "stopped", "stopped", "off"),
    LaneState.ABANDONED: State("abandoned", "abandoned", "abandoned", "off"),
    LaneState.WITHHELD: State("withheld", "lock", "withheld", "off"),
}
PASSED = State("passed", "good", "passed", "ok")
NOT_PASSED = State("not-passed", "bad", "not passed", "bad")
NO_CHECK = State("no-check", "void", "no check", "off")
NOT_FINISHED = State("not-finished", "void", "not finished", "off")

ARM_SHORT = {
    Arm.FULL: "Full",
    Arm.SELECTED: "Selected",
    Arm.SHADOW: "Shadow",
    Arm.BM25: "BM25",
    Arm.EMBEDDING: "Vectors",
    Arm.RANDOM: "Random",
    Arm.ORACLE: "Oracle",
}


def of_run(state: str) -> State:
    return _RUN[RunState(state)]


def of_lane(state: str) -> State:
    return _LANE[LaneState(state)]


def of_check(passed: bool | None, *, ended: bool) -> State:
    """A lane of a run that has ended and that nothing was checked of did not come to an end of its own."""
    if passed is None:
        return NOT_FINISHED if ended else NO_CHECK
    return PASSED if passed else NOT_PASSED


def lane_class(letter: str) -> str:
    """The style of a lane's letter: A and B have a hue, every further one is neutral."""
    return {"A": "lane-a", "B": "lane-b"}.get(letter, "lane-n")
