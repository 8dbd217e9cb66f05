"""Requests to a server of our own on this machine: one connection each, no proxy, no redirect, a stop at any moment."""

from __future__ import annotations

import contextlib
import json
import queue
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from http.client import HTTPConnection, HTTPException, HTTPResponse
from typing import Any

HOST = "127.0.0.1"
MOST_BYTES = 8_000_000
_LOOK_EVERY_S = 0.1


class LoopbackFault(Exception):
    """What went wrong with a request, as a sentence."""


class Unreachable(LoopbackFault):
    """Nobody answers any more, or the answer broke off."""


class OutOfTime(LoopbackFault):
    """The answer did not come in time."""


class Called(LoopbackFault):
    """The one who asked does not want the answer any more."""


class Refused(LoopbackFault):
    """The server answered with an error; `status` is that of HTTP."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class Loopback:
    """Speaks JSON to `127.0.0.1:port`; every request carries the key."""

    def __init__(self, port: int, key: str) -> None:
        self.port = port
        self._key = key

    def post(
        self, path: str, body: Mapping[str, Any], *, timeout_s: float, cancelled: Callable[[], bool] = lambda: False
    ) -> dict[str, Any]:
        """The JSON object of the answer; raises `LoopbackFault`."""
        raw = b"".join(self._lines(path, body, timeout_s=timeout_s, cancelled=cancelled))
        return _object(raw)

    def stream(
        self, path: str, body: Mapping[str, Any], *, timeout_s: float, cancelled: Callable[[], bool]
    ) -> Iterator[dict[str, Any]]:
        """Every event of a streamed answer as it comes; raises `LoopbackFault`, also where it ends without `[DONE]`."""
        for line in self._lines(path, body, timeout_s=timeout_s, cancelled=cancelled):
            field, _, said = line.strip().partition(b":")
            if field == b"error":
                raise Refused(500, _message(said))
            if field != b"data":
                continue
            if said.strip() == b"[DONE]":
                return
            event = _object(said)
            if "error" in event:
                raise Refused(500, _message(said))
            yield event
        raise Unreachable("its answer broke off")

    def _lines(
        self, path: str, body: Mapping[str, Any], *, timeout_s: float, cancelled: Callable[[], bool]
    ) -> Iterator[bytes]:
        """The lines of an answer, read by a thread of their own: whoever waits can stop while nothing comes."""
        deadline = time.monotonic() + timeout_s
        connection = HTTPConnection(HOST, self.port, timeout=max(0.001, timeout_s) + 1.0)
        came: queue.SimpleQueue[bytes | LoopbackFault | None] = queue.SimpleQueue()
        reader = threading.Thread(
            target=_read, args=(connection, self._key, path, body, came), name="loopback", daemon=True
        )
        reader.start()
        try:
            while True:
                if cancelled():
                    raise Called("the answer is not wanted any more")
                left = deadline - time.monotonic()
                if left <= 0:
                    raise OutOfTime(f"it did not answer within {timeout_s:.3g} s")
                try:
                    line = came.get(timeout=min(left, _LOOK_EVERY_S))
                except queue.Empty:
                    continue
                if line is None:
                    return
                if isinstance(line, LoopbackFault):
                    raise line
                yield line
        finally:
            _hang_up(connection)
            reader.join(timeout=2.0)


def _read(
    connection: HTTPConnection,
    key: str,
    path: str,
    body: Mapping[str, Any],
    came: queue.SimpleQueue[bytes | LoopbackFault | None],
) -> None:
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    try:
        connection.request("POST", path, json.dumps(body).encode(), headers)
        response = connection.getresponse()
        if response.status != 200:
            came.put(Refused(response.status, _message(response.read(10_000))))
            return
        _pass_on(response, came)
        came.put(None)
    except (OSError, HTTPException, ValueError, AttributeError) as error:
        # AttributeError: the connection was closed under the reader, and http.client has lost its file.
        came.put(Unreachable(f"it does not answer ({type(error).__name__})"))
    finally:
        connection.close()


def _pass_on(response: HTTPResponse, came: queue.SimpleQueue[bytes | LoopbackFault | None]) -> None:
    size = 0
    while line := response.readline():
        size += len(line)
        if size > MOST_BYTES:
            came.put(Unreachable(f"its answer has more than {MOST_BYTES} bytes"))
            return
        came.put(line)


def _hang_up(connection: HTTPConnection) -> None:
    """Wake the reader; the server sees it and computes no further."""
    sock = connection.sock
    if sock is not None:
        with contextlib.suppress(OSError):
            sock.shutdown(socket.SHUT_RDWR)


def _object(raw: bytes) -> dict[str, Any]:
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise Unreachable("its answer is no JSON") from error
    if not isinstance(value, dict):
        raise Unreachable("its answer is no JSON object")
    return value


def _message(raw: bytes) -> str:
    """What the server says of its refusal, cut short; it is ours, and the one secret that it knows it never says."""
    try:
        found = json.loads(raw)
        error = found.get("error", found) if isinstance(found, dict) else found
        said = error.get("message", "") if isinstance(error, dict) else str(error)
    except (ValueError, RecursionError):
        said = raw.decode("utf-8", "replace")
    return " ".join(str(said).split())[:300] or "it gave no reason"
