"""A whole site in a folder of its own, and a browser that may speak to nothing else."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]


@contextmanager
def running(var: Path, **changed: str) -> Iterator[str]:
    """The address of `manage.py up` in a folder of its own, with these changes of its environment."""
    env = {**os.environ, "JEV_VAR": str(var), "AGENT_PAUSE_S": "1", "PYTHONUNBUFFERED": "1", **changed}
    # The parent of these tests may run on another database; this site has its own.
    env.pop("DATABASE_URL", None)
    env.pop("BROKER_URL", None)
    command = [sys.executable, "manage.py", "up", "--port", "0", "--no-first-run"]
    up = subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True)
    try:
        assert up.stdout is not None
        ready = next((found for line in up.stdout if (found := re.search(r"ready: (http://\S+)", line))), None)
        assert ready, "the site did not become ready"
        yield ready[1].rstrip("/")
    finally:
        up.send_signal(signal.SIGINT)
        up.communicate(timeout=30)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of `manage.py up`; the agent pauses long enough for a stop in mid-run."""
    with running(tmp_path_factory.mktemp("site")) as address:
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield started
        started.close()


@pytest.fixture
def foreign() -> list[str]:
    """Every address outside the site that a page asked for; each is refused."""
    return []


@pytest.fixture
def page(browser: Browser, site: str, foreign: list[str]) -> Iterator[Page]:
    """A page of a fresh visitor; errors of its scripts fail the test."""
    context: BrowserContext = browser.new_context(base_url=site, viewport={"width": 1440, "height": 1000})
    here = urlsplit(site).netloc

    def guard(route: Route) -> None:
        if urlsplit(route.request.url).netloc == here:
            route.continue_()
        else:
            foreign.append(route.request.url)
            route.abort()

    context.route("**/*", guard)
    opened = context.new_page()
    broken: list[str] = []
    opened.on("pageerror", lambda error: broken.append(str(error)))
    opened.on("console", lambda said: broken.append(said.text) if said.type == "error" else None)
    yield opened
    context.close()
    assert broken == []
