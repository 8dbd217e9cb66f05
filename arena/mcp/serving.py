"""One loop in a thread of its own that serves a menu: over a keyed socket, over HTTP on the loopback, or both."""

from __future__ import annotations

import hmac
import secrets
import socket
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import wait
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import anyio
import anyio.lowlevel
import uvicorn
from anyio.abc import SocketStream, TaskStatus
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp.server.transport_security import TransportSecuritySettings
from starlette.types import ASGIApp, Receive, Scope, Send

from arena.mcp import bridge
from arena.mcp.bounds import MAX_LINE_CHARS
from arena.mcp.lines import messages
from arena.mcp.server import ToolServer

# Seconds that a connection may take to say its key, and a server to end.
KEY_S = 5.0
END_S = 5.0
_MAX_KEY = 200


@contextmanager
def loop() -> Iterator[BlockingPortal]:
    """The thread with its loop; everything that was started in it has ended when the block is left."""
    with start_blocking_portal() as portal:
        yield portal


@contextmanager
def over_socket(portal: BlockingPortal, server: ToolServer, place: Path, *, key: str) -> Iterator[tuple[str, ...]]:
    """Serve at a unix socket whose peers must know `key`; yields the command that an agent starts.

    The command needs `key` in its environment as `bridge.KEY`. Raises OSError where there can be no such socket.
    """

    async def serve(*, task_status: TaskStatus[None]) -> None:
        async with await anyio.create_unix_listener(place, mode=0o600) as listener:
            task_status.started()
            await listener.serve(lambda peer: _attend(peer, server, key))

    with _task(portal, serve):
        yield sys.executable, "-I", "-S", str(Path(bridge.__file__)), str(place)


def over_stdio(portal: BlockingPortal, server: ToolServer) -> None:
    """Serve at this process's standard input and output until either is closed."""
    ours, theirs = socket.socketpair()

    async def serve(*, task_status: TaskStatus[None]) -> None:
        peer = await SocketStream.from_socket(theirs)
        task_status.started()
        async with peer:
            await _talk(peer, server)

    with ours, _task(portal, serve):
        bridge.carry(0, 1, ours)


async def _attend(peer: SocketStream, server: ToolServer, key: str) -> None:
    async with peer:
        if not await _knows(peer, key):
            return
        await _talk(peer, server)


async def _talk(peer: SocketStream, server: ToolServer) -> None:
    async with messages(peer) as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


async def _knows(peer: SocketStream, key: str) -> bool:
    said = b""
    with anyio.move_on_after(KEY_S):
        try:
            # Byte by byte: what follows the line is the first message already.
            while not said.endswith(b"\n") and len(said) <= _MAX_KEY:
                said += await peer.receive(1)
        except (anyio.EndOfStream, anyio.BrokenResourceError):
            return False
    return hmac.compare_digest(said, key.encode() + b"\n")


@contextmanager
def over_http(portal: BlockingPortal, server: ToolServer, *, token: str, port: int = 0) -> Iterator[str]:
    """Serve streamable HTTP on the loopback for those who bear `token`; yields the URL. `port` 0 is a free one.

    Raises OSError where the port is taken.
    """
    sock = socket.create_server(("127.0.0.1", port))
    at = sock.getsockname()[1]
    hosts = TransportSecuritySettings(allowed_hosts=[f"127.0.0.1:{at}", f"localhost:{at}"], allowed_origins=[])
    app = server.streamable_http_app(transport_security=hosts, max_request_body_size=4 * MAX_LINE_CHARS)
    config = uvicorn.Config(
        _bearing(app, token), log_config=None, access_log=False, lifespan="on", timeout_graceful_shutdown=1
    )
    http = uvicorn.Server(config)

    with sock:
        over = portal.start_task_soon(http.serve, [sock])
        try:
            while not http.started and not over.done():
                time.sleep(0.01)
            yield f"http://127.0.0.1:{at}/mcp"
        finally:
            http.should_exit = True
            wait([over], timeout=END_S)
            over.cancel()


def _bearing(app: ASGIApp, token: str) -> ASGIApp:
    wanted = f"Bearer {token}".encode()

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        said = dict(scope.get("headers", ())).get(b"authorization", b"")
        if scope["type"] == "http" and not hmac.compare_digest(said, wanted):
            headers = [(b"content-type", b"text/plain"), (b"www-authenticate", b"Bearer")]
            await send({"type": "http.response.start", "status": 401, "headers": headers})
            await send({"type": "http.response.body", "body": b"The token of this tool server is missing or wrong.\n"})
            return
        await app(scope, receive, send)

    return guarded


def new_key() -> str:
    """A key for one server: 256 bits, good in a header and on a line."""
    return secrets.token_urlsafe(32)


@contextmanager
def _task(portal: BlockingPortal, serve: Callable[..., Any]) -> Iterator[None]:
    future, _ = portal.start_task(serve)
    try:
        yield
    finally:
        future.cancel()
        with suppress(RuntimeError):
            portal.call(anyio.lowlevel.checkpoint)
