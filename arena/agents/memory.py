"""What the calls of a lane have returned so far, searchable by argument."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from arena.agents import words
from arena.catalogs.tool import Tool

Scalar = str | int | float | bool


@dataclass(frozen=True, slots=True)
class Step:
    """One call that returned something."""

    tool: Tool
    arguments: Mapping[str, Any]
    content: Any


@dataclass(frozen=True, slots=True)
class Record:
    """One object of a result; `label` holds the stems of the key that it came under, or of the tool that gave it."""

    label: frozenset[str]
    fields: Mapping[str, Any]

    def text(self) -> str:
        return " ".join(str(value) for value in scalars(self.fields))

    def name(self) -> str:
        """How a person would tell the record from others: its id and its first two other short texts."""
        named = [value for key, value in self.fields.items() if key == "id" or key.endswith("_id")][:1]
        named += [
            value
            for key, value in self.fields.items()
            if value not in named and not key.endswith("_id") and isinstance(value, str) and 0 < len(value) <= 80
        ][:3]
        return ", ".join(str(value) for value in named)


@dataclass(slots=True)
class Memory:
    """The results of one lane, oldest first."""

    steps: list[Step] = field(default_factory=list)
    refusals: dict[str, str] = field(default_factory=dict)

    def called(self, tool: Tool, arguments: Mapping[str, Any] | None = None) -> bool:
        return any(step.tool.id == tool.id and arguments in (None, step.arguments) for step in self.steps)

    def refused(self, tool: Tool, arguments: Mapping[str, Any]) -> str:
        """The refusal of this very call earlier in the lane, or an empty text."""
        return self.refusals.get(_signature(tool, arguments), "")

    def refuse(self, tool: Tool, arguments: Mapping[str, Any], error: str) -> None:
        self.refusals[_signature(tool, arguments)] = error

    def holders(self, argument: str) -> list[tuple[Scalar, Record]]:
        """The values that may stand for `argument`, with their records, from the newest result that has any.

        A field of the same name fits; so does the `id` of a record of that kind: `order_id` takes the id of an order.
        """
        for step in reversed(self.steps):
            found: dict[Scalar, Record] = {}
            for record in records(step):
                value = _value_for(argument, record)
                if value is not None:
                    found.setdefault(value, record)
            if found:
                return list(found.items())
        return []

    def given(self, argument: str) -> list[Scalar]:
        """Values that an earlier call took under the same argument name, newest first."""
        values = (step.arguments.get(argument) for step in reversed(self.steps))
        return [value for value in values if isinstance(value, str | int | float)]


def records(step: Step) -> Iterator[Record]:
    """Every object of a result, outer ones first."""
    yield from _walk(step.content, frozenset(words.content_words(step.tool.id)))


def scalars(content: Any) -> Iterator[Scalar]:
    """Every single value of a result, in order; None is left out."""
    if isinstance(content, Mapping):
        for value in content.values():
            yield from scalars(value)
    elif isinstance(content, Sequence) and not isinstance(content, str):
        for value in content:
            yield from scalars(value)
    elif content is not None:
        yield content


_SUMS = ("amount", "total", "sum")


def kind_of(argument: str) -> frozenset[str]:
    """The stems of what an argument identifies: `order_id` is about an order."""
    return frozenset(words.content_words(argument)) - {"id", "ids"}


def is_empty(content: Any) -> bool:
    """True for a result that lists records and has none."""
    if isinstance(content, Mapping):
        lists = [value for value in content.values() if isinstance(value, list)]
        return bool(lists) and not lists[0]
    return content in ([], "", None)


def _signature(tool: Tool, arguments: Mapping[str, Any]) -> str:
    return f"{tool.id} {json.dumps(arguments, sort_keys=True, ensure_ascii=False)}"


def _walk(content: Any, label: frozenset[str]) -> Iterator[Record]:
    if isinstance(content, Mapping):
        yield Record(label, content)
        for key, value in content.items():
            if isinstance(value, Mapping | list):
                yield from _walk(value, frozenset(words.content_words(key)))
    elif isinstance(content, list):
        for value in content:
            yield from _walk(value, label)


def _value_for(argument: str, record: Record) -> Scalar | None:
    names = _SUMS if argument in _SUMS else (argument,)
    value = next((record.fields[name] for name in names if name in record.fields), None)
    if value is None and kind_of(argument) and kind_of(argument) <= record.label:
        value = record.fields.get("id")
    return value if isinstance(value, str | int | float) else None
