"""Required arguments that a call does not really give, by the tool's JSON schema: found before any judge is asked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from policy.engine.decisions import Action, Decision

RULE = "assessment.missing-argument"
MAX_DEPTH = 8

# Said for a value that is still to come. Words that a user may mean (none, unknown, example) are not among them.
_WORD = re.compile(r"(todo|tbd|tba|fixme|n/?a|null|nil|undefined|placeholder|x{3,})[.:!]*", re.IGNORECASE)
_BRACKETED = re.compile(r"<[^<>]+>|\{\{?[^{}]+\}?\}|\[[A-Za-z _-]+\]|\$\{[^{}]+\}|%[A-Za-z_]+%")
_MARKS = re.compile(r"[?….\-_*\s]+")


class Lack(StrEnum):
    """Why an argument counts as missing."""

    ABSENT = "absent"
    NULL = "null"
    EMPTY = "empty"
    PLACEHOLDER = "a placeholder"


@dataclass(frozen=True, slots=True)
class MissingArgument:
    """`path` is the argument's name, with dots and indices below the first level."""

    path: str
    lack: Lack

    def __str__(self) -> str:
        return f"{self.path} is {self.lack}"


def missing_arguments(schema: Mapping[str, Any], arguments: Mapping[str, Any]) -> tuple[MissingArgument, ...]:
    """Every required argument that is absent, null, empty or a placeholder, in the order of the schema.

    A value that the schema names (`enum`, `const`, a null type, `minLength` 0) is always one that was given.
    """
    return tuple(_lacking(schema, arguments, "", MAX_DEPTH))


def decide(schema: Mapping[str, Any], arguments: Mapping[str, Any]) -> Decision | None:
    """`ask` with the rule `assessment.missing-argument` where something required is missing, otherwise None."""
    found = missing_arguments(schema, arguments)
    if not found:
        return None
    return Decision(Action.ASK, RULE, f"required by the tool, but not given: {'; '.join(map(str, found))}")


def placeholder(value: str) -> bool:
    """Whether a text only holds the place of a value: `TODO`, `<id>`, `{{name}}`, `???`."""
    bare = value.strip()
    return any(pattern.fullmatch(bare) for pattern in (_WORD, _BRACKETED, _MARKS))


def _lacking(schema: Mapping[str, Any], value: Any, path: str, depth: int) -> Iterator[MissingArgument]:
    """What is missing inside a value that is there."""
    if not depth:
        return
    if isinstance(value, Mapping):
        for name in _required(schema):
            yield from _argument(_part(schema, "properties", name), value, name, path, depth)
    elif isinstance(value, list | tuple) and isinstance(items := schema.get("items"), Mapping):
        for index, item in enumerate(value):
            yield from _lacking(items, item, f"{path}[{index}]", depth - 1)


def _argument(
    schema: Mapping[str, Any], owner: Mapping[str, Any], name: str, path: str, depth: int
) -> Iterator[MissingArgument]:
    full = f"{path}.{name}" if path else name
    lack = _lack(schema, owner[name]) if name in owner else Lack.ABSENT
    if lack is not None:
        yield MissingArgument(full, lack)
    else:
        yield from _lacking(schema, owner[name], full, depth - 1)


def _lack(schema: Mapping[str, Any], value: Any) -> Lack | None:
    if value in _named(schema):
        return None
    if value is None:
        return None if "null" in _types(schema) else Lack.NULL
    if isinstance(value, str):
        if not value.strip():
            return None if schema.get("minLength") == 0 else Lack.EMPTY
        return Lack.PLACEHOLDER if placeholder(value) else None
    if isinstance(value, list | tuple) and not value:
        return Lack.EMPTY if schema.get("minItems") else None
    return None


def _named(schema: Mapping[str, Any]) -> Sequence[Any]:
    allowed = schema.get("enum")
    return [*(allowed if isinstance(allowed, list) else ()), *([schema["const"]] if "const" in schema else ())]


def _types(schema: Mapping[str, Any]) -> Sequence[Any]:
    named = schema.get("type")
    return named if isinstance(named, list) else [named]


def _required(schema: Mapping[str, Any]) -> list[str]:
    names = schema.get("required")
    listed = names if isinstance(names, list | tuple) else ()
    return list(dict.fromkeys(name for name in listed if isinstance(name, str)))


def _part(schema: Mapping[str, Any], section: str, name: str) -> Mapping[str, Any]:
    parts = schema.get(section)
    part = parts.get(name) if isinstance(parts, Mapping) else None
    return part if isinstance(part, Mapping) else {}
