"""Schemas that were not written here: what of JSON Schema they may hold, and arguments checked against them.

Nothing is fetched for a `$ref`, and patterns are left to the far side: a regular expression of a stranger could keep
this process busy for ever.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError as NotASchema
from jsonschema.exceptions import ValidationError, best_match
from referencing import Registry
from referencing.exceptions import Unresolvable

from arena.catalogs.schemas import SchemaError

MAX_BYTES = 32_000
MAX_DEPTH = 24
MAX_EXPANDED = 2_000
"""References that are followed in all: thirty that each name the next one twice would be a billion."""
_NOT_HERE = frozenset({"pattern", "patternProperties", "format", "$id", "$dynamicRef", "$recursiveRef"})
_VALUES = frozenset({"enum", "const", "default", "examples"})
_NAMED = frozenset({"properties", "$defs", "definitions", "dependentSchemas"})
_SHOWN_CHARS = 300


def checked(schema: object) -> dict[str, Any]:
    """The schema of a tool's arguments as it is kept; raises SchemaError with the place, the cause and the mend."""
    if not isinstance(schema, Mapping):
        raise SchemaError("schema", "it is missing or no object", 'write {"type": "object", "properties": {…}}')
    _measured(schema)
    kept = {"type": "object", "properties": {}, **schema}
    if kept["type"] != "object":
        raise SchemaError("schema.type", f"it is {kept['type']!r:.40}", 'arguments are one object: write "object"')
    kept["properties"] = _properties(kept["properties"])
    required = kept.get("required", [])
    if not isinstance(required, list) or not all(isinstance(name, str) for name in required):
        raise SchemaError("schema.required", "it is no list of names", 'write ["path"]')
    _local_references(kept, "schema")
    if _expanded(kept) > MAX_EXPANDED:
        raise SchemaError("schema.$defs", "its references multiply", f"keep to {MAX_EXPANDED:,} when followed")
    try:
        Draft202012Validator.check_schema(kept)
    except NotASchema as wrong:
        place = ".".join(["schema", *(str(part) for part in wrong.absolute_path)])
        raise SchemaError(place, f"it is no JSON Schema ({_short(wrong.message)})", "mend that part") from None
    except RecursionError:
        raise SchemaError("schema", "it is nested too deep", f"keep to {MAX_DEPTH} levels") from None
    return kept


def problem(schema: Mapping[str, Any], arguments: Mapping[str, Any]) -> str | None:
    """Why these arguments are refused, in a sentence; None if they fit (patterns are for the far side to check)."""
    validator = Draft202012Validator(_without_patterns(schema), registry=Registry())
    try:
        found = best_match(validator.iter_errors(dict(arguments)))
    except (Unresolvable, RecursionError):
        return "The schema of this tool cannot be followed; use another tool."
    return None if found is None else _sentence(found)


def _sentence(found: ValidationError) -> str:
    place = ".".join(str(part) for part in found.absolute_path)
    if found.validator == "required" and not place:
        return f"An argument is missing: {_short(found.message)}; add it."
    where = f"The argument {place[:80]}" if place else "The arguments"
    return f"{where} cannot be used: {_short(found.message)}; look at the tool's schema."


def _measured(schema: Mapping[str, Any]) -> None:
    try:
        size = len(json.dumps(schema, ensure_ascii=False, allow_nan=False).encode())
    except (ValueError, TypeError, RecursionError):
        raise SchemaError("schema", "it is no plain JSON", "leave out what JSON does not have") from None
    if size > MAX_BYTES:
        raise SchemaError("schema", f"it has {size:,} bytes", f"keep to {MAX_BYTES:,}")
    if _depth(schema) > MAX_DEPTH:
        raise SchemaError("schema", "it is nested too deep", f"keep to {MAX_DEPTH} levels")


def _depth(value: Any) -> int:
    """Levels of nesting, counted without recursion: the value is a stranger's."""
    deepest, left = 0, [(value, 1)]
    while left:
        each, level = left.pop()
        deepest = max(deepest, level)
        if level > MAX_DEPTH:
            return level
        if isinstance(each, Mapping):
            left += [(item, level + 1) for item in each.values()]
        elif isinstance(each, list):
            left += [(item, level + 1) for item in each]
    return deepest


def _properties(given: Any) -> dict[str, Any]:
    if not isinstance(given, Mapping):
        raise SchemaError("schema.properties", "it is no object", "write one entry per argument")
    kept: dict[str, Any] = {}
    for name, rule in given.items():
        if rule is True:
            rule = {}
        if not isinstance(rule, Mapping):
            raise SchemaError(f"schema.properties.{name}", "it is no object", "write an object with a type")
        kept[str(name)] = dict(rule)
    return kept


def _local_references(value: Any, place: str) -> None:
    """A reference may point into this schema only: nothing is looked up elsewhere."""
    if isinstance(value, Mapping):
        target = value.get("$ref")
        if isinstance(target, str) and not target.startswith("#"):
            raise SchemaError(f"{place}.$ref", f"it points outside ({target:.60})", "put the part under $defs")
        for name, item in value.items():
            _local_references(item, f"{place}.{name}")
    elif isinstance(value, list):
        for number, item in enumerate(value):
            _local_references(item, f"{place}[{number}]")


def _expanded(root: Mapping[str, Any]) -> int:
    """How many references a check would follow at most; one that leads back to itself counts once."""
    known: dict[str, int] = {}

    def count(value: Any, open_ones: frozenset[str]) -> int:
        if isinstance(value, list):
            return sum(count(item, open_ones) for item in value)
        if not isinstance(value, Mapping):
            return 0
        target = value.get("$ref")
        here = sum(count(item, open_ones) for name, item in value.items() if name != "$defs")
        if not isinstance(target, str) or target in open_ones:
            return here
        if target not in known:
            known[target] = 1 + count(_at(root, target), open_ones | {target})
        return here + known[target]

    return count(root, frozenset({"#"}))


def _at(root: Any, pointer: str) -> Any:
    """What a local reference such as `#/$defs/name` names; None where there is nothing."""
    found = root
    for part in pointer.removeprefix("#").strip("/").split("/"):
        part = part.replace("~1", "/").replace("~0", "~")
        found = found.get(part) if isinstance(found, Mapping) else None
    return found


def _without_patterns(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {
            name: item if name in _VALUES else _named(item) if name in _NAMED else _without_patterns(item)
            for name, item in value.items()
            if name not in _NOT_HERE
        }
    return [_without_patterns(item) for item in value] if isinstance(value, list) else value


def _named(parts: Any) -> Any:
    """Under `properties` the keys are names, whatever they are called."""
    return {name: _without_patterns(item) for name, item in parts.items()} if isinstance(parts, Mapping) else parts


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]}…"
