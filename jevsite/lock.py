"""One site per folder: a lock that ends with its process, even one that was killed."""

from __future__ import annotations

import fcntl
import json
import os
from pathlib import Path
from typing import Any, Self

from jevsite.trouble import Refusal

_NAME = "up.lock"


class Lock:
    """Held for as long as this object is; children do not inherit it."""

    def __init__(self, fd: int) -> None:
        self._fd = fd

    @classmethod
    def take(cls, folder: Path) -> Self:
        """Hold the folder, or raise `Refusal` with the address where the site that holds it runs."""
        fd = os.open(folder / _NAME, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            facts = _read(fd)
            os.close(fd)
            raise Refusal(_occupied(folder, facts)) from None
        return cls(fd)

    def tell(self, **facts: Any) -> None:
        """Leave word for whoever finds the folder held."""
        os.ftruncate(self._fd, 0)
        os.pwrite(self._fd, json.dumps({"pid": os.getpid(), **facts}).encode(), 0)

    def release(self) -> None:
        os.ftruncate(self._fd, 0)
        os.close(self._fd)


def holder(folder: Path) -> dict[str, Any] | None:
    """What the process that holds the folder said about itself; None when nobody holds it."""
    try:
        fd = os.open(folder / _NAME, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return _read(fd)
    else:
        return None
    finally:
        os.close(fd)


def _read(fd: int) -> dict[str, Any]:
    try:
        facts = json.loads(os.pread(fd, 65536, 0))
    except ValueError:
        return {}
    return facts if isinstance(facts, dict) else {}


def _occupied(folder: Path, facts: dict[str, Any]) -> str:
    where = f"at {facts['address']}" if facts.get("address") else "and is just starting"
    who = f"process {facts.get('pid', 'unknown')}"
    return (
        f"A site with the data in {folder} runs already {where} ({who}). "
        "Open that page, end it with Ctrl-C in its terminal, or set JEV_VAR to another folder for a second site."
    )
