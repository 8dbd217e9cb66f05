"""At the end of the session: how many lines and keys were compared, and which lines were left to others."""

from __future__ import annotations

import pytest

from tests.conformance.tally import Tally

TALLY = pytest.StashKey[Tally]()


@pytest.fixture(scope="session")
def tally(pytestconfig: pytest.Config) -> Tally:
    return pytestconfig.stash.setdefault(TALLY, Tally())


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if (found := config.stash.get(TALLY, None)) is not None:
        terminalreporter.section("conformance")
        for line in found.report():
            terminalreporter.write_line(line)
