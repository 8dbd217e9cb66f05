"""The cast and the settled runs that many tests share."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

from arena.models import Run
from arena.runs import dispatch, history, inline, start
from policy.judges.gguf import server as model_server
from policy.people.models import Role, User
from policy.people.services import local_user

# A busy machine is slow now and then; the gate tries the same examples every time.
hypothesis_settings.register_profile(
    "arena", deadline=None, derandomize="CI" in os.environ, suppress_health_check=[HealthCheck.too_slow]
)
hypothesis_settings.load_profile("arena")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Where no browser test is asked for, Playwright need not be installed."""
    return True if collection_path.name == "e2e" and "not browser" in config.option.markexpr else None


@pytest.fixture(scope="session")
def vectors(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Embedded once in this folder, as a site does it once for its life; `--cache-clear` begins anew."""
    cache: pytest.Cache | None = getattr(pytestconfig, "cache", None)
    return tmp_path_factory.mktemp("vectors") if cache is None else cache.mkdir("vectors")


@pytest.fixture(autouse=True)
def _own_var(settings: LazySettings, tmp_path: Path, vectors: Path) -> None:
    settings.VAR_DIR = tmp_path
    settings.VECTORS_DIR = vectors
    settings.AGENT_PAUSE_S = 0
    # Whatever keys the machine has: no test asks a provider.
    settings.MASTER_KEY = None
    settings.JUDGE_KEYS = {}
    settings.JUDGE_ADDRESSES = {}
    settings.CLOUDFLARE_ACCOUNT_ID = ""
    settings.KEYS_DIR = tmp_path / "keys"
    # Another test of this process may have imported the web server, which forbids it for good.
    model_server.forbid("")
    # Whatever is installed: tests that run Codex CLI say which.
    settings.CODEX_BIN = str(tmp_path / "no-codex")


@pytest.fixture
def owner(db: None) -> User:
    return local_user()


@pytest.fixture
def reader(db: None) -> User:
    return User.objects.create(username="reader", role=Role.READER)


@pytest.fixture
def compare(transactional_db: None) -> Callable[..., Run]:
    """Runs a case to its end in this process and returns the settled run."""

    def run(case: str = "patch", **options: Any) -> Run:
        with inline.worker() as wait:
            started = start.start(case, by=local_user(), origin="command", **{"pause_s": 0, **options})
            wait()
        return history.find(started.public_id)

    return run


@pytest.fixture
def unpublished() -> Iterator[list[tuple[str, int]]]:
    """Collects what would wake a worker, so that a test can play the worker itself."""
    published: list[tuple[str, int]] = []
    with dispatch.to(lambda step, pk: published.append((step, pk))):
        yield published


@pytest.fixture
def client() -> Client:
    """A browser on this machine: with a Host, as every real one has."""
    return Client(headers={"host": "127.0.0.1:8000"})
