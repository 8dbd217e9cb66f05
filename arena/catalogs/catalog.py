"""A catalog: the tools of a host in order, their categories, and what a tool needs before it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self

from arena.catalogs.tool import Tool


@dataclass(frozen=True, slots=True)
class Category:
    id: str
    title: str
    description: str

    def to_json(self) -> dict[str, str]:
        return {"id": self.id, "title": self.title, "description": self.description}


@dataclass(frozen=True, slots=True)
class Catalog:
    """Immutable; `load` and `from_json` are the only makers, so every instance has passed the checks."""

    tools: tuple[Tool, ...]
    categories: tuple[Category, ...]

    def tool(self, tool_id: str) -> Tool:
        """The tool of this id; raises KeyError with a sentence."""
        for tool in self.tools:
            if tool.id == tool_id:
                return tool
        raise KeyError(f"the catalog has no tool {tool_id}")

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(tool.id for tool in self.tools)

    def members(self, category_id: str) -> tuple[Tool, ...]:
        """The tools of one category in catalog order."""
        return tuple(tool for tool in self.tools if tool.category == category_id)

    def with_prerequisites(
        self, ids: Iterable[str], *, available: Collection[str] | None = None
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What must join `ids`: the prerequisites to add and those that are needed but not `available`.

        Both in catalog order and without `ids` themselves. A host with a blocked prerequisite
        withholds the whole menu (seed 002, tool bundle). None means that every tool is available.
        """
        roots = set(ids)
        needed: set[str] = set()
        open_ids = list(roots)
        while open_ids:
            for prerequisite in self.tool(open_ids.pop()).prerequisites:
                if prerequisite not in needed:
                    needed.add(prerequisite)
                    open_ids.append(prerequisite)
        joining = [tool_id for tool_id in self.ids if tool_id in needed - roots]
        blocked = tuple(tool_id for tool_id in joining if available is not None and tool_id not in available)
        return tuple(tool_id for tool_id in joining if tool_id not in blocked), blocked

    @property
    def digest(self) -> str:
        """SHA-256 of the canonical JSON; the order of tools counts, the order of keys does not."""
        canonical = json.dumps(self.to_json(), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return hashlib.sha256(canonical.encode()).hexdigest()

    def to_json(self) -> dict[str, Any]:
        return {
            "categories": [category.to_json() for category in self.categories],
            "tools": [tool.to_json() for tool in self.tools],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """The catalog of a snapshot; a snapshot was checked when it was loaded."""
        tools = ({**entry, "prerequisites": tuple(entry["prerequisites"])} for entry in data["tools"])
        return cls(
            tools=tuple(Tool(**entry) for entry in tools),
            categories=tuple(Category(**entry) for entry in data["categories"]),
        )
