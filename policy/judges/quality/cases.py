"""Labelled cases from JSON lines: tasks with a menu, calls with a question, pairs of a clear and a vague task."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from policy.engine import call_questions


class BrokenCases(ValueError):
    """A file of cases cannot be used; the message names the file, the line, the field and the mend."""


@dataclass(frozen=True, slots=True)
class SelectionCase:
    """A task, the tools to choose from (id to description) and those that are right; none where nothing fits."""

    id: str
    lang: str | None
    task: str
    tools: Mapping[str, str | None]
    acceptable: frozenset[str]


@dataclass(frozen=True, slots=True)
class CallCase:
    """A call, one of the three questions about it, its right answer; `required` where the tool's schema is known."""

    id: str
    lang: str | None
    kind: str
    task: str
    restrictions: tuple[str, ...]
    tool: str
    arguments: Mapping[str, Any]
    required: tuple[str, ...] | None
    label: bool


@dataclass(frozen=True, slots=True)
class VaguePair:
    """Two tasks about the same: one says what is wanted, one leaves it open."""

    id: str
    lang: str | None
    clear: str
    vague: str


Case = SelectionCase | CallCase | VaguePair


@dataclass(frozen=True, slots=True)
class Cases:
    """The cases of one file; `sha256` is over its bytes."""

    name: str
    sha256: str
    all: tuple[Case, ...]


def read(path: Path) -> Cases:
    """The cases of a file, each line recognised by its fields; raises `BrokenCases`."""
    try:
        raw = path.read_bytes()
        lines = raw.decode().splitlines()
    except OSError as error:
        raise BrokenCases(f"{path} cannot be read ({error.strerror}); name a file of labelled cases.") from error
    except UnicodeDecodeError as error:
        raise BrokenCases(f"{path} is not UTF-8 text; name a file with one JSON object per line.") from error
    found = tuple(_cases(path.name, lines))
    if not found:
        raise BrokenCases(f"{path} has no cases; write one JSON object per line.")
    return Cases(path.name, hashlib.sha256(raw).hexdigest(), found)


def _cases(name: str, lines: Sequence[str]) -> Iterator[Case]:
    """Every case once: one that counts twice makes the intervals narrower than they are."""
    seen: dict[str, int] = {}
    for number, line in enumerate(lines, start=1):
        if line.strip():
            row = _Row(f"{name}, line {number}", _object(name, number, line))
            if line.strip() in seen:
                raise BrokenCases(f"{row.place} repeats line {seen[line.strip()]}; leave one of them out.")
            seen[line.strip()] = number
            yield row.case()


def _object(name: str, number: int, line: str) -> Mapping[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BrokenCases(f"{name}, line {number} is not JSON ({error}); correct that line.") from error
    if not isinstance(value, dict):
        raise BrokenCases(f"{name}, line {number} is no JSON object; write one object per line.")
    return value


@dataclass(frozen=True, slots=True)
class _Row:
    place: str
    fields: Mapping[str, Any]

    def case(self) -> Case:
        if "tools" in self.fields:
            return self._selection()
        if "tool" in self.fields:
            return self._call()
        if "vague" in self.fields:
            return VaguePair(self._id(), self._lang(), self._text("clear"), self._text("vague"))
        raise self._broken("tools", "is missing, and so are tool and vague, so it is no known kind of case; add one")

    def _selection(self) -> SelectionCase:
        tools: dict[str, str | None] = {}
        for tool in self._list("tools"):
            known = isinstance(tool, dict) and isinstance(tool.get("id"), str) and tool["id"]
            told = tool.get("description") if isinstance(tool, dict) else None
            if not known or not isinstance(told, str | None):
                raise self._broken("tools", "holds a tool without a text id and description; give it both")
            if tool["id"] in tools:
                raise self._broken("tools", f"holds {tool['id'][:40]} twice; leave one of them out")
            tools[tool["id"]] = told
        acceptable = self._texts("acceptable")
        if unknown := sorted(set(acceptable) - set(tools)):
            raise self._broken("acceptable", f"names {', '.join(unknown)}, which is not among the tools; add it there")
        if not tools:
            raise self._broken("tools", "is empty; list at least one tool")
        return SelectionCase(self._id(), self._lang(), self._text("task"), tools, frozenset(acceptable))

    def _call(self) -> CallCase:
        kind = self._text("kind")
        if kind not in call_questions.QUESTIONS:
            raise self._broken("kind", f"is {kind[:40]!r}; use one of {', '.join(call_questions.QUESTIONS)}")
        label, arguments = self.fields.get("label"), self.fields.get("arguments")
        if label not in (0, 1):
            raise self._broken("label", "is not 0 or 1; write 1 where the right answer is yes, otherwise 0")
        if not isinstance(arguments, dict):
            raise self._broken("arguments", "is no object; write the arguments of the call as an object")
        required = self._texts("required") if "required" in self.fields else None
        rules = self._texts("restrictions") if "restrictions" in self.fields else ()
        return CallCase(
            id=self._id(),
            lang=self._lang(),
            kind=kind,
            task=self._text("task"),
            restrictions=rules,
            tool=self._text("tool"),
            arguments=arguments,
            required=required,
            label=bool(label),
        )

    def _id(self) -> str:
        return self._text("id")

    def _lang(self) -> str | None:
        return self._text("lang") if "lang" in self.fields else None

    def _text(self, field: str) -> str:
        value = self.fields.get(field)
        if not isinstance(value, str) or not value.strip():
            raise self._broken(field, "is missing or no text; write it as text")
        return value

    def _list(self, field: str) -> list[Any]:
        value = self.fields.get(field)
        if not isinstance(value, list):
            raise self._broken(field, "is missing or no list; write it as a list")
        return value

    def _texts(self, field: str) -> tuple[str, ...]:
        values = self._list(field)
        if not all(isinstance(value, str) for value in values):
            raise self._broken(field, "holds something other than text; write every entry as text")
        return tuple(values)

    def _broken(self, field: str, trouble: str) -> BrokenCases:
        return BrokenCases(f'{self.place}: field "{field}" {trouble}.')
