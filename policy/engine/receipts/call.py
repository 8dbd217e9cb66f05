"""The arguments of one selection as a value that can be stored and run again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from policy.engine.profile import Profile
from policy.engine.selection import Candidate, Category, Mode, select_tools
from policy.engine.selection.run import Steps

Kind = TypeVar("Kind")


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
        return {
            "task": self.task,
            "step": self.step,
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
            step=_optional(value, "step", str),
            candidates=tuple(_candidate(item) for item in field_of(value, "candidates", list)),
            categories=tuple(_category(item) for item in field_of(value, "categories", list)),
            profile=Profile.from_json(field_of(value, "profile", dict)),
            always_allow=_texts(options, "always_allow"),
            max_selected=_optional(options, "max_selected", int),
            mode=Mode(field_of(options, "mode", str)),
            ask_first=field_of(options, "ask_first", bool),
            member_lines=field_of(options, "member_lines", bool),
        )


def field_of(value: object, name: str, kind: type[Kind]) -> Kind:
    """The field of a stored object, of exactly that kind."""
    item = value.get(name) if isinstance(value, Mapping) else None
    if not isinstance(item, kind) or (isinstance(item, bool) and kind is not bool):
        raise ValueError(f'"{name}" is not a {kind.__name__}')
    return item


def _optional(value: Mapping[str, Any], name: str, kind: type[Kind]) -> Kind | None:
    return None if value.get(name) is None else field_of(value, name, kind)


def _texts(value: Mapping[str, Any], name: str) -> tuple[str, ...]:
    items = field_of(value, name, list)
    if not all(isinstance(item, str) for item in items):
        raise ValueError(f'"{name}" is not a list of texts')
    return tuple(items)


def _candidate(value: Mapping[str, Any]) -> Candidate:
    return Candidate(
        id=field_of(value, "id", str),
        categories=_texts(value, "categories"),
        description=_optional(value, "description", str),
        restricted=field_of(value, "restricted", bool),
        priority=_optional(value, "priority", int),
    )


def _category(value: Mapping[str, Any]) -> Category:
    return Category(field_of(value, "id", str), _optional(value, "description", str))
