"""A menu on a world of its own, for whoever looks at our tools with a program of theirs: no lane, nothing is kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arena.agents.agent import CallOutcome
from arena.catalogs import schemas
from arena.catalogs.tool import Tool
from arena.worlds import calls
from arena.worlds.handlers import ToolError
from arena.worlds.world import World


class OwnWorld:
    """Carries out calls on its own copy of a world; what they change lasts as long as the server."""

    def __init__(self, menu: tuple[Tool, ...], world: World) -> None:
        self.tools = menu
        self._world = World.from_json(world.to_json())

    async def call(self, tool_id: str, arguments: Mapping[str, Any]) -> CallOutcome:
        tool = next((tool for tool in self.tools if tool.id == tool_id), None)
        if tool is None:
            return CallOutcome(False, error=f"There is no tool {tool_id!r} in this menu.")
        if refused := schemas.problem(tool.schema, arguments):
            return CallOutcome(False, error=refused)
        try:
            return CallOutcome(True, content=calls.call(tool, self._world, arguments).content)
        except ToolError as error:
            return CallOutcome(False, error=str(error))

    async def refused(self, tool_id: str, arguments: Mapping[str, Any], error: str) -> None:
        """Nothing is recorded here."""
