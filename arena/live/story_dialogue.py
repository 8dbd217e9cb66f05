"""The dialogue of a run: what was answered before it, what it asks itself, and where the answer leads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.cases.turns import Turn
from arena.evidence import questions
from arena.evidence.questions import Question
from arena.live import story_states
from arena.models import Run


@dataclass(frozen=True, slots=True)
class Other:
    """The run before or after this one."""

    public_id: str
    number: int


@dataclass(frozen=True, slots=True)
class Asked:
    """One question; `letter` is empty for the judge."""

    letter: str
    css: str
    text: str


@dataclass(frozen=True, slots=True)
class DialogueStory:
    """`turns` came before this run, `asked` is what it asks; `open` says that a person may answer now."""

    turns: tuple[Turn, ...]
    before: Other | None
    asked: tuple[Asked, ...]
    open: bool
    left_open: bool
    after: Other | None
    answer: str


def of(run: Run, turns: Sequence[Turn]) -> DialogueStory | None:
    """None where nothing was asked and nothing answered; `turns` are those of the run's case."""
    asked = questions.questions(run)
    if not asked and not turns:
        return None
    state = questions.state(run)
    after = questions.follower(run)
    return DialogueStory(
        turns=tuple(turns),
        before=None if run.continues is None else Other(run.continues.public_id, run.continues.number),
        asked=tuple(_asked(each) for each in asked),
        open=state == "open",
        left_open=state == "left open",
        after=None if after is None else Other(after.public_id, after.number),
        answer="" if after is None else _given(after),
    )


def _asked(question: Question) -> Asked:
    css = story_states.lane_class(question.letter) if question.letter else ""
    return Asked(question.letter, css, question.text)


def _given(after: Run) -> str:
    turns = after.case_snapshot.content.get("turns") or [{"answer": ""}]
    return str(turns[-1]["answer"])
