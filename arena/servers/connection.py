"""One live connection to a tool server, used from a thread that may block; everything it does has a time limit."""

from __future__ import annotations

import math
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYet
from contextlib import ExitStack, asynccontextmanager
from typing import Any, TypeVar

import anyio
import mcp_types
from anyio.from_thread import start_blocking_portal
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError

from arena.catalogs.listed import MAX_TOOLS, Hints, Listed, Listing, ListingFault, entry, together
from arena.servers import stdio
from arena.servers.target import Target
from arena.servers.trouble import ServerTrouble
from policy.judges.http import tool_servers

CONNECT_S = 20.0
LIST_S = 20.0
CALL_S = 60.0
MAX_PAGES = 20
_LOOK_EVERY_S = 0.1
Came = TypeVar("Came")
Cancelled = Callable[[], bool]


class Connection:
    """Use it as a context manager. Opening raises `ServerTrouble`; so does every call once the server is gone."""

    def __init__(self, target: Target, *, connect_s: float = CONNECT_S) -> None:
        self._target = target
        self._connect_s = connect_s
        self._words = stdio.Words()
        self._stack = ExitStack()
        self.title = ""

    def __enter__(self) -> Connection:
        self._portal = self._stack.enter_context(start_blocking_portal("asyncio"))
        try:
            opening = self._portal.wrap_async_context_manager(self._client())
            self._session = self._stack.enter_context(opening)
        except BaseException as error:
            self._stack.close()
            if isinstance(error, Exception):
                raise self._trouble(error) from None
            raise
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._stack.close()
        except Exception:
            # What a server does while it is ended is its own business; its group is gone by now.
            return

    def tools(self) -> Listing:
        """What it lists now, checked; raises `ServerTrouble` and `ListingFault`."""
        return together(self._wait(self._listed, LIST_S, None), what="The server's list")

    def call(
        self, name: str, arguments: Mapping[str, Any], *, time_s: float = CALL_S, cancelled: Cancelled | None = None
    ) -> mcp_types.CallToolResult:
        """Call one tool; raises `ServerTrouble` for everything that is no result."""
        params = mcp_types.CallToolRequestParams(name=name, arguments=dict(arguments))

        async def ask() -> mcp_types.CallToolResult:
            # Not `call_tool`: that would check a stranger's result against a stranger's schema, patterns included.
            return await self._session.session.send_request(
                mcp_types.CallToolRequest(params=params), mcp_types.CallToolResult
            )

        return self._wait(ask, time_s, cancelled)

    @asynccontextmanager
    async def _client(self) -> AsyncIterator[Client]:
        target = self._target
        if target.base is None:
            transport: Any = stdio.streams(target, self._words)
            async with self._opened(transport) as client:
                yield client
            return
        async with (
            tool_servers.client(target.base, target.secrets, read_s=CALL_S) as http,
            self._opened(streamable_http_client(target.base.text, http_client=http)) as client,
        ):
            yield client

    @asynccontextmanager
    async def _opened(self, transport: Any) -> AsyncIterator[Client]:
        # One scope around the whole life: its deadline holds for the opening only, then it is lifted.
        with anyio.CancelScope(deadline=anyio.current_time() + self._connect_s) as scope:
            async with Client(transport, cache=None, read_timeout_seconds=self._connect_s) as client:
                scope.deadline = math.inf
                info = client.session.server_info
                self.title = self._target.scrubbed(str((info and (info.title or info.name)) or ""))[:200]
                yield client
        if scope.cancelled_caught:
            raise TimeoutError

    async def _listed(self) -> list[Listed]:
        found: list[Listed] = []
        cursor: str | None = None
        for _ in range(MAX_PAGES):
            request = mcp_types.ListToolsRequest(params=mcp_types.PaginatedRequestParams(cursor=cursor))
            page = await self._session.session.send_request(request, mcp_types.ListToolsResult)
            if len(found) + len(page.tools) > MAX_TOOLS:
                many = len(found) + len(page.tools)
                raise ListingFault("The server's list", "tools", f"holds {many} tools or more", f"keep to {MAX_TOOLS}")
            found += [self._entry(tool) for tool in page.tools]
            cursor = page.next_cursor
            if not cursor:
                return found
        raise ListingFault("The server's list", "pages", "do not end", f"send at most {MAX_PAGES}")

    def _entry(self, tool: mcp_types.Tool) -> Listed:
        notes = tool.annotations
        hints = Hints(notes.read_only_hint, notes.destructive_hint) if notes else Hints()
        scrubbed = self._target.scrubbed
        description, schema = scrubbed(tool.description), scrubbed(tool.input_schema)
        return entry("Tool", name=scrubbed(tool.name), description=description, schema=schema, hints=hints)

    def _wait(self, work: Callable[[], Awaitable[Came]], time_s: float, cancelled: Cancelled | None) -> Came:
        """Let it be done, no longer than `time_s`; a stop or the end of the time cancels it over there, too."""
        deadline = time.monotonic() + time_s
        doing: Future[Came] = self._portal.start_task_soon(work)
        while True:
            try:
                return doing.result(timeout=_LOOK_EVERY_S)
            except NotYet:
                if doing.done():
                    raise ServerTrouble("it did not answer in time") from None
                if time.monotonic() >= deadline:
                    doing.cancel()
                    raise ServerTrouble(f"it did not answer within {time_s:g} s") from None
                if cancelled is not None and cancelled():
                    doing.cancel()
                    raise ServerTrouble("the lane was stopped while it was asked") from None
            except (ListingFault, ServerTrouble):
                raise
            except Exception as error:
                raise self._trouble(error) from None

    def _trouble(self, error: Exception) -> ServerTrouble:
        """The cause in our words where we know it, in the server's (scrubbed, short) where it has said something."""
        own = _first(error, ServerTrouble)
        if own is not None:
            return ServerTrouble(str(own))
        said = _first(error, MCPError)
        http = tool_servers.trouble(error)
        if http is not None:
            return ServerTrouble(http)
        if _first(error, TimeoutError) is not None:
            cause = f"it did not answer within {self._connect_s:g} s"
        elif isinstance(said, MCPError) and said.code == mcp_types.CONNECTION_CLOSED:
            cause = "the connection ended"
        elif said is not None:
            cause = f"it answers with an error: {self._short(str(said))}"
        elif _first(error, ValidationError) is not None:
            cause = "its answer is not one of this protocol"
        else:
            cause = "the connection ended"
        return ServerTrouble(cause + self._last_words())

    def _last_words(self) -> str:
        words = self._short(self._words.text)
        return f". Its last words: {words}" if words else ""

    def _short(self, text: str) -> str:
        plain = "".join(char if char.isprintable() else " " for char in self._target.scrubbed(text))
        return " ".join(plain.split())[-400:]


def _first(error: BaseException, kind: type[BaseException]) -> BaseException | None:
    """The first of this kind in the error, its causes and its group."""
    seen: set[int] = set()
    left: list[BaseException | None] = [error]
    while left:
        each = left.pop()
        if each is None or id(each) in seen:
            continue
        seen.add(id(each))
        if isinstance(each, kind):
            return each
        left += [each.__cause__, each.__context__]
        if isinstance(each, BaseExceptionGroup):
            left += each.exceptions
    return None
