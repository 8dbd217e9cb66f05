"""A tool server as a process of its own: its own group, its own folder, bounded in what it may say, gone after use."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import anyio
import mcp_types
from anyio.abc import Process
from mcp.shared.message import SessionMessage

from arena.servers.target import Target
from arena.servers.trouble import ServerTrouble

MAX_MESSAGE_BYTES = 4_000_000
MAX_TOTAL_BYTES = 64_000_000
KEPT_WORDS = 600
GRACE_S = 1.0
_CLOSED = (anyio.ClosedResourceError, anyio.BrokenResourceError, anyio.EndOfStream, OSError)


class Words:
    """The last words of a server on its error output, for whoever must find out why it does not work."""

    def __init__(self) -> None:
        self.text = ""

    def add(self, chunk: bytes) -> None:
        self.text = (self.text + chunk.decode("utf-8", "replace"))[-KEPT_WORDS:]


@asynccontextmanager
async def streams(target: Target, words: Words) -> AsyncIterator[tuple[Any, Any]]:
    """Start the command and yield what the MCP library reads from and writes to; raises ServerTrouble."""
    with tempfile.TemporaryDirectory(prefix="jev-server-", ignore_cleanup_errors=True) as own:
        try:
            process = await anyio.open_process(
                list(target.command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=target.folder or own,
                env=target.environment,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            said = getattr(error, "strerror", None) or "it cannot be started"
            raise ServerTrouble(f"the program {target.command[0][:80]!r} cannot be started: {said}") from None
        try:
            async with _talking(process, words) as pair:
                yield pair
        finally:
            with anyio.CancelScope(shield=True):
                await _end(process)


@asynccontextmanager
async def _talking(process: Process, words: Words) -> AsyncIterator[tuple[Any, Any]]:
    to_session, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    outgoing, from_session = anyio.create_memory_object_stream[SessionMessage](0)
    async with anyio.create_task_group() as group:
        group.start_soon(_read, process, to_session, words)
        group.start_soon(_write, process, from_session, to_session)
        group.start_soon(_hear, process, words)
        try:
            yield incoming, outgoing
        finally:
            group.cancel_scope.cancel()
            for stream in (to_session, incoming, outgoing, from_session):
                stream.close()


async def _read(process: Process, to_session: Any, words: Words) -> None:
    """Line by line; a server that says too much is cut off, which the session sees as the end of the connection."""
    assert process.stdout is not None
    rest, total = b"", 0
    with suppress(*_CLOSED):
        async with to_session:
            async for chunk in process.stdout:
                total += len(chunk)
                *lines, rest = (rest + chunk).split(b"\n")
                if len(rest) > MAX_MESSAGE_BYTES or total > MAX_TOTAL_BYTES:
                    words.add(b"\n[it said more than is allowed and was cut off]")
                    return
                for line in lines:
                    if line.strip() and (message := _message(line)) is not None:
                        await to_session.send(message)


def _message(line: bytes) -> SessionMessage | None:
    """What is no message is passed over: some servers greet on their standard output."""
    if len(line) > MAX_MESSAGE_BYTES:
        return None
    try:
        return SessionMessage(mcp_types.jsonrpc_message_adapter.validate_json(line, by_name=False))
    except ValueError:
        return None


async def _write(process: Process, from_session: Any, to_session: Any) -> None:
    assert process.stdin is not None
    try:
        async for sent in from_session:
            text = sent.message.model_dump_json(by_alias=True, exclude_unset=True)
            await process.stdin.send(text.encode("utf-8", "replace") + b"\n")
    except _CLOSED:
        to_session.close()


async def _hear(process: Process, words: Words) -> None:
    assert process.stderr is not None
    with suppress(*_CLOSED):
        async for chunk in process.stderr:
            words.add(chunk)


async def _end(process: Process) -> None:
    """Ask it to go, wait a moment, then end the whole group: what it started goes with it."""
    assert process.stdin is not None
    with suppress(*_CLOSED):
        await process.stdin.aclose()
    if not await _gone(process, GRACE_S):
        _signal(process.pid, signal.SIGTERM)
        await _gone(process, GRACE_S)
    _signal(process.pid, signal.SIGKILL)
    await _gone(process, GRACE_S)
    for stream in (process.stdout, process.stderr):
        if stream is not None:
            with suppress(*_CLOSED):
                await stream.aclose()
    # It would otherwise be closed by the collector, after its loop; nothing public offers it.
    transport = getattr(getattr(process, "_process", None), "_transport", None)
    if transport is not None:
        transport.close()
        await anyio.sleep(0)


async def _gone(process: Process, seconds: float) -> bool:
    deadline = anyio.current_time() + seconds
    while process.returncode is None and anyio.current_time() < deadline:
        await anyio.sleep(0.01)
    return process.returncode is not None


def _signal(group: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)
