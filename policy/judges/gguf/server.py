"""The one model server of a worker process: started with the first question, ended with the process.

The model lives in a child process on a loopback port of its own behind a key of its own: a fault in it costs an
answer, never a lane of somebody else, and its memory is given back. The process that serves pages never starts one.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import queue
import secrets
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from policy.judges.gguf.file import ModelFile
from policy.judges.http.loopback import Loopback, OutOfTime, Unreachable

CONTEXT = 8_192
# Both lanes of a run keep their own place, so that neither pushes the other's prompt out of memory.
SLOTS = 2
REMEMBERED_MIB = 256
THREADS = max(1, min(8, (os.cpu_count() or 1) // 2))
START_S = 120.0
DIED = "The model's server died in the middle of an answer; the next question starts another."
CHILD = "policy.judges.gguf.child"
ROOT = Path(__file__).parents[3]

_forbidden = ""
_lock = threading.Lock()
_server: Server | None = None


class ServerFault(Exception):
    """The model cannot be asked: the sentence says why."""


class NotHere(ServerFault):
    """This process loads no model."""


@dataclass(slots=True)
class _Child:
    """One started process, the line that it will say, and the way to it once it has said where it is."""

    process: subprocess.Popen[str]
    model: ModelFile
    key: str
    says: queue.SimpleQueue[str]
    until: float
    wire: Loopback | None = None
    decides: bool | None = None

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    def ready(self, timeout_s: float) -> Loopback:
        """Waits for the model to be loaded; raises `OutOfTime`, and `ServerFault` where it will never be.

        Whoever has no time left goes, and the loading goes on: the next one finds it further.
        """
        if self.wire is None:
            try:
                said = _read(self.says.get(timeout=max(0.0, timeout_s)))
            except queue.Empty:
                if time.monotonic() < self.until:
                    raise OutOfTime("the model is still being loaded") from None
                said = {"error": f"it was not ready within {START_S:.0f} s"}
            if "port" not in said:
                end(self.process)
                raise ServerFault(f"The model {self.model.name} could not be loaded: {said['error']}.")
            self.wire = Loopback(int(said["port"]), self.key)
        return self.wire


class Server:
    """Starts the child when it is first asked, and again when it has died or the file has changed."""

    def __init__(
        self, *, threads: int = THREADS, context: int = CONTEXT, program: str = f"{__package__}.child"
    ) -> None:
        self._threads, self._context, self._program = threads, context, program
        self._child: _Child | None = None
        self._starting = threading.Lock()

    def post(
        self,
        model: ModelFile,
        path: str,
        body: Mapping[str, Any],
        *,
        timeout_s: float,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> dict[str, Any]:
        """One answer of the model; raises `ServerFault` and `LoopbackFault`."""
        deadline = time.monotonic() + timeout_s
        child, wire = self._running(model, deadline)
        with _told(child):
            return wire.post(path, body, timeout_s=deadline - time.monotonic(), cancelled=cancelled)

    def stream(
        self,
        model: ModelFile,
        path: str,
        body: Mapping[str, Any],
        *,
        timeout_s: float,
        cancelled: Callable[[], bool],
    ) -> Iterator[dict[str, Any]]:
        """The events of one streamed answer; raises as `post` does."""
        deadline = time.monotonic() + timeout_s
        child, wire = self._running(model, deadline)
        with _told(child):
            yield from wire.stream(path, body, timeout_s=deadline - time.monotonic(), cancelled=cancelled)

    def decides(self, model: ModelFile, probe: Callable[[], bool], *, timeout_s: float) -> bool:
        """Whether the file is a decision model; `probe` is asked once per started server."""
        child, _ = self._running(model, time.monotonic() + timeout_s)
        if child.decides is None:
            child.decides = probe()
        return child.decides

    def close(self) -> None:
        """End the child; the next question starts another."""
        # Whoever waits for it to load holds the lock; the end of the process does not wait for that.
        held = self._starting.acquire(timeout=1.0)
        child, self._child = self._child, None
        if child is not None:
            end(child.process)
        if held:
            self._starting.release()

    @property
    def pid(self) -> int | None:
        """The process that holds the model now, if one does."""
        return self._child.process.pid if self._child is not None else None

    def _running(self, model: ModelFile, deadline: float) -> tuple[_Child, Loopback]:
        if _forbidden:
            raise NotHere(_forbidden)
        if not self._starting.acquire(timeout=max(0.0, deadline - time.monotonic())):
            raise OutOfTime("the model is still being loaded")
        try:
            child = self._child
            if child is not None and (not child.alive or child.model.sha256 != model.sha256):
                end(child.process)
                child = None
            if child is None:
                child = self._child = self._started(model)
            return child, child.ready(deadline - time.monotonic())
        finally:
            self._starting.release()

    def _started(self, model: ModelFile) -> _Child:
        key = secrets.token_urlsafe(32)
        process = subprocess.Popen(
            [sys.executable, "-m", self._program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=ROOT,
            env=_surroundings(),
        )
        assert process.stdin is not None
        order = {
            "file": str(model.path),
            "key": key,
            "threads": self._threads,
            "context": self._context,
            "slots": SLOTS,
            "remembered_mib": REMEMBERED_MIB,
        }
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(json.dumps(order) + "\n")
            process.stdin.flush()
        return _Child(process, model, key, _first_line(process), time.monotonic() + START_S)


@contextlib.contextmanager
def _told(child: _Child) -> Iterator[None]:
    """A broken answer of a server that is gone is told as what it is."""
    try:
        yield
    except Unreachable as error:
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.process.wait(timeout=0.5)
        if child.alive:
            raise
        raise ServerFault(DIED) from error


def shared() -> Server:
    """The server of this process; a forked process gets its own."""
    global _server
    with _lock:
        if _server is None:
            _server = Server()
            atexit.register(_server.close)
        return _server


def forbid(reason: str) -> None:
    """From now on no model is loaded for this process: `reason` is the sentence that whoever asks gets."""
    global _forbidden
    _forbidden = reason


def _forget() -> None:
    """After a fork: the parent's child is not ours, neither to ask nor to end."""
    global _server
    _server = None


os.register_at_fork(after_in_child=_forget)


def _surroundings() -> dict[str, str]:
    """No key of ours and nothing that could make a library speak to somebody goes to the child."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL", "TMPDIR", "SYSTEMROOT") if name in os.environ}
    return {**kept, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "HF_HUB_OFFLINE": "1"}


def _first_line(process: subprocess.Popen[str]) -> queue.SimpleQueue[str]:
    """Where the child's one answer will come."""
    came: queue.SimpleQueue[str] = queue.SimpleQueue()
    assert process.stdout is not None
    stdout = process.stdout
    threading.Thread(target=lambda: came.put(stdout.readline()), name="model", daemon=True).start()
    return came


def _read(line: str) -> dict[str, Any]:
    """What the child said: its port, or why it has none."""
    try:
        found = json.loads(line)
    except ValueError:
        found = None
    return found if isinstance(found, dict) and found else {"error": "its process ended at once"}


def end(process: subprocess.Popen[str]) -> None:
    """End a child. Closing its input is the request to end; one that does not listen is killed."""
    with contextlib.suppress(OSError):
        if process.stdin is not None:
            process.stdin.close()
    try:
        process.wait(timeout=2.0)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdout is not None:
        process.stdout.close()
