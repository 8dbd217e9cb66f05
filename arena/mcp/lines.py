"""MCP over a stream of bytes: one JSON message a line, as over standard input and output, with a longest line."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import anyio
import mcp_types as types
from anyio.abc import ByteStream
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from arena.mcp.bounds import MAX_LINE_CHARS

Incoming = MemoryObjectReceiveStream[SessionMessage | Exception]
Outgoing = MemoryObjectSendStream[SessionMessage]
_GONE = (anyio.BrokenResourceError, anyio.ClosedResourceError, anyio.EndOfStream)
# Where every program that we know of writes it; the rest of a line that is too long is not read.
_ID = re.compile(r'"id"\s*:\s*(\d+|"[^"\\]*")')
_HEAD_CHARS = 300
# Seconds for the answers to what was asked before the other side closed its end.
LAST_S = 1.0


@asynccontextmanager
async def messages(stream: ByteStream) -> AsyncIterator[tuple[Incoming, Outgoing]]:
    """The two message streams of a server over `stream`; both end when the other side is gone."""
    to_server, incoming = anyio.create_memory_object_stream[SessionMessage | Exception]()
    outgoing, to_client = anyio.create_memory_object_stream[SessionMessage]()
    lock = anyio.Lock()
    open_ids: set[str | int] = set()

    async def send(text: str) -> None:
        async with lock:
            await stream.send(text.encode() + b"\n")

    async def read() -> None:
        async with to_server:
            with suppress(*_GONE):
                async for line in _lines(stream):
                    await take(line)
            # The other side says no more, and is still there for what it has asked.
            with anyio.move_on_after(LAST_S):
                while open_ids:
                    await anyio.sleep(0.01)

    async def take(line: bytes | _TooLong) -> None:
        if isinstance(line, _TooLong):
            await send(line.answer)
            return
        try:
            message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
        except ValidationError as error:
            await to_server.send(error)
            return
        if isinstance(message, types.JSONRPCRequest):
            open_ids.add(message.id)
        await to_server.send(SessionMessage(message))

    async def write() -> None:
        with suppress(*_GONE):
            async with to_client:
                async for each in to_client:
                    await send(each.message.model_dump_json(by_alias=True, exclude_unset=True))
                    if isinstance(each.message, types.JSONRPCResponse | types.JSONRPCError):
                        open_ids.discard(each.message.id or 0)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(read)
        tasks.start_soon(write)
        yield incoming, outgoing
        tasks.cancel_scope.cancel()


class _TooLong:
    """A line over the bound; only its head was kept."""

    def __init__(self, head: str) -> None:
        found = _ID.search(head[:_HEAD_CHARS])
        error = {"code": types.INVALID_REQUEST, "message": f"A message may have {MAX_LINE_CHARS} characters at most."}
        told = json.loads(found[1]) if found else None
        self.answer = json.dumps({"jsonrpc": "2.0", "id": told, "error": error})


async def _lines(stream: ByteStream) -> AsyncIterator[bytes | _TooLong]:
    kept = b""
    head: str | None = None
    async for chunk in stream:
        *whole, rest = (kept + chunk).split(b"\n")
        for line in whole:
            if head is not None or _chars(line) > MAX_LINE_CHARS:
                yield _TooLong(head or line.decode(errors="replace"))
                head = None
            elif line.strip():
                yield line
        kept = rest
        if head is not None or _chars(kept) > MAX_LINE_CHARS:
            head = head or kept.decode(errors="replace")[:_HEAD_CHARS]
            kept = b""


def _chars(line: bytes) -> int:
    return len(line) if len(line) <= MAX_LINE_CHARS else len(line.decode(errors="replace"))
