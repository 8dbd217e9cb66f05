"""Every test here is a simulation; at the end of the session all figures are told beside their bars."""

from __future__ import annotations

import pytest

from tests.prove import figures


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "tests/prove" in item.path.as_posix():
            item.add_marker(pytest.mark.simulate)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if figures.LINES:
        terminalreporter.section(f"simulated, {figures.SHARE:g} of the draws")
        for line in figures.LINES:
            terminalreporter.write_line(line)
