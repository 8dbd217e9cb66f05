"""What a built-in tool does: a registry of handlers and the one way to call them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from arena.worlds.world import Effect, World


class ToolError(Exception):
    """A call that the tool refuses; the text names the argument, the cause and the mend."""


class ToolBroke(ToolError):
    """A call that failed by no fault of its arguments: the far side of the tool went away."""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a call returned (JSON) and what it changed."""

    content: Any
    effects: tuple[Effect, ...] = field(default=())


Handler = Callable[[World, Mapping[str, Any]], ToolResult]
_handlers: dict[str, Handler] = {}


def handler(tool_id: str) -> Callable[[Handler], Handler]:
    """Register the function that carries out `tool_id`."""

    def register(function: Handler) -> Handler:
        if tool_id in _handlers:
            raise ValueError(f"two handlers for the tool {tool_id}")
        _handlers[tool_id] = function
        return function

    return register


def find(tool_id: str) -> Handler | None:
    return _handlers.get(tool_id)
