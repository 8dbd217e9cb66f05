"""What a run asked when it had come to its end, and what became of its questions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from arena.models import Lane, Run
from policy.engine.selection import Outcome

JUDGE = ""
THE_JUDGES = "What exactly is wanted, and of which thing? The judge finds that the task leaves it open."

State = Literal["none", "open", "answered", "left open"]


@dataclass(frozen=True, slots=True)
class Question:
    """What somebody asked: `letter` is the lane's, empty for the judge."""

    letter: str
    text: str


def questions(run: Run) -> tuple[Question, ...]:
    """What a run that has come to its end asked, the judge first; agents that asked the same are told once."""
    if not run.is_final:
        return ()
    asked = [Question(JUDGE, THE_JUDGES)] if run.outcome == Outcome.NEEDS_CLARIFICATION.value else []
    lanes = [lane for lane in run.lanes.all() if _asked(lane)]
    by_text = {lane.answer.strip(): lane.letter for lane in reversed(lanes)}
    return (*asked, *(Question(letter, text) for text, letter in reversed(by_text.items())))


def _asked(lane: Lane) -> bool:
    return lane.ending == "asked" and bool(lane.answer.strip())


def state(run: Run) -> State:
    """Whether the run asked something and what became of it."""
    if not questions(run):
        return "none"
    if follower(run) is not None:
        return "answered"
    return "open" if run.left_open_at is None else "left open"


def follower(run: Run) -> Run | None:
    """The run that goes on with the answer."""
    return getattr(run, "continued_by", None)
