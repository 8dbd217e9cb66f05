"""Properties here are checked by count, never by the clock of a busy machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext

import pytest
from hypothesis import settings

from tests.policy.engine import doubles

settings.register_profile("engine", settings.get_profile("arena"), max_examples=60)
settings.load_profile("engine")


NOTES = pytest.StashKey[dict[str, str]]()


@pytest.fixture(scope="session")
def notes(pytestconfig: pytest.Config) -> dict[str, str]:
    """What a test counted, shown at the end of the session."""
    return pytestconfig.stash.setdefault(NOTES, {})


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if counted := config.stash.get(NOTES, {}):
        terminalreporter.section("engine")
        for what, count in counted.items():
            terminalreporter.write_line(f"{count} {what}")


@pytest.fixture(scope="module", params=["run", "run_async"])
def either_way(request: pytest.FixtureRequest) -> Iterator[None]:
    """Everything that `doubles.drive` drives is driven by both drivers; a module asks for it with `usefixtures`."""
    with doubles.awaiting() if request.param == "run_async" else nullcontext():
        yield
