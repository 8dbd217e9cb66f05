"""The questions of a selection: their ids, their texts (fixed by seed 000) and how they share requests."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from policy.engine.bounds import BoundedText, bound_line, bound_text
from policy.engine.canonical import canonical_json, digest
from policy.engine.profile import Limits
from policy.engine.questions import Choice, Noul, Question
from policy.engine.selection.menu import Group
from policy.engine.selection.records import Candidate

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
    id: str
    category: str
    question: Noul


@dataclass(frozen=True, slots=True)
class PickQuestion:
    """`tools` maps each label but "none" to the id of its tool; `chunk` counts from 1, `chunks` is their number."""

    id: str
    category: str
    question: Choice
    tools: Mapping[str, str]
    chunk: int
    chunks: int

    @property
    def stage(self) -> str:
        return f"pick:{self.category}" + (f":chunk-{self.chunk}" if self.chunks > 1 else "")


@dataclass(slots=True)
class QuestionWriter:
    """Writes the questions of one menu; `loss` counts what the bounds cut from its texts, by place."""

    groups: Sequence[Group]
    limits: Limits
    member_lines: bool = False
    loss: dict[str, int] = field(default_factory=dict)
    _taken: set[str] = field(default_factory=set)

    def relevance(self) -> list[RelevanceQuestion]:
        """One noul per category."""
        return [
            RelevanceQuestion(self._id("rel", group.category.id), group.category.id, self._relevance(group))
            for group in self.groups
        ]

    def picks(self, categories: Iterable[str]) -> list[PickQuestion]:
        """One choice per chunk of members of each named category."""
        wanted = set(categories)
        groups = [group for group in self.groups if group.category.id in wanted]
        first_ids = {group.category.id: self._id("pick", group.category.id) for group in groups}
        return [pick for group in groups for pick in self._picks(group, first_ids[group.category.id])]

    def _relevance(self, group: Group) -> Noul:
        category = group.category
        place = f"category:{category.id}"
        text = self._note(place, bound_text(category.description or RELEVANCE_TRUE, MAX_CATEGORY_CHARS))
        lines = [text, *(self._member_lines(group) if self.member_lines else ())]
        return Noul(RELEVANCE_TEXT.format(category=self._name(category.id)), "\n".join(lines), RELEVANCE_FALSE)

    def _member_lines(self, group: Group) -> Iterator[str]:
        shown = group.members[:MAX_MEMBER_LINES]
        for member in shown:
            description = self._describe(member)
            yield f"{member.id}: {' '.join(description.split())}" if description else member.id
        left_out = sum(len(member.id) + len(member.description or "") for member in group.members[len(shown) :])
        if left_out:
            self.loss[f"members:{group.category.id}"] = left_out

    def _picks(self, group: Group, first_id: str) -> Iterator[PickQuestion]:
        size = self.limits.tools_per_question
        chunks = [group.members[start : start + size] for start in range(0, len(group.members), size)]
        text = PICK_TEXT.format(category=self._name(group.category.id))
        for number, members in enumerate(chunks):
            labels = _labels(members)
            criteria = {label: self._describe(member) for label, member in labels.items()}
            yield PickQuestion(
                id=self._id("pick", group.category.id, number) if number else first_id,
                category=group.category.id,
                question=Choice(text, {**criteria, NONE: PICK_NONE}),
                tools={label: member.id for label, member in labels.items()},
                chunk=number + 1,
                chunks=len(chunks),
            )

    def _describe(self, member: Candidate) -> str | None:
        if not member.description:
            return None
        return self._note(f"tool:{member.id}", bound_text(member.description, MAX_TOOL_CHARS))

    def _name(self, category: str) -> str:
        return self._note(f"name:{category}", bound_line(category, MAX_NAME_CHARS))

    def _note(self, place: str, bounded: BoundedText) -> str:
        if bounded.lost:
            self.loss[place] = bounded.lost
        return bounded.text

    def _id(self, kind: str, category: str, chunk: int = 0) -> str:
        """`rel_<category>`, `pick_<category>`, `pick_<category>_<chunk>`; a hash is added where ids would collide."""
        plain = "_".join(filter(None, (kind, re.sub(r"[^A-Za-z0-9_]", "_", category), str(chunk or ""))))
        wanted, salt = plain, 0
        while wanted in self._taken:
            seed = canonical_json([category, chunk, salt])
            wanted, salt = f"{plain}_{hashlib.sha256(seed.encode()).hexdigest()[:8]}", salt + 1
        self._taken.add(wanted)
        return wanted


def batches(questions: Mapping[str, Question], *, max_questions: int | None = None) -> list[dict[str, Question]]:
    """Share questions among as few requests as the bounds allow, in order; every batch has at least one."""
    packed: list[dict[str, Question]] = []
    room = 0
    for name, question in questions.items():
        size = len(canonical_json({name: question.to_wire()}))
        if not packed or size > room or len(packed[-1]) == max_questions:
            packed.append({})
            room = MAX_REQUEST_CHARS
        packed[-1][name] = question
        room -= size
    return packed


def question_set_digest() -> str:
    """SHA-256 of the fixed texts: measurements under another digest are measurements of other questions."""
    texts = [RELEVANCE_TEXT, RELEVANCE_TRUE, RELEVANCE_FALSE, PICK_TEXT, PICK_NONE, ASK_FIRST_QUESTION.to_wire()]
    return digest([QUESTION_SET, texts])


def _labels(members: Sequence[Candidate]) -> dict[str, Candidate]:
    """The ids as labels; a tool that is itself called `__none__` gets a label of its own."""
    ids = {member.id for member in members}
    labels: dict[str, Candidate] = {}
    for member in members:
        label = member.id
        while label == NONE or (label != member.id and label in ids):
            label = f"tool {label}"
        labels[label] = member
    return labels
