"""A whole site in a folder of its own, driven from outside: its terminal, its API, its processes."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeVar
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

PROJECT = Path(__file__).resolve().parent.parent.parent
UP = [sys.executable, str(PROJECT / "manage.py"), "up", "--port", "0"]
# Lanes take a second or two, and a lost one is noticed in three.
PACE = {"AGENT_PAUSE_S": "0.4", "LANE_LEASE_S": "3", "REAP_EVERY_S": "0.3", "REPUBLISH_AFTER_S": "1"}
FINAL = frozenset({"complete", "partial", "failed", "stopped", "abandoned"})
T = TypeVar("T")
Role = Literal["web", "worker", "reaper"]
_open = build_opener(ProxyHandler({})).open


def until(look: Callable[[], T], *, within_s: float = 30) -> T:
    """The first true value that `look` gives; fails the test when none comes in time."""
    deadline = time.monotonic() + within_s
    while not (seen := look()):
        assert time.monotonic() < deadline, f"nothing after {within_s} s"
        time.sleep(0.05)
    return seen


@dataclass
class Site:
    """One `manage.py up`; `start` again after an end is the same folder's next life."""

    folder: Path
    env: Mapping[str, str] = field(default_factory=dict)
    process: subprocess.Popen[bytes] | None = None
    address: str = ""

    @property
    def terminal(self) -> Path:
        return self.folder.parent / "terminal.txt"

    def environment(self) -> dict[str, str]:
        return {**os.environ, **PACE, **self.env, "JEV_VAR": str(self.folder)}

    def start(self, *options: str) -> str:
        """Start and wait for the ready line; returns what the terminal shows until then."""
        with self.terminal.open("wb") as terminal:
            self.process = subprocess.Popen(
                [*UP, *options],
                stdin=subprocess.DEVNULL,
                stdout=terminal,
                stderr=subprocess.STDOUT,
                env=self.environment(),
                start_new_session=True,
                # Under nohup these tests inherit an ignored hang-up, which the site would respect.
                preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL),
            )
        ready = until(lambda: re.findall(r"is ready: (http://\S+)", self.shown()), within_s=60)
        self.address = ready[0]
        return self.shown()

    def shown(self) -> str:
        return self.terminal.read_text(encoding="utf-8")

    def end(self, with_signal: signal.Signals = signal.SIGINT) -> int:
        """Send the supervisor a signal and wait for it; returns the exit code."""
        assert self.process is not None
        self.process.send_signal(with_signal)
        return self.process.wait(timeout=15)

    def processes(self) -> dict[int, str]:
        """Every living process of this folder, by the variable that all of them carry: number and command line."""
        mark = f"JEV_VAR={self.folder}".encode()
        found: dict[int, str] = {}
        for entry in Path("/proc").iterdir():
            if not entry.name.isdecimal():
                continue
            try:
                if mark in (entry / "environ").read_bytes().split(b"\0") and not _is_zombie(entry):
                    found[int(entry.name)] = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            except OSError:
                continue
        return found

    def pid(self, role: Role) -> int:
        pids = [pid for pid, command in self.processes().items() if f"jevsite.children {role}" in command]
        assert len(pids) == 1, f"{role}: {pids}"
        return pids[0]

    def call(self, path: str, body: object = None) -> Any:
        """The JSON answer of the API."""
        data = None if body is None else json.dumps(body).encode()
        request = Request(self.address + path, data, {"Content-Type": "application/json"})
        try:
            with _open(request, timeout=20) as answer:
                return json.load(answer)
        except HTTPError as refused:
            return json.load(refused)

    def page(self, path: str) -> str:
        with _open(self.address + path, timeout=20) as answer:
            text: str = answer.read().decode()
        return text

    def begin(self, *arms: str) -> str:
        """Start a run of arms that no judge can withhold; returns when every lane has taken a step."""
        wanted = arms or ("full",)
        run: str = self.call("/api/arena/runs", {"case": "patch", "arms": wanted})["id"]
        until(lambda: len(self._begun(run)) == len(wanted))
        return run

    def _begun(self, run: str) -> set[str]:
        return {event["lane"] for event in self.events(run) if event["kind"] == "step.thinking"}

    def run(self, run: str) -> Any:
        return self.call(f"/api/arena/runs/{run}")

    def settled(self, run: str) -> Any:
        until(lambda: self.run(run)["state"] in FINAL, within_s=60)
        return self.run(run)

    def events(self, run: str) -> list[dict[str, Any]]:
        events: list[dict[str, Any]] = self.call(f"/api/arena/runs/{run}/events")["events"]
        return events


def _is_zombie(entry: Path) -> bool:
    return (entry / "stat").read_text().rpartition(")")[2].split()[0] == "Z"
