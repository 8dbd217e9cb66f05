"""Whether the arguments of a call fit the whole schema of its tool, ours or a stranger's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arena.catalogs import foreign_schemas, schemas
from arena.catalogs.tool import Tool


def problem(tool: Tool, arguments: Mapping[str, Any]) -> str | None:
    """Why these arguments are refused, in a sentence for the agent; None if they fit."""
    if tool.foreign:
        return foreign_schemas.problem(tool.schema, arguments)
    return schemas.problem(tool.schema, arguments)
