"""`python -m tests.bench.calibration_report`: the report on ten thousand measured calls, part by part and in a browser.

The calls are generated; the judge `scripted` answers them from their rows, through the same claims as a worker.
"""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import product
from typing import Any

from tests.bench.calibration_page import _site

CASES = 10_000
FIRST_S, WHOLE_S = 2.0, 10.0
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
PARTS = ("ba", "ren", "sol", "tik", "mur", "vel", "dro", "kas", "lin", "pho", "gar", "zet")


def main() -> None:
    with tempfile.TemporaryDirectory() as var:
        _site(var)
        began = time.perf_counter()
        measurement = measured(CASES)
        print(f"{CASES:,} calls taken in and measured by `scripted`: {time.perf_counter() - began:.0f} s", flush=True)
        _parts(measurement)
        first, whole = _browser(var, measurement.public_id)
    print(f"load average of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    missed = first > FIRST_S or whole > WHOLE_S
    print(f"{'browser: first content':34} {first:6.2f} <= {FIRST_S} s")
    print(f"{'browser: everything, charts drawn':34} {whole:6.2f} <= {WHOLE_S} s  {'MISSED' if missed else 'ok'}")
    sys.exit(missed)


def rows(cases: int) -> list[dict[str, Any]]:
    """Calls of varied words, so that some are near-duplicates and most are not; labels as their answers, with noise."""
    from tests.policy.calibrating.conftest import calls

    rng = random.Random(cases)
    known = ["".join(parts) for parts in product(PARTS, repeat=3)]
    made: list[dict[str, Any]] = []
    for row in calls(cases):
        words = rng.sample(known, 8)
        if made and rng.random() < 0.1:
            # Nearly what an earlier row says.
            words[:6] = made[rng.randrange(len(made))]["task"].split()[:6]
        path = f"{words[6]}/{rng.choice(known)}.txt"
        made.append({**row, "task": " ".join(words[:7]), "toolId": words[7], "arguments": {"path": path}})
    return made


def measured(cases: int) -> Any:
    from policy.measurements import inline, jobs, sets
    from policy.people.services import local_user
    from tests.policy.measurements.conftest import lines

    by = local_user()
    kept = sets.take_in(lines(*rows(cases)), name=f"calls-{cases}", by=by)
    with inline.quietly():
        begun = jobs.start(kept, by=by, origin="command", judge="scripted")
    return inline.finish(begun)


def _parts(measurement: Any) -> None:
    from django.test import Client

    from policy.measurements import reports

    client = Client(headers={"host": "127.0.0.1:8000"})
    address = f"/calibration/measurements/{measurement.public_id}"

    def page(part: str) -> Callable[[], int]:
        return lambda: len(client.get(f"{address}/{part}?kind=assessment").content)

    _timed("frame", page("report/"))
    _timed("readings of the database", lambda: len(reports.readings(measurement)))
    _timed("duplicates and near-duplicates", lambda: sum(reports.flags_of(measurement.set).counts().values()))
    _timed("sweep, resamples, guarantees", lambda: len(reports.reports(measurement)))
    _timed("page of the report, bytes", page("found/"))
    _timed("values of the sliders, bytes", page("values.json"))
    _timed("page once more, bytes", page("found/"))


def _timed(name: str, work: Callable[[], int]) -> None:
    began = time.perf_counter()
    size = work()
    print(f"  {name:32} {time.perf_counter() - began:6.2f} s {size:12,}", flush=True)


def _browser(var: str, public_id: str) -> tuple[float, float]:
    """Seconds to the heading and to a report that can be used, in a site that was just started."""
    from playwright.sync_api import sync_playwright

    with _up(var) as site, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=QUIET
        )
        page = chromium.new_page()
        page.goto(f"{site}/calibration/")
        began = time.perf_counter()
        page.goto(f"{site}/calibration/measurements/{public_id}/report/?kind=assessment", wait_until="commit")
        page.get_by_role("heading", level=1).wait_for()
        first = time.perf_counter() - began
        page.locator("#found[data-ready]").wait_for(timeout=120_000)
        page.locator("#plot-scores-restriction .main-svg").first.wait_for()
        whole = time.perf_counter() - began
        chromium.close()
    return first, whole


@contextmanager
def _up(var: str) -> Iterator[str]:
    command = [sys.executable, "manage.py", "up", "--port", "0", "--no-first-run"]
    env = {**os.environ, "JEV_VAR": var, "PYTHONUNBUFFERED": "1"}
    up = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True)
    try:
        assert up.stdout is not None
        ready = next((found for line in up.stdout if (found := re.search(r"ready: (http://\S+)", line))), None)
        assert ready, "the site did not become ready"
        yield ready[1].rstrip("/")
    finally:
        up.send_signal(signal.SIGINT)
        up.communicate(timeout=30)


if __name__ == "__main__":
    main()
