"""Tool servers of the tests: started by command, or listening on this machine."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.servers import services
from arena.servers.models import OwnCatalog
from policy.people.models import User

HERE = Path(__file__).parent


def command(folder: Path, *extra: str) -> list[str]:
    return [sys.executable, str(HERE / "notes_server.py"), *extra, str(folder)]


def calls(folder: Path) -> list[str]:
    """What the server has really done, in order."""
    file = folder / "calls"
    return file.read_text().split() if file.exists() else []


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of the notes, with one note in it."""
    made = tmp_path / "notes"
    made.mkdir()
    (made / "plan.note").write_text("The plan: ship on Monday, 14:30.")
    return made


@pytest.fixture
def connected(owner: User, folder: Path) -> OwnCatalog:
    """The notes server, connected by command and not approved yet."""
    return services.connect(name="notes", by=owner, command=command(folder), secrets={"NOTES_TOKEN": "quiet-4711"})


@pytest.fixture
def approved(owner: User, connected: OwnCatalog) -> OwnCatalog:
    return services.approve(connected, digest=connected.listing_digest, by=owner)


@pytest.fixture
def address(folder: Path) -> Iterator[str]:
    """The notes server over streamable HTTP."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, str(HERE / "notes_over_http.py"), str(port), str(folder)], stderr=subprocess.DEVNULL
    )
    try:
        _listening(port)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.kill()
        process.wait(timeout=30)


def _listening(port: int) -> None:
    for _ in range(600):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise TimeoutError("the notes server does not listen")
