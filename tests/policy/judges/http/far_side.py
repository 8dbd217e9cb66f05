"""Servers on this machine that misbehave as a test says, and what they were sent."""

from __future__ import annotations

import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Act = Callable[["Visit"], None]


@dataclass
class Visit:
    """One request as the far side has it, and the means to answer badly."""

    handler: BaseHTTPRequestHandler
    path: str
    headers: Mapping[str, str]
    body: bytes
    over: threading.Event

    def send(self, raw: bytes) -> None:
        self.handler.wfile.write(raw)
        self.handler.wfile.flush()


@dataclass
class FarSide:
    """Plays the acts in order, the last one again and again."""

    acts: tuple[Act, ...]
    url: str = ""
    visits: list[Visit] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)

    def act(self) -> Act:
        return self.acts[min(len(self.visits), len(self.acts)) - 1]


@contextmanager
def far_side(*acts: Act) -> Iterator[FarSide]:
    """A server that runs while the test does; a stalling one is let go at the end."""
    side = FarSide(acts)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            side.visits.append(Visit(self, self.path, headers, body, side.over))
            side.act()(side.visits[-1])

        do_GET = do_POST

        def log_message(self, *told: object) -> None:
            """Quiet."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        block_on_close = False

        def handle_error(self, *told: object) -> None:
            """A connection that a test breaks is no news."""

    server = Server(("127.0.0.1", 0), Handler)
    side.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield side
    finally:
        side.over.set()
        server.shutdown()
        server.server_close()
        thread.join()


def says(status: int, body: Any = b"", **headers: str) -> Act:
    """A whole reply; anything but bytes is sent as JSON. Header names are written with underscores."""
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()

    def act(visit: Visit) -> None:
        visit.handler.send_response(status)
        for name, value in headers.items():
            visit.handler.send_header(name.replace("_", "-"), value)
        visit.handler.send_header("Content-Length", str(len(raw)))
        visit.handler.end_headers()
        visit.send(raw)

    return act


def repeats_the_key(status: int) -> Act:
    """A far side that writes what it was sent, header included, wherever it can."""

    def act(visit: Visit) -> None:
        key = visit.headers.get("authorization", "")
        told = {"error": {"message": f"bad {key} for you"}, "detail": [{"loc": [key], "msg": key, "input": key}]}
        says(
            status,
            {**told, "model": key, "answers": {key: {"type": key}}, "usage": {key: key}},
            X_Request_Id=key,
            Location=f"http://elsewhere.example/{key.split()[-1]}",
            WWW_Authenticate=key,
        )(visit)

    return act


def stalls(visit: Visit) -> None:
    """Takes the request and says nothing more until the test is over."""
    visit.over.wait(5)
    visit.handler.close_connection = True


def drips(visit: Visit) -> None:
    """Sends its header one byte at a time, each long before any time-out of a single read."""
    for byte in b"HTTP/1.1 200 OK\r\n" + b"X-Wait: yes\r\n" * 400:
        if visit.over.wait(0.01):
            break
        try:
            visit.send(bytes([byte]))
        except OSError:
            break
    visit.handler.close_connection = True


def resets(visit: Visit) -> None:
    """Breaks the connection in the middle of the reply."""
    visit.send(b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"model": "jev-')
    visit.handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    visit.handler.connection.close()
    visit.handler.close_connection = True


def hangs_up(visit: Visit) -> None:
    """Closes without a word."""
    visit.handler.connection.shutdown(socket.SHUT_RDWR)
    visit.handler.close_connection = True


def endless(visit: Visit) -> None:
    """A reply without a length that does not end by itself."""
    visit.send(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n")
    try:
        while not visit.over.is_set():
            visit.send(b" " * 65_536)
    except OSError:
        visit.handler.close_connection = True


def announces(size: int) -> Act:
    """Says how long its reply is, and then nothing more."""

    def act(visit: Visit) -> None:
        visit.send(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % size)
        stalls(visit)

    return act


def nobody() -> str:
    """An address where nothing listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}"
