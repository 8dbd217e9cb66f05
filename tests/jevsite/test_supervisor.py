from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from jevsite import supervisor
from jevsite.supervisor import Child, Supervisor

SLEEP = "import time; time.sleep(60)"
DIE = "raise SystemExit(3)"
DEAF = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('deaf', flush=True); time.sleep(60)"
PARENT = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
print(child.pid, flush=True)
time.sleep(60)
"""


@pytest.fixture
def child(tmp_path: Path) -> Callable[[str], Child]:
    def make(code: str) -> Child:
        command = [sys.executable, "-c", code]
        return Child("worker", command, tmp_path / "worker.log", dict(os.environ), tmp_path)

    return make


def _until(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def _while_running(tended: Supervisor, act: Callable[[], None]) -> None:
    """Run the supervisor in this thread and `act` in another one, which ends it."""
    failures: list[BaseException] = []

    def other() -> None:
        try:
            act()
        except BaseException as error:
            failures.append(error)
        finally:
            tended.stop()

    thread = threading.Thread(target=other)
    thread.start()
    tended.run()
    thread.join()
    assert failures == []


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_dead_child_is_started_again_and_said(child: Callable[[str], Child]) -> None:
    said: list[str] = []
    one = child(SLEEP)

    def kill_it() -> None:
        _until(one.running)
        assert one.process is not None
        os.kill(first := one.process.pid, signal.SIGKILL)
        _until(lambda: one.process is not None and one.process.pid != first and one.running())

    _while_running(Supervisor([one], say=said.append), kill_it)
    assert said == [f"The worker ended (killed by signal 9) and starts again in 0.5 s. See {one.log}"]
    assert one.process is None


def test_a_child_that_dies_at_once_is_tried_ever_more_slowly(child: Callable[[str], Child]) -> None:
    one = child(DIE)
    one.start()
    waits = [one.postpone(one.started + 1) for _ in range(7)]
    one.kill()
    assert waits == [0.5, 1, 2, 5, 10, 30, 30]


def test_a_child_that_was_well_for_long_is_started_again_soon(child: Callable[[str], Child]) -> None:
    one = child(DIE)
    one.deaths = 5
    assert one.postpone(one.started + 60) == 0.5


def test_a_child_that_does_not_listen_is_killed_after_the_grace(
    child: Callable[[str], Child], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor, "GRACE_S", 0.3)
    one = child(DEAF)
    pids: list[int] = []

    def note_it() -> None:
        _until(lambda: one.log.exists() and one.log.read_text())
        assert one.process is not None
        pids.append(one.process.pid)

    _while_running(Supervisor([one], say=print), note_it)
    assert not alive(pids[0])


def test_what_a_dead_child_had_started_goes_with_it(child: Callable[[str], Child]) -> None:
    one = child(PARENT)
    one.start()
    _until(lambda: one.log.read_text())
    grandchild = int(one.log.read_text())
    assert one.process is not None
    os.kill(one.process.pid, signal.SIGKILL)
    _until(lambda: one.ended() is not None)
    _until(lambda: not alive(grandchild))


def test_one_interrupt_ends_everything(child: Callable[[str], Child]) -> None:
    children = [child(SLEEP), child(SLEEP)]
    tended = Supervisor(children, say=print)
    thread = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    thread.start()
    tended.run()
    thread.join()
    assert tended.stopping.is_set()
    assert [one.process for one in children] == [None, None]


def test_a_command_that_cannot_be_started_is_said_and_tried_again(child: Callable[[str], Child]) -> None:
    said: list[str] = []
    one = child(SLEEP)
    tended = Supervisor([one], say=said.append)
    one.command = ["/nowhere/python"]
    tended._tend()
    assert said == ["The worker cannot be started (No such file or directory); next try in 0.5 s."]
