"""The arguments of one selection as a value that can be stored and run again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from policy.engine.profile import Profile
from policy.engine.receipts.fields import field_of, optional, texts
from policy.engine.redaction import masked
from policy.engine.selection import QUESTION_SET, Candidate, Category, Mode, question_set_digest, select_tools
from policy.engine.selection.run import Steps


@dataclass(frozen=True, slots=True)
class SelectionCall:
    """What `select_tools` was called with; `steps` begins it anew."""

    task: str
    candidates: tuple[Candidate, ...]
    profile: Profile
    categories: tuple[Category, ...] = ()
    step: str | None = None
    always_allow: tuple[str, ...] = ()
    max_selected: int | None = None
    mode: Mode = Mode.ENFORCE
    ask_first: bool = False
    member_lines: bool = False

    kind: ClassVar[str] = "selection"

    def question_set(self) -> dict[str, str]:
        return {"name": QUESTION_SET, "sha256": question_set_digest()}

    def steps(self) -> Steps:
        return select_tools(
            task=self.task,
            candidates=self.candidates,
            categories=self.categories,
            profile=self.profile,
            step=self.step,
            always_allow=self.always_allow,
            max_selected=self.max_selected,
            mode=self.mode,
            ask_first=self.ask_first,
            member_lines=self.member_lines,
        )

    def to_json(self) -> dict[str, Any]:
        """The stored form, credentials in task and step masked: the requests had them masked, too."""
        return {
            "task": masked(self.task),
            "step": None if self.step is None else masked(self.step),
            "candidates": [candidate.to_json() for candidate in self.candidates],
            "categories": [category.to_json() for category in self.categories],
            "profile": self.profile.to_json(),
            "options": {
                "always_allow": list(self.always_allow),
                "max_selected": self.max_selected,
                "mode": self.mode.value,
                "ask_first": self.ask_first,
                "member_lines": self.member_lines,
            },
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> SelectionCall:
        """Read the stored form; raises `ValueError`, which names the field, for anything else."""
        options = field_of(value, "options", dict)
        return cls(
            task=field_of(value, "task", str),
            step=optional(value, "step", str),
            candidates=tuple(_candidate(item) for item in field_of(value, "candidates", list)),
            categories=tuple(_category(item) for item in field_of(value, "categories", list)),
            profile=Profile.from_json(field_of(value, "profile", dict)),
            always_allow=texts(options, "always_allow"),
            max_selected=optional(options, "max_selected", int),
            mode=Mode(field_of(options, "mode", str)),
            ask_first=field_of(options, "ask_first", bool),
            member_lines=field_of(options, "member_lines", bool),
        )


def _candidate(value: Mapping[str, Any]) -> Candidate:
    return Candidate(
        id=field_of(value, "id", str),
        categories=texts(value, "categories"),
        description=optional(value, "description", str),
        restricted=field_of(value, "restricted", bool),
        priority=optional(value, "priority", int),
    )


def _category(value: Mapping[str, Any]) -> Category:
    return Category(field_of(value, "id", str), optional(value, "description", str))
