"""What the model may write in one step, as a JSON Schema that the server turns into a grammar.

One branch per tool of the menu, one for a question to the person, one for saying that no tool fits. The schema of a
tool is reduced to what a grammar can hold: it never refuses what the whole schema allows, and the toolbox still
checks every call against the whole one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena.catalogs.tool import Tool

_PLAIN = {"string", "integer", "number", "boolean", "null"}
ANYTHING: Mapping[str, Any] = {}


@dataclass(frozen=True, slots=True)
class Call:
    """A tool and its arguments, as the model wrote them."""

    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Question:
    """The model wants to know something from the person."""

    text: str


@dataclass(frozen=True, slots=True)
class NoneFits:
    """The model says that no tool of the menu fits."""

    text: str


Reply = Call | Question | NoneFits


class Malformed(ValueError):
    """What the model wrote is no reply of this grammar; the text says why."""


def of(menu: Sequence[Tool]) -> dict[str, Any]:
    """The schema of one step with this menu."""
    told = {"type": "string"}
    return {
        "oneOf": [
            *(_object({"tool": {"const": tool.id}, "arguments": reduced(tool.schema)}) for tool in menu),
            _object({"ask": told}),
            _object({"none": told}),
        ]
    }


def reduced(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Types, fields, items and fixed values of a schema; bounds, patterns and notes are left to the whole one."""
    if "const" in schema:
        return {"const": schema["const"]}
    if "enum" in schema:
        return {"enum": list(schema["enum"])}
    for word in ("anyOf", "oneOf"):
        if word in schema:
            return {"anyOf": [reduced(each) for each in schema[word]]}
    kind = schema.get("type")
    if isinstance(kind, list):
        return {"anyOf": [reduced({**schema, "type": each}) for each in kind]}
    if kind == "object":
        return _fields(schema)
    if kind == "array":
        items = schema.get("items")
        return {"type": "array", "items": reduced(items) if isinstance(items, Mapping) else {}}
    return {"type": kind} if kind in _PLAIN else dict(ANYTHING)


def _fields(schema: Mapping[str, Any]) -> dict[str, Any]:
    properties = schema.get("properties", {})
    if schema.get("additionalProperties", True) is not False and not properties:
        return {"type": "object"}
    named = {name: reduced(each) for name, each in properties.items()}
    required = [name for name in schema.get("required", ()) if name in named]
    closed = schema.get("additionalProperties", True) is False
    return {"type": "object", "properties": named, "required": required} | (
        {"additionalProperties": False} if closed else {}
    )


def read(text: str) -> Reply:
    """The reply that the model wrote; raises `Malformed`."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Malformed("The reply is no JSON: it was cut off, or the grammar was not kept.") from error
    match value:
        case {"tool": str(tool), "arguments": dict(arguments)}:
            return Call(tool, arguments)
        case {"ask": str(question)}:
            return Question(question.strip())
        case {"none": str(reason)}:
            return NoneFits(reason.strip())
    raise Malformed("The reply names neither a tool with its arguments, nor a question, nor that none fits.")


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
