"""Keeps child processes alive, and ends every one of them with itself."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

# Seconds. Asked to stop, children have this long before they are killed; Ctrl-C is over within five.
GRACE_S = 3.5
_TICK_S = 0.1
_BACKOFF_S = (0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
# A child that lived this long was well; its next death begins the back-off anew.
_WELL_AFTER_S = 20.0

Say = Callable[[str], None]


@dataclass
class Child:
    """One process, started in a session of its own, so that a terminal's Ctrl-C reaches the supervisor alone."""

    name: str
    command: Sequence[str]
    log: Path
    env: Mapping[str, str]
    cwd: Path
    pass_fds: tuple[int, ...] = ()
    process: subprocess.Popen[bytes] | None = field(default=None, init=False)
    started: float = field(default=0.0, init=False)
    due: float = field(default=0.0, init=False)
    deaths: int = field(default=0, init=False)

    def start(self) -> None:
        """Start the process; its stdin is a pipe that ends when the supervisor does, however it dies."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                env=self.env,
                cwd=self.cwd,
                pass_fds=self.pass_fds,
                start_new_session=True,
            )
        self.started = time.monotonic()

    def ended(self) -> int | None:
        """The exit code if the process has ended since the last look (negative: the signal that killed it)."""
        if self.process is None or (code := self.process.poll()) is None:
            return None
        self.kill()
        return code

    def ask_to_stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()

    def running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def kill(self) -> None:
        """End the whole process group: whatever the child itself has started goes with it."""
        if self.process is None:
            return
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        if self.process.stdin is not None:
            self.process.stdin.close()
        self.process = None

    def postpone(self, now: float) -> float:
        """Plan the next start; returns the seconds until then."""
        self.deaths = 1 if now - self.started >= _WELL_AFTER_S else self.deaths + 1
        wait_s = _BACKOFF_S[min(self.deaths, len(_BACKOFF_S)) - 1]
        self.due = now + wait_s
        return wait_s


class Supervisor:
    """Runs the children until a signal or `stop`; then nothing of them is left."""

    def __init__(self, children: Sequence[Child], *, say: Say, changed: Callable[[], None] = lambda: None) -> None:
        self.children = children
        self._say = say
        self._changed = changed
        self.stopping = threading.Event()
        # A plain number: a lock taken in a signal handler could be one that the interrupted code holds.
        self._signals = 0

    def run(self) -> None:
        """Start the children and tend them; returns when all have ended."""
        before = {number: signal.signal(number, self._on_signal) for number in _ending_signals()}
        try:
            for child in self.children:
                child.start()
            self._changed()
            while not (self._signals or self.stopping.is_set()):
                self._tend()
                time.sleep(_TICK_S)
        finally:
            self.end_all()
            for number, handler in before.items():
                signal.signal(number, handler)

    def stop(self) -> None:
        self.stopping.set()

    def end_all(self) -> None:
        """Ask every child to stop, wait for the grace, then kill what is left."""
        self.stopping.set()
        for child in self.children:
            child.ask_to_stop()
        deadline = time.monotonic() + GRACE_S
        # A second Ctrl-C does not wait for the grace.
        while time.monotonic() < deadline and self._signals < 2 and any(child.running() for child in self.children):
            time.sleep(_TICK_S / 2)
        for child in self.children:
            child.kill()

    def _tend(self) -> None:
        for child in self.children:
            now = time.monotonic()
            code = child.ended()
            if code is not None:
                wait_s = child.postpone(now)
                self._say(f"The {child.name} ended ({_reason(code)}) and starts again in {wait_s:g} s. See {child.log}")
                self._changed()
            elif child.process is None and now >= child.due:
                self._start_again(child)

    def _start_again(self, child: Child) -> None:
        try:
            child.start()
        except OSError as error:
            wait_s = child.postpone(time.monotonic())
            self._say(f"The {child.name} cannot be started ({error.strerror}); next try in {wait_s:g} s.")
        else:
            self._changed()

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        self._signals += 1


def _ending_signals() -> list[signal.Signals]:
    # Under nohup a hang-up is to be survived.
    ignored = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    return [signal.SIGINT, signal.SIGTERM] + ([] if ignored else [signal.SIGHUP])


def _reason(code: int) -> str:
    return f"killed by signal {-code}" if code < 0 else f"exit code {code}"
