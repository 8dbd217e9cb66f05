"""Writes the questions of a menu: their ids, and their texts within the bounds."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from policy.engine.bounds import BoundedText, bound_line, bound_text, sendable
from policy.engine.canonical import canonical_json
from policy.engine.profile import Limits
from policy.engine.questions import Choice, Noul, Question
from policy.engine.selection.menu import Group
from policy.engine.selection.questions import (
    MAX_CATEGORY_CHARS,
    MAX_MEMBER_LINES,
    MAX_NAME_CHARS,
    MAX_TOOL_CHARS,
    NONE,
    PICK_NONE,
    PICK_TEXT,
    RELEVANCE_FALSE,
    RELEVANCE_TEXT,
    RELEVANCE_TRUE,
    PickQuestion,
    RelevanceQuestion,
)
from policy.engine.selection.records import Candidate

_NO_WORD = re.compile(r"[^A-Za-z0-9_]")

Loss = dict[str, int]


class QuestionWriter:
    """The questions of one menu, each written when it is first wanted and kept.

    They depend on the menu and the limits alone, so any number of selections may share a writer.
    """

    def __init__(self, groups: Sequence[Group], limits: Limits, *, member_lines: bool = False) -> None:
        self._groups = groups
        self._limits = limits
        self._member_lines = member_lines
        self._ids = _ids(groups, limits.tools_per_question)
        self._relevance: tuple[RelevanceQuestion, ...] | None = None
        self._picks: dict[str, tuple[PickQuestion, ...]] = {}

    def relevance(self) -> tuple[RelevanceQuestion, ...]:
        """One noul per category."""
        if self._relevance is None:
            self._relevance = tuple(map(self._relevance_of, self._groups))
        return self._relevance

    def picks(self, categories: Iterable[str]) -> list[PickQuestion]:
        """One choice per chunk of members of each named category, in the order of the menu."""
        wanted = set(categories)
        return [pick for group in self._groups if group.category.id in wanted for pick in self._picks_of(group)]

    def _relevance_of(self, group: Group) -> RelevanceQuestion:
        name, loss = group.category.id, Loss()
        about = bound_text(group.category.description or RELEVANCE_TRUE, MAX_CATEGORY_CHARS)
        lines = [_noted(loss, f"category:{name}", about)]
        if self._member_lines:
            lines.extend(_lines(group, MAX_MEMBER_LINES, loss))
        text = RELEVANCE_TEXT.format(category=_name(name, loss))
        question = Noul(text, "\n".join(lines), RELEVANCE_FALSE)
        id = self._ids["rel", name, 0]
        return RelevanceQuestion(id, name, question, _chars(id, question), loss)

    def _picks_of(self, group: Group) -> tuple[PickQuestion, ...]:
        name = group.category.id
        if name not in self._picks:
            chunks = _chunks(group, self._limits.tools_per_question)
            self._picks[name] = tuple(
                self._pick(name, members, number, len(chunks)) for number, members in enumerate(chunks)
            )
        return self._picks[name]

    def _pick(self, category: str, members: Sequence[Candidate], number: int, chunks: int) -> PickQuestion:
        loss = Loss()
        labels = _labels(members)
        criteria = _descriptions(labels, loss)
        criteria[NONE] = PICK_NONE
        question = Choice(PICK_TEXT.format(category=_name(category, loss)), criteria)
        id = self._ids["pick", category, number]
        return PickQuestion(
            id=id,
            category=category,
            question=question,
            tools={label: member.id for label, member in labels.items()},
            chunk=number + 1,
            chunks=chunks,
            chars=_chars(id, question),
            loss=loss,
        )


def _ids(groups: Sequence[Group], size: int) -> dict[tuple[str, str, int], str]:
    """`rel_<category>`, `pick_<category>`, `pick_<category>_<chunk>`; a hash is added where ids would collide."""
    names = [group.category.id for group in groups]
    wanted = [
        *(("rel", name, 0) for name in names),
        *(("pick", name, 0) for name in names),
        *(("pick", name, chunk) for name, group in zip(names, groups, strict=True) for chunk in _further(group, size)),
    ]
    taken: set[str] = set()
    ids: dict[tuple[str, str, int], str] = {}
    for kind, category, chunk in wanted:
        plain = f"{kind}_{_NO_WORD.sub('_', category)}" + (f"_{chunk}" if chunk else "")
        id, salt = plain, 0
        while id in taken:
            seed = canonical_json([category, chunk, salt])
            id, salt = f"{plain}_{hashlib.sha256(seed.encode()).hexdigest()[:8]}", salt + 1
        taken.add(id)
        ids[kind, category, chunk] = id
    return ids


def _further(group: Group, size: int) -> range:
    return range(1, -(-len(group.members) // size))


def _chunks(group: Group, size: int) -> list[tuple[Candidate, ...]]:
    return [group.members[start : start + size] for start in range(0, len(group.members), size)]


def _lines(group: Group, most: int, loss: Loss) -> Iterator[str]:
    shown = group.members[:most]
    for member in shown:
        description = _description(member, loss)
        yield f"{member.id}: {' '.join(description.split())}" if description else member.id
    left_out = sum(len(member.id) + len(member.description or "") for member in group.members[len(shown) :])
    if left_out:
        loss[f"members:{group.category.id}"] = left_out


def _descriptions(labels: Mapping[str, Candidate], loss: Loss) -> dict[str, str | None]:
    """Bounded; short plain texts, the common case, are looked at together."""
    texts = [member.description or "" for member in labels.values()]
    if max(map(len, texts)) <= MAX_TOOL_CHARS and sendable("".join(texts)):
        return {label: text or None for label, text in zip(labels, texts, strict=True)}
    return {label: _description(member, loss) for label, member in labels.items()}


def _description(member: Candidate, loss: Loss) -> str | None:
    if not member.description:
        return None
    return _noted(loss, f"tool:{member.id}", bound_text(member.description, MAX_TOOL_CHARS))


def _name(category: str, loss: Loss) -> str:
    return _noted(loss, f"name:{category}", bound_line(category, MAX_NAME_CHARS))


def _noted(loss: Loss, place: str, bounded: BoundedText) -> str:
    if bounded.lost:
        loss[place] = bounded.lost
    return bounded.text


def _chars(id: str, question: Question) -> int:
    return len(canonical_json({id: question.to_wire()}))


def _labels(members: Sequence[Candidate]) -> dict[str, Candidate]:
    """The ids as labels; a tool that is itself called `__none__` gets a label of its own."""
    labels = {member.id: member for member in members}
    if NONE not in labels:
        return labels
    ids = set(labels)
    labels = {}
    for member in members:
        label = member.id
        while label == NONE or (label != member.id and label in ids):
            label = f"tool {label}"
        labels[label] = member
    return labels
