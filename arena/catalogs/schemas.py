"""The small part of JSON Schema that tools of this house may use, and the check of arguments against it.

A tool takes one closed object. Its properties are strings, numbers, booleans or lists of strings
or numbers. Anything else is refused when a catalog is loaded, so that no keyword is ever ignored.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

MAX_STRING_CHARS = 16_000
"""Longest string argument in code points (seed 002, tool server limits)."""

_ROOT_KEYWORDS = {"type", "properties", "required", "additionalProperties"}
_COMMON = {"type", "description", "enum"}
_KEYWORDS = {
    "string": _COMMON | {"minLength", "maxLength"},
    "integer": _COMMON | {"minimum", "maximum"},
    "number": _COMMON | {"minimum", "maximum"},
    "boolean": {"type", "description"},
    "array": {"type", "description", "items", "minItems", "maxItems"},
}
_ITEM_TYPES = ("string", "integer", "number")
_NOUNS = {
    "string": "a string",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
}


class SchemaError(ValueError):
    """A schema outside the subset: `field` is the dotted place, `cause` and `mend` are for people."""

    def __init__(self, field: str, cause: str, mend: str) -> None:
        super().__init__(f"{field}: {cause}; {mend}.")
        self.field = field
        self.cause = cause
        self.mend = mend


def closed(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema with what may be left out filled in, after checking that it stays in the subset."""
    complete = {"type": "object", "additionalProperties": False, "properties": {}, "required": [], **schema}
    _refuse_keywords("schema", complete, _ROOT_KEYWORDS)
    if complete["type"] != "object" or complete["additionalProperties"] is not False:
        raise SchemaError("schema", "it is no closed object", 'write type = "object", additionalProperties = false')
    properties, required = complete["properties"], complete["required"]
    if not isinstance(properties, Mapping):
        raise SchemaError("schema.properties", "it is no table", "write one table per argument")
    for name, rule in properties.items():
        _check_property(f"schema.properties.{name}", rule)
    if not isinstance(required, list) or any(name not in properties for name in required):
        raise SchemaError("schema.required", "it is no list of known arguments", "list names from schema.properties")
    return complete


def problem(schema: Mapping[str, Any], arguments: Mapping[str, Any]) -> str | None:
    """Why these arguments are refused, in a sentence that names argument, cause and mend; None if they fit."""
    properties: Mapping[str, Mapping[str, Any]] = schema["properties"]
    for name in arguments:
        if name not in properties:
            return f"There is no argument {_quoted(name)}; leave it out, the arguments are {', '.join(properties)}."
    for name in schema["required"]:
        if name not in arguments:
            return f"The argument {name} is missing; add it as {_NOUNS[properties[name]['type']]}."
    for name, value in arguments.items():
        fault = _fault(properties[name], value)
        if fault:
            return f"The argument {name} {fault}."
    return None


def _check_property(field: str, rule: object) -> None:
    if not isinstance(rule, Mapping):
        raise SchemaError(field, "it is no table", "write a table with type and description")
    kind = rule.get("type")
    if not isinstance(kind, str) or kind not in _KEYWORDS:
        raise SchemaError(f"{field}.type", f"{kind!r} is not supported", f"use one of {', '.join(_KEYWORDS)}")
    _refuse_keywords(field, rule, _KEYWORDS[kind])
    if not isinstance(rule.get("description"), str) or not rule["description"].strip():
        raise SchemaError(f"{field}.description", "it is missing", "say in a few words what the argument is")
    _check_values(field, kind, rule)
    if kind == "array":
        _check_items(f"{field}.items", rule.get("items"))


def _check_items(field: str, items: object) -> None:
    if not isinstance(items, Mapping) or items.get("type") not in _ITEM_TYPES:
        raise SchemaError(field, "lists hold strings or numbers", f"give items a type of {', '.join(_ITEM_TYPES)}")
    _refuse_keywords(field, items, _KEYWORDS[items["type"]])
    _check_values(field, items["type"], items)


def _check_values(field: str, kind: str, rule: Mapping[str, Any]) -> None:
    for keyword in ("minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum"):
        bound = rule.get(keyword, 0)
        whole = keyword not in ("minimum", "maximum")
        if not _TYPES["integer" if whole else "number"](bound) or (whole and bound < 0):
            raise SchemaError(f"{field}.{keyword}", f"{bound!r} is no bound", "write a number")
    if "enum" in rule:
        options = rule["enum"]
        if not isinstance(options, list) or not options or not all(_TYPES[kind](option) for option in options):
            raise SchemaError(f"{field}.enum", f"it is no list of {kind} values", "list the allowed values")


def _refuse_keywords(field: str, rule: Mapping[str, Any], known: set[str]) -> None:
    for keyword in rule:
        if keyword not in known:
            raise SchemaError(f"{field}.{keyword}", "this keyword is not supported", f"use {', '.join(sorted(known))}")


def _fault(rule: Mapping[str, Any], value: object) -> str | None:
    kind = rule["type"]
    if not _TYPES[kind](value):
        return f"is {_described(value)}; send {_NOUNS[kind]}"
    if "enum" in rule and value not in rule["enum"]:
        return f"is {_quoted(value)}; send one of {', '.join(str(option) for option in rule['enum'])}"
    if isinstance(value, str):
        return _size_fault(len(value), "characters", rule.get("minLength", 0), rule.get("maxLength", MAX_STRING_CHARS))
    if isinstance(value, list):
        faults = (_fault(rule["items"], item) for item in value)
        inner = next((f"holds an entry that {fault}" for fault in faults if fault), None)
        return inner or _size_fault(len(value), "entries", rule.get("minItems", 0), rule.get("maxItems", 100))
    return _bound_fault(value, rule)


def _size_fault(size: int, unit: str, least: int, most: int) -> str | None:
    if size < least:
        return f"has {size} {unit}; send at least {least}"
    return f"has {size} {unit}; send at most {most}" if size > most else None


def _bound_fault(value: Any, rule: Mapping[str, Any]) -> str | None:
    if "minimum" in rule and value < rule["minimum"]:
        return f"is {value}; send at least {rule['minimum']}"
    return f"is {value}; send at most {rule['maximum']}" if "maximum" in rule and value > rule["maximum"] else None


def _is_integer(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: object) -> bool:
    return _is_integer(value) or (isinstance(value, float) and math.isfinite(value))


_TYPES: dict[str, Callable[[object], bool]] = {
    "string": lambda value: isinstance(value, str),
    "integer": _is_integer,
    "number": _is_number,
    "boolean": lambda value: isinstance(value, bool),
    "array": lambda value: isinstance(value, list),
}


def _described(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, float) and not math.isfinite(value):
        return "not a finite number"
    return next((_NOUNS[kind] for kind, fits in _TYPES.items() if fits(value)), f"a {type(value).__name__}")


def _quoted(value: object) -> str:
    text = str(value)
    return repr(text if len(text) <= 80 else text[:77] + "...")
