"""The questions of a selection: their texts (fixed by seed 000), what is known of each, how they share requests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from policy.engine.canonical import digest
from policy.engine.questions import Choice, Noul

QUESTION_SET = "selection/1"
NONE = "__none__"
ASK_FIRST = "ask_first"

MAX_TOOL_CHARS = 200
MAX_CATEGORY_CHARS = 400
MAX_NAME_CHARS = 200
# Not the limit of a pick: a host that asks about few tools at a time still wants all of them known in stage one.
MAX_MEMBER_LINES = 40
# Judges bound a request near 64,000 tokens; one token is seldom less than one character of ASCII JSON.
MAX_REQUEST_CHARS = 50_000

RELEVANCE_TEXT = 'Is a tool from the category "{category}" relevant for completing the current task?'
RELEVANCE_TRUE = "At least one tool from this category helps with the task."
RELEVANCE_FALSE = "No tool from this category is needed for this task."
PICK_TEXT = 'Which tool from the category "{category}" fits the current task step?'
PICK_NONE = "No tool from this category fits the current task step."
ASK_FIRST_QUESTION = Noul(
    "Does the task leave open what is wanted, or which thing it is about, so that one has to ask before acting?",
    true="Something that decides what to do is missing: the wish itself, or which of several things is meant.",
    false="The task says what is wanted and about which thing; work can begin.",
)


@dataclass(frozen=True, slots=True)
class RelevanceQuestion:
    """`chars` is its size in a request; `loss` counts what the bounds cut from its texts, by place."""

    id: str
    category: str
    question: Noul
    chars: int
    loss: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class PickQuestion:
    """`tools` maps each label but "none" to the id of its tool; `chunk` counts from 1, `chunks` is their number.

    `chars` is its size in a request; `loss` counts what the bounds cut from its texts, by place.
    """

    id: str
    category: str
    question: Choice
    tools: Mapping[str, str]
    chunk: int
    chunks: int
    chars: int
    loss: Mapping[str, int]

    @property
    def stage(self) -> str:
        return f"pick:{self.category}" + (f":chunk-{self.chunk}" if self.chunks > 1 else "")


def batches(chars: Mapping[str, int], *, max_questions: int | None = None) -> list[list[str]]:
    """Share questions of these sizes among as few requests as the bounds allow, in order; no batch is empty."""
    packed: list[list[str]] = []
    room = 0
    for name, size in chars.items():
        if not packed or size > room or len(packed[-1]) == max_questions:
            packed.append([])
            room = MAX_REQUEST_CHARS
        packed[-1].append(name)
        room -= size
    return packed


def question_set_digest() -> str:
    """SHA-256 of the fixed texts: measurements under another digest are measurements of other questions."""
    texts = [RELEVANCE_TEXT, RELEVANCE_TRUE, RELEVANCE_FALSE, PICK_TEXT, PICK_NONE, ASK_FIRST_QUESTION.to_wire()]
    return digest([QUESTION_SET, texts])
