"""The catalog that a router chooses from: ordered, closed descriptors that never carry a handler (seed 002)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from policy.engine.plain import is_list, is_number, is_record, is_text
from policy.engine.routing.faults import Fault, RoutingRefused

MAX_TOOLS = 254
CLARIFICATION_ID = "needs_clarification"
KINDS = ("tool", "subagent")
PROPERTY_TYPES = ("string", "number", "boolean")
_ID = re.compile(r"[a-z][a-z0-9_]{0,63}")
_SCHEMA_KEYS = {"type", "properties", "required", "additionalProperties"}


@dataclass(frozen=True, slots=True)
class Property:
    """One argument: its name, `string`, `number` or `boolean`, and what it is."""

    name: str
    type: str
    description: str


@dataclass(frozen=True, slots=True)
class ToolDefinition:
    """A tool or sub-agent; `estimated_cost_units` are the host's relative units per use, not money."""

    id: str
    kind: str
    description: str
    estimated_cost_units: int | float
    properties: tuple[Property, ...] = ()
    required: tuple[str, ...] = ()

    def schema_json(self) -> dict[str, Any]:
        """A fresh copy of the closed input schema."""
        return {
            "type": "object",
            "properties": {each.name: {"type": each.type, "description": each.description} for each in self.properties},
            "required": list(self.required),
            "additionalProperties": False,
        }

    def shown_json(self) -> dict[str, Any]:
        """What an agent's context holds: no cost."""
        return {
            "id": self.id,
            "kind": self.kind,
            "description": self.description,
            "inputSchema": self.schema_json(),
        }

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "kind": self.kind,
            "description": self.description,
            "estimatedCostUnits": self.estimated_cost_units,
            "inputSchema": self.schema_json(),
        }


Catalog = tuple[ToolDefinition, ...]


def create_catalog(definitions: object) -> Catalog:
    """The checked catalog in the given order, detached from its input; raises `RoutingRefused` for the first fault.

    Unknown keys of a tool are dropped; an unknown keyword of a schema is a fault, because leaving it out would widen
    what the tool takes.
    """
    if not is_list(definitions) or len(definitions) > MAX_TOOLS:
        size = f"{len(definitions)} tools" if is_list(definitions) else f"a {type(definitions).__name__}"
        raise _refused(Fault.CATALOG_SIZE, f"a routing catalog is a list of at most {MAX_TOOLS} tools; got {size}")
    tools: dict[str, ToolDefinition] = {}
    for number, definition in enumerate(definitions, start=1):
        tool = _tool(definition, number, tools)
        tools[tool.id] = tool
    return tuple(tools.values())


def _tool(value: object, number: int, known: dict[str, ToolDefinition]) -> ToolDefinition:
    name = value.get("id") if is_record(value) else None
    if not is_record(value) or type(name) is not str or not _ID.fullmatch(name):
        cause = f"tool {number} has no id of 1 to 64 lower-case letters, digits and _; got {name!r:.80}"
        raise _refused(Fault.CATALOG_ID, f"{cause}; name it like read_file")
    if name == CLARIFICATION_ID or name in known:
        cause = "is kept for the answer that asks back" if name == CLARIFICATION_ID else "is used twice"
        raise _refused(Fault.CATALOG_ID, f"the tool id {name} {cause}; rename tool {number}")
    kind, description, cost = value.get("kind"), value.get("description"), value.get("estimatedCostUnits")
    if kind not in KINDS or type(kind) is not str:
        raise _refused(Fault.CATALOG_TOOL, f"tool {name} is of kind {kind!r:.80}; use {' or '.join(KINDS)}")
    if not is_text(description):
        raise _refused(Fault.CATALOG_TOOL, f"tool {name} has no description; say in a sentence what it does")
    if not is_number(cost) or cost < 0:
        raise _refused(Fault.CATALOG_TOOL, f"tool {name} costs {cost!r:.80} units; give a number, 0 or more")
    schema = _schema(name, value.get("inputSchema"))
    properties = tuple(_properties(name, schema["properties"]))
    return ToolDefinition(name, kind, description, cost, properties, _required(name, schema["required"], properties))


def _schema(tool: str, value: object) -> dict[str, Any]:
    closed = (
        is_record(value)
        and value.keys() == _SCHEMA_KEYS
        and value["type"] == "object"
        and value["additionalProperties"] is False
        and is_record(value["properties"])
        and is_list(value["required"])
    )
    if not closed or not is_record(value):
        wanted = "type object, properties, required and additionalProperties false, and nothing else"
        raise _refused(Fault.CATALOG_SCHEMA, f"the input schema of {tool} is no closed flat object; give it {wanted}")
    return value


def _properties(tool: str, properties: dict[str, Any]) -> Iterator[Property]:
    for name, rule in properties.items():
        fits = is_text(name) and is_record(rule) and rule.keys() == {"type", "description"}
        if not fits or type(rule["type"]) is not str or rule["type"] not in PROPERTY_TYPES:
            allowed = f"a type of {', '.join(PROPERTY_TYPES)} and a description, and nothing else"
            raise _refused(Fault.CATALOG_PROPERTY, f"the argument {name!r:.80} of {tool} needs {allowed}")
        if not is_text(rule["description"]):
            raise _refused(Fault.CATALOG_PROPERTY, f"the argument {name} of {tool} has no description; say what it is")
        yield Property(name, rule["type"], rule["description"])


def _required(tool: str, names: list[Any], properties: tuple[Property, ...]) -> tuple[str, ...]:
    declared = {each.name for each in properties}
    for number, name in enumerate(names):
        if type(name) is not str or name not in declared or name in names[:number]:
            cause = f"{tool} requires {name!r:.80}, which is undeclared or named twice"
            raise _refused(Fault.CATALOG_REQUIRED, f"{cause}; list each required argument of its properties once")
    return tuple(names)


def _refused(fault: Fault, message: str) -> RoutingRefused:
    return RoutingRefused(fault, message)
