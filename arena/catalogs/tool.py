"""A tool as an agent and a judge see it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

FIND_TOOL = "find_tool"
"""The name of the tool that searches beyond a menu, where a lane offers it; it is in no catalog."""
ToolEffect = Literal["observe", "modify", "destructive"]
COST_OF_EFFECT: Mapping[ToolEffect, int] = {"observe": 1, "modify": 3, "destructive": 5}


@dataclass(frozen=True, slots=True)
class Tool:
    """One entry of a catalog. `cost_units` are the host's relative units, not money; `schema` is JSON Schema.

    A file that names no cost gets that of the effect: reading is cheaper than changing, and that than destroying.
    `foreign` tools are of a catalog of the user's own: their texts are a stranger's, their schema is full JSON Schema.
    `origin` is what the tool is called where it really runs, `files.read_file`; empty where there is no such place.
    """

    id: str
    category: str
    description: str
    schema: Mapping[str, Any]
    effect: ToolEffect
    cost_units: int = 1
    prerequisites: tuple[str, ...] = field(default=())
    origin: str = ""
    foreign: bool = False

    @property
    def required(self) -> tuple[str, ...]:
        return tuple(self.schema.get("required", ()))

    @property
    def properties(self) -> Mapping[str, Mapping[str, Any]]:
        properties: Mapping[str, Mapping[str, Any]] = self.schema.get("properties", {})
        return properties

    def to_wire(self) -> dict[str, Any]:
        """The tool as an LLM's request would carry it; token estimates count these bytes."""
        return {"name": self.id, "description": self.description, "input_schema": dict(self.schema)}

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "category": self.category,
            "description": self.description,
            "schema": dict(self.schema),
            "effect": self.effect,
            "cost_units": self.cost_units,
            "prerequisites": list(self.prerequisites),
            # Left out for the built-in tools, so that the digest of their catalog stays what it was.
            **({"origin": self.origin} if self.origin else {}),
            **({"foreign": True} if self.foreign else {}),
        }
