"""The one way to call a built-in tool."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import arena.worlds.tools  # noqa: F401  registers every handler
from arena.catalogs import schemas
from arena.catalogs.tool import Tool
from arena.worlds import handlers
from arena.worlds.handlers import ToolError, ToolResult
from arena.worlds.world import World


def call(tool: Tool, world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Check the arguments, carry out the tool, apply its effects to `world`, return result and effects.

    Raises ToolError with a sentence for the agent; then nothing has changed. Effects are safe to
    apply twice, so a caller that rebuilds the world from events need not care who applied them first.
    """
    refused = schemas.problem(tool.schema, arguments)
    if refused:
        raise ToolError(refused)
    carry_out = handlers.find(tool.id)
    if carry_out is None:
        raise ToolError(f"The tool {tool.id} has no handler here; use another tool.")
    result = carry_out(world, arguments)
    world.apply(result.effects)
    return result
