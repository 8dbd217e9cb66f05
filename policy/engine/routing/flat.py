"""The flat form of a host's tools: what a routing catalog can say of them, and which tools it has to leave out.

A bound that the flat form has no keyword for is said in words, for the judge and the agent to read; the host goes on
checking calls against its own schema. An argument that cannot be said is left away where it is optional, which makes
the tool narrower and never wider; where it is required, the tool is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from policy.engine.bounds import bound_line
from policy.engine.routing.catalog import PROPERTY_TYPES, Catalog, create_catalog
from policy.engine.routing.faults import RoutingRefused
from policy.engine.selection.questions import MAX_TOOL_CHARS

_ROOT = {"type", "properties", "required", "additionalProperties", "title", "description", "$schema"}
_SAID = {"type", "description", "title", "enum", "minLength", "maxLength", "minimum", "maximum"}
_NESTED = {"array": "a list", "object": "an object"}


@dataclass(frozen=True, slots=True)
class HostTool:
    """A tool as its host knows it: `schema` is full JSON Schema, `cost_units` are relative units per use."""

    id: str
    description: str
    schema: Mapping[str, Any]
    cost_units: int | float
    prerequisites: tuple[str, ...] = ()
    kind: str = "tool"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A tool that the flat form cannot express, as a whole or in part, and why."""

    id: str
    reason: str

    def to_json(self) -> dict[str, str]:
        return {"id": self.id, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class Flat:
    """The derived catalog and its prerequisites; `loss` counts the code points cut from descriptions, by place.

    `left_out` are tools that are not in the catalog, `narrowed` tools in it that lack an optional argument.
    """

    catalog: Catalog
    dependencies: Mapping[str, tuple[str, ...]]
    left_out: tuple[LeftOut, ...]
    narrowed: tuple[LeftOut, ...] = ()
    loss: Mapping[str, int] = field(default_factory=dict)


class _Inexpressible(Exception):
    """The reason why a tool is left out."""


def flatten(tools: Iterable[HostTool]) -> Flat:
    """Derive the catalog in the order given; a tool that needs one that is left out is left out with it.

    Raises `RoutingRefused` when more than 254 tools remain: a router is never shown a part of a menu in silence.
    """
    kept: dict[str, HostTool] = {}
    definitions: dict[str, dict[str, Any]] = {}
    left_out: dict[str, str] = {}
    narrowed: list[LeftOut] = []
    loss: dict[str, int] = {}
    for tool in tools:
        if tool.id in kept:
            continue
        try:
            definitions[tool.id], lost, less = _definition(tool)
        except _Inexpressible as reason:
            left_out[tool.id] = str(reason)
            continue
        kept[tool.id] = tool
        narrowed += (LeftOut(tool.id, f"offered without: {reason}") for reason in less)
        loss |= {f"tool:{tool.id}": lost} if lost else {}
    left_out |= _without_their_needs(kept, left_out)
    remaining = [tool for tool in kept.values() if tool.id not in left_out]
    return Flat(
        catalog=create_catalog([definitions[tool.id] for tool in remaining]),
        dependencies={tool.id: tool.prerequisites for tool in remaining if tool.prerequisites},
        left_out=tuple(LeftOut(name, reason) for name, reason in left_out.items()),
        narrowed=tuple(each for each in narrowed if each.id not in left_out),
        loss={place: lost for place, lost in loss.items() if place.removeprefix("tool:") not in left_out},
    )


def _definition(tool: HostTool) -> tuple[dict[str, Any], int, list[str]]:
    """The checked flat definition, how many code points its description lost, and the arguments left away."""
    schema, less = _schema(tool.schema)
    description = bound_line(tool.description, MAX_TOOL_CHARS)
    definition = {
        "id": tool.id,
        "kind": tool.kind,
        "description": description.text,
        "estimatedCostUnits": tool.cost_units,
        "inputSchema": schema,
    }
    try:
        create_catalog([definition])
    except RoutingRefused as refused:
        raise _Inexpressible(str(refused)) from refused
    return definition, description.lost, less


def _schema(schema: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The flat schema, and in words what it lacks."""
    if unknown := sorted(set(schema) - _ROOT):
        raise _Inexpressible(f"its schema uses {unknown[0]}")
    if schema.get("type") != "object" or schema.get("additionalProperties") is not False:
        raise _Inexpressible("its schema takes arguments that it does not name")
    required = list(schema.get("required", []))
    properties: dict[str, dict[str, str]] = {}
    less: list[str] = []
    for name, rule in schema.get("properties", {}).items():
        try:
            properties[name] = _property(name, rule)
        except _Inexpressible as reason:
            if name in required:
                raise
            less.append(str(reason))
    flat = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    return flat, less


def _property(name: str, rule: object) -> dict[str, str]:
    kind = rule.get("type") if isinstance(rule, Mapping) else None
    if not isinstance(rule, Mapping) or not isinstance(kind, str):
        raise _Inexpressible(f"its argument {name} has no single type")
    if kind in _NESTED:
        raise _Inexpressible(f"its argument {name} is {_NESTED[kind]}")
    if kind not in (*PROPERTY_TYPES, "integer"):
        raise _Inexpressible(f"its argument {name} is of type {kind:.40}")
    if unknown := sorted(set(rule) - _SAID):
        raise _Inexpressible(f"its argument {name} uses {unknown[0]:.40}")
    words = " ".join([str(rule.get("description") or name), *_bounds(rule)])
    return {"type": "number" if kind == "integer" else kind, "description": words}


def _bounds(rule: Mapping[str, Any]) -> Iterator[str]:
    """The keywords that the flat form lacks, in words."""
    if rule["type"] == "integer":
        yield "A whole number."
    if "enum" in rule:
        yield f"One of: {', '.join(map(str, rule['enum']))}."
    if "minimum" in rule:
        yield f"At least {rule['minimum']}."
    if "maximum" in rule:
        yield f"At most {rule['maximum']}."
    if rule.get("minLength", 0) > 0:
        yield "Not empty." if rule["minLength"] == 1 else f"At least {rule['minLength']} characters."
    if "maxLength" in rule:
        yield f"At most {rule['maxLength']} characters."


def _without_their_needs(kept: Mapping[str, HostTool], left_out: Mapping[str, str]) -> dict[str, str]:
    """The tools that need one that is not offered, however far down."""
    missing: dict[str, str] = {}
    grew = True
    while grew:
        grew = False
        for tool in kept.values():
            absent = next((need for need in tool.prerequisites if need not in kept or need in missing), None)
            if absent is not None and tool.id not in missing:
                known = absent in left_out or absent in missing
                missing[tool.id] = f"it needs {absent}, which is {'left out' if known else 'not in the menu'}"
                grew = True
    return missing
