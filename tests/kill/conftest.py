"""A site for each test, and a look at what it leaves."""

from __future__ import annotations

import os
import secrets
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest

from tests.kill.site import Site


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.kill)


@pytest.fixture
def database() -> Iterator[dict[str, str]]:
    """The variables of a database of its own: nothing for the embedded one, which lies in the site's folder."""
    server = os.environ.get("DATABASE_URL", "")
    if not server.startswith("postgres"):
        yield {}
        return
    name = f"jev_kill_{secrets.token_hex(4)}"
    with psycopg.connect(server, autocommit=True) as wire:
        wire.execute(f"CREATE DATABASE {name}")
        yield {"DATABASE_URL": urlsplit(server)._replace(path=f"/{name}").geturl()}
        wire.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def site(tmp_path: Path, database: dict[str, str]) -> Iterator[Site]:
    one = Site(tmp_path / "var", database)
    yield one
    # Shown where a test fails.
    for text in (one.terminal, *sorted(one.folder.glob("log/*.log"))):
        print(f"--- {text.name}\n{text.read_text()[-3000:]}" if text.exists() else "")
    for pid in one.processes():
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    if one.process is not None:
        one.process.wait()
