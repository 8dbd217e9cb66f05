"""Codex CLI as a process of one lane: its lines come into the lane's inbox, and it always comes to an end."""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from arena.agents.codex import keeper
from arena.agents.codex.home import Home

logger = logging.getLogger("jev.codex")
MOST_OUTPUT_BYTES = 1_000_000
"""Of standard output (seed 002); what is more ends the lane."""
END_S = 10.0


@dataclass(frozen=True, slots=True)
class Line:
    """One line of standard output."""

    text: bytes


@dataclass(frozen=True, slots=True)
class Over:
    """Standard output has ended, or `flooded` the bound."""

    flooded: bool = False


class Process:
    """A running Codex CLI; `exit_code` waits for its end."""

    def __init__(self, child: subprocess.Popen[bytes]) -> None:
        self._child = child

    def exit_code(self) -> int | None:
        """Waits up to END_S seconds; None where the process did not end by itself."""
        try:
            return self._child.wait(timeout=END_S)
        except subprocess.TimeoutExpired:
            return None

    def end(self) -> None:
        """Say so on the life line: the keeper ends the whole group, by force where need be."""
        assert self._child.stdin is not None
        with suppress(BrokenPipeError):
            self._child.stdin.write(b".")
            self._child.stdin.flush()
        with suppress(BrokenPipeError):
            self._child.stdin.close()
        try:
            self._child.wait(timeout=END_S)
        except subprocess.TimeoutExpired:
            logger.error("the keeper of Codex CLI does not end", extra={"pid": self._child.pid})
            self._child.kill()
            self._child.wait()


@contextmanager
def started(
    line: Sequence[str], home: Home, environment: Mapping[str, str], put: Callable[[Line | Over], None]
) -> Iterator[Process]:
    """Start the process; whatever happens in the block, nothing of it is left afterwards."""
    child = subprocess.Popen(
        [sys.executable, "-I", "-S", str(Path(keeper.__file__)), str(home.prompt), *line],
        cwd=home.work,
        env=dict(environment),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        # What a program says there may hold credentials, and nobody reads it.
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    assert child.stdout is not None
    reader = threading.Thread(target=_read, args=(child.stdout, put), name="codex", daemon=True)
    reader.start()
    process = Process(child)
    try:
        yield process
    finally:
        process.end()
        reader.join(timeout=END_S)
        child.stdout.close()


def _read(stdout: IO[bytes], put: Callable[[Line | Over], None]) -> None:
    read = 0
    while line := stdout.readline(MOST_OUTPUT_BYTES):
        read += len(line)
        if read >= MOST_OUTPUT_BYTES:
            put(Over(flooded=True))
            return
        put(Line(line))
    put(Over())
