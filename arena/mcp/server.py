"""A menu as an MCP server: it lists exactly its tools and hands every call on; what a call does is not its matter."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Protocol

import mcp_types as types
from mcp.server import Server
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import NotificationOptions
from mcp.server.models import InitializationOptions
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler
from mcp.shared.subscriptions import ToolsListChanged
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from arena.agents.agent import CallOutcome
from arena.catalogs.tool import Tool
from arena.mcp.bounds import Spent

NAME = "jev-arena"
_Context = ServerRequestContext[dict[str, Any]]


class Offer(Protocol):
    """What a server serves: its tools as they are now, and the way to each of them."""

    @property
    def tools(self) -> tuple[Tool, ...]: ...

    async def call(self, tool_id: str, arguments: Mapping[str, Any]) -> CallOutcome:
        """Carry out one call. Tools that it joined are part of `tools` when it returns."""
        ...

    async def refused(self, tool_id: str, arguments: Mapping[str, Any], error: str) -> None:
        """A call that the server itself refused, for the record."""
        ...


class ToolServer(Server[dict[str, Any]]):
    """Says that its list of tools may change, whatever it is served over."""

    def create_initialization_options(
        self,
        notification_options: NotificationOptions | None = None,
        experimental_capabilities: dict[str, dict[str, Any]] | None = None,
        extensions: dict[str, dict[str, Any]] | None = None,
    ) -> InitializationOptions:
        changing = notification_options or NotificationOptions(tools_changed=True)
        return super().create_initialization_options(changing, experimental_capabilities, extensions)


def server_of(offer: Offer, *, version: str = "") -> ToolServer:
    """The MCP server of one menu, for one program: its bounds are counted over all connections."""
    spent = Spent()
    bus = InMemorySubscriptionBus()

    async def list_tools(_: _Context, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[wire(tool) for tool in offer.tools])

    async def call_tool(ctx: _Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        arguments = params.arguments or {}
        if error := spent.refusal(arguments):
            await offer.refused(params.name, arguments, error)
            return _result(CallOutcome(False, error=error))
        outcome = await offer.call(params.name, arguments)
        if outcome.joined:
            await _say_changed(ctx, bus)
        return _result(outcome)

    return ToolServer(
        NAME,
        version=version,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_subscriptions_listen=ListenHandler(bus),
    )


def wire(tool: Tool) -> types.Tool:
    """The tool as MCP lists it; the hints say what the tool may do to the world it acts on."""
    hints = types.ToolAnnotations(
        read_only_hint=tool.effect == "observe",
        destructive_hint=tool.effect == "destructive",
        open_world_hint=False,
    )
    return types.Tool(name=tool.id, description=tool.description, input_schema=dict(tool.schema), annotations=hints)


async def _say_changed(ctx: _Context, bus: InMemorySubscriptionBus) -> None:
    # Since 2026-07-28 a client hears of changes where it asked for them, before that without asking.
    if ctx.protocol_version in MODERN_PROTOCOL_VERSIONS:
        await bus.publish(ToolsListChanged())
    else:
        await ctx.session.send_tool_list_changed()


def _result(outcome: CallOutcome) -> types.CallToolResult:
    said = outcome.content if outcome.ok else outcome.error or "The call was refused."
    text = said if isinstance(said, str) else json.dumps(said, ensure_ascii=False)
    return types.CallToolResult(content=[types.TextContent(text=text)], is_error=not outcome.ok)
