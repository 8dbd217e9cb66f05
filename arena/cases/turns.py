"""What has been asked about a task and answered by a person since; the answers are part of the task from then on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Self

from arena.cases.fields import Fields


@dataclass(frozen=True, slots=True)
class Turn:
    """One question, in the words of whoever asked it, and the person's answer."""

    question: str
    answer: str

    def to_json(self) -> dict[str, str]:
        return {"question": self.question, "answer": self.answer}

    @classmethod
    def read(cls, data: Any, where: str) -> Self:
        """The turn of one table; raises CaseFault."""
        fields = Fields(data, where)
        turn = cls(fields.text("question"), fields.text("answer"))
        fields.done()
        return turn


def told(task: str, turns: Iterable[Turn]) -> str:
    """The task as agents and judges read it: the person's first words, then every answer."""
    return "\n\n".join([task, *(turn.answer for turn in turns)])
