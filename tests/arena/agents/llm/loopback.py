"""A provider on this machine that the tests own: scripted replies, streamed in pieces of any size, requests kept.

Every request is checked against the vendor's own types as its SDK ships them, so that a request which the vendor would
refuse fails the test that sent it.
"""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Pieces = Callable[[bytes], Iterable[bytes]]
Check = Callable[[str, Mapping[str, Any]], None]


def one_byte(data: bytes) -> Iterator[bytes]:
    for at in range(len(data)):
        yield data[at : at + 1]


def random_sizes(seed: int, most: int = 64) -> Pieces:
    """Pieces of 1 to `most` bytes, the same for the same seed; characters and events are cut anywhere."""

    def cut(data: bytes) -> Iterator[bytes]:
        sizes = random.Random(seed)
        at = 0
        while at < len(data):
            size = sizes.randint(1, most)
            yield data[at : at + size]
            at += size

    return cut


def at_once(data: bytes) -> Iterator[bytes]:
    yield data


@dataclass(frozen=True, slots=True)
class Reply:
    """What the provider answers. `cut_after` ends the connection after so many bytes; `hold` waits before the rest."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = "text/event-stream"
    pieces: Pieces = at_once
    cut_after: int | None = None
    hold: threading.Event | None = None


def refusal(status: int, message: str = "No.", **headers: str) -> Reply:
    body = json.dumps({"error": {"message": message, "type": "error", "code": None}}).encode()
    return Reply(body, status, {name.replace("_", "-"): value for name, value in headers.items()}, "application/json")


NO_MORE = refusal(500, "the script of this test has no further reply")


@dataclass(frozen=True, slots=True)
class Asked:
    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]


Replies = Iterable[Reply] | Callable[[Asked], Reply]
"""In order, whoever asks; or for each request its own."""


class Provider:
    """`asked` are the requests in order; `problems` what a vendor's types had against them."""

    def __init__(self, replies: Replies, check: Check) -> None:
        self.asked: list[Asked] = []
        self.problems: list[str] = []
        self.address = ""
        self.hung_up = threading.Event()
        scripted = iter(() if callable(replies) else replies)
        self._reply = replies if callable(replies) else lambda asked: next(scripted, NO_MORE)
        self._check = check
        self._lock = threading.Lock()

    def take(self, asked: Asked) -> Reply:
        with self._lock:
            self.asked.append(asked)
            try:
                self._check(asked.path, asked.body)
            except Exception as problem:
                self.problems.append(f"{asked.path}: {problem}")
                return refusal(400, f"not as the vendor's types have it: {problem}")
            return self._reply(asked)


@contextmanager
def serving(replies: Replies, check: Check, prefix: str = "") -> Iterator[Provider]:
    """A provider on a free port of this machine; a request that the vendor's types refuse fails the test."""
    provider = Provider(replies, check)
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(provider))
    server.daemon_threads = True
    provider.address = f"http://127.0.0.1:{server.server_port}{prefix}"
    thread = threading.Thread(target=lambda: server.serve_forever(poll_interval=0.01), daemon=True)
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
    assert provider.problems == []


def _handler(provider: Provider) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            size = int(self.headers.get("content-length") or 0)
            body = json.loads(self.rfile.read(size))
            headers = {name.lower(): value for name, value in self.headers.items()}
            self._answer(provider.take(Asked(self.path, headers, body)))

        def do_GET(self) -> None:
            headers = {name.lower(): value for name, value in self.headers.items()}
            self._answer(provider.take(Asked(self.path, headers, {})))

        def _answer(self, reply: Reply) -> None:
            self.send_response(reply.status)
            for name, value in {"Content-Type": reply.content_type, **reply.headers}.items():
                self.send_header(name, value)
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            data = reply.body if reply.cut_after is None else reply.body[: reply.cut_after]
            try:
                for piece in reply.pieces(data):
                    self.wfile.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
                    self.wfile.flush()
                if reply.hold is not None:
                    self._hold(reply.hold)
                if reply.cut_after is None:
                    self.wfile.write(b"0\r\n\r\n")
                else:
                    self.close_connection = True
            except OSError:
                provider.hung_up.set()

        def _hold(self, released: threading.Event) -> None:
            """Say nothing more until released, or until the other side is gone."""
            self.connection.settimeout(0.02)
            while not released.is_set():
                try:
                    if self.connection.recv(1) == b"":
                        provider.hung_up.set()
                        self.close_connection = True
                        return
                except TimeoutError:
                    continue
                except OSError:
                    provider.hung_up.set()
                    self.close_connection = True
                    return

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing on the terminal."""

    return Handler
