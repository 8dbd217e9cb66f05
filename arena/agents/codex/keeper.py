"""The program between a worker and Codex CLI: it ends Codex CLI and all its processes when the worker wants it or dies.

Its standard input is the worker's life line: a byte means the end, and closed without one, that the worker is dead.
Then the lane's folder, which holds a sign-in perhaps, is deleted here. It uses the standard library only and is
started without `site`.
"""

from __future__ import annotations

import os
import select
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress

GRACE_S = 1.5
"""From the polite end to the forced one (seed 002)."""
_LOOK_S = 0.05


def main() -> int:
    prompt, *line = sys.argv[1:]
    orphan = False
    with open(prompt, "rb") as first:
        child = subprocess.Popen(line, stdin=first, stderr=subprocess.DEVNULL, start_new_session=True)
    # The worker reads what the child writes; held open here, it would never see the end.
    os.close(1)
    while child.poll() is None:
        if select.select([0], [], [], _LOOK_S)[0]:
            orphan = not os.read(0, 1)
            _end(child)
    # Whatever it has started and left behind.
    _signal(child.pid, signal.SIGKILL)
    if orphan:
        shutil.rmtree(os.path.dirname(prompt), ignore_errors=True)
    return child.returncode if child.returncode >= 0 else 128 - child.returncode


def _end(child: subprocess.Popen[bytes]) -> None:
    _signal(child.pid, signal.SIGTERM)
    end = time.monotonic() + GRACE_S
    while child.poll() is None and time.monotonic() < end:
        time.sleep(_LOOK_S)
    _signal(child.pid, signal.SIGKILL)
    child.wait()


def _signal(group: int, number: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


if __name__ == "__main__":
    sys.exit(main())
