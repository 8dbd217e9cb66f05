"""A measurement whose worker is killed goes on with the next one, and no request is sent twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.kill.site import PROJECT, Site, until

SHIPPED = PROJECT / "fixtures" / "calibration" / "everyday.jsonl"


def rows() -> list[str]:
    """The calls of the shipped set; no two ask the same."""
    lines = SHIPPED.read_text().splitlines()
    return [line for line in lines if json.loads(line)["kind"] == "assessment"]


class Measurers:
    """Measurers beside a site whose own is stopped: each begins where the one before was killed."""

    def __init__(self, site: Site, counted: Path) -> None:
        self.site, self.counted = site, counted
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        env = {**self.site.environment(), "COUNTED": str(self.counted), "DJANGO_SETTINGS_MODULE": "jevsite.settings"}
        command = [sys.executable, "-m", "tests.kill.counting_measurer", "measurer"]
        self.process = subprocess.Popen(command, cwd=PROJECT, env=env, stdin=subprocess.PIPE, start_new_session=True)

    def kill(self) -> None:
        assert self.process is not None
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.communicate()

    def requests(self) -> list[str]:
        return self.counted.read_text().split() if self.counted.exists() else []


@pytest.fixture
def measurers(site: Site, tmp_path: Path) -> Iterator[Measurers]:
    each = Measurers(site, tmp_path / "counted.txt")
    yield each
    if each.process is not None and each.process.poll() is None:
        each.kill()


def measured(site: Site, id: str) -> dict[str, Any]:
    found: dict[str, Any] = site.call(f"/api/policy/calibration/measurements/{id}")
    return found


def test_a_killed_measurer_is_followed_by_one_that_asks_only_the_rest(site: Site, measurers: Measurers) -> None:
    fixtures = rows()
    number = len(fixtures)
    assert number >= 120
    site.env = {**site.env, "MEASURE_PROCESSES": "0"}
    site.start("--no-first-run")
    site.call("/api/policy/calibration/sets", {"name": "shipped", "lines": "\n".join(fixtures)})
    begun = site.call("/api/policy/calibration/measurements", {"set": "shipped", "judge": "local"})
    measurers.start()
    until(lambda: measured(site, begun["id"])["done"] >= number * 0.4)
    measurers.kill()
    at = measured(site, begun["id"])["done"]
    assert number * 0.3 < at < number * 0.7
    measurers.start()
    until(lambda: measured(site, begun["id"])["state"] in ("complete", "partial"), within_s=60)
    after = measured(site, begun["id"])
    # The request that was on its way is told as failed; nobody knows whether it was paid for.
    assert (after["done"], after["failed"] <= 1) == (number, True)
    asked = measurers.requests()
    assert len(asked) == len(set(asked)) == number


def test_a_stopped_site_gives_its_measurement_back_and_loses_nothing(site: Site) -> None:
    site.start("--no-first-run")
    site.call("/api/policy/calibration/sets", {"name": "shipped", "lines": "\n".join(rows()[:40])})
    begun = site.call("/api/policy/calibration/measurements", {"set": "shipped", "judge": "local"})
    until(lambda: measured(site, begun["id"])["done"] >= 3)
    assert site.end() == 0
    assert site.processes() == {}
    site.start("--no-first-run")
    until(lambda: measured(site, begun["id"])["state"] == "complete", within_s=90)
    after = measured(site, begun["id"])
    assert (after["done"], after["failed"], after["requests"]) == (40, 0, 40)
