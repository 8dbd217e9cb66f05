"""The list of public reports: every one has a test that exists, a line that stands, or a room to come."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
REPORTS: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_name("reports.toml").read_text(encoding="utf-8"))
MOST_LINES = 10


def test_all_61_are_listed() -> None:
    assert [int(number) for number in REPORTS] == list(range(1, 62))


@pytest.mark.parametrize("number", REPORTS)
def test_what_is_named_is_there(number: str) -> None:
    report = REPORTS[number]
    assert len({"tests", "line", "room"} & report.keys()) == 1
    for named in report.get("tests", ()):
        file, _, name = named.partition("::")
        assert re.search(rf"^(async )?def {name}\(", (ROOT / file).read_text("utf-8"), re.MULTILINE), named
    if "line" in report:
        assert report["line"] in (ROOT / report["file"]).read_text("utf-8")
        assert report["why"]


def test_at_most_ten_are_impossible_by_a_line() -> None:
    assert sum("line" in report for report in REPORTS.values()) <= MOST_LINES
