"""`python -m tests.bench.calibration_page`: the page of ten thousand measured fixtures beside the same page of one."""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from typing import Any

import django

LIMIT = 3.0
ROUNDS = 30
CASES = 10_000


def main() -> None:
    with tempfile.TemporaryDirectory() as var:
        _site(var)
        few, many = _measured(1), _measured(CASES)
        times = [(_seconds(few), _seconds(many)) for _ in range(ROUNDS)]
    small, large = (statistics.median(pair[side] for pair in times) for side in (0, 1))
    ratio = large / small
    verdict = "ok" if ratio <= LIMIT else "MISSED"
    told = f"{large * 1e3:8.1f} {small * 1e3:8.1f} ms"
    print(f"{'of 10,000, of 1 fixture':28} {ratio:6.2f} <= {LIMIT} {told}  {verdict}")
    sys.exit(ratio > LIMIT)


def _site(var: str) -> None:
    os.environ |= {"DJANGO_SETTINGS_MODULE": "jevsite.settings", "JEV_VAR": var, "LOG_LEVEL": "ERROR"}
    os.environ.pop("DATABASE_URL", None)
    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)


def _measured(cases: int) -> Any:
    """A measurement of so many assessments whose values are made up; no judge is asked."""
    import random

    from policy.measurements import inline, jobs, sets
    from policy.measurements.models import Measurement, Reading
    from policy.people.services import local_user
    from tests.policy.measurements.conftest import call, lines

    rng, by = random.Random(cases), local_user()
    rows = [call(f"c{place:05}", ("deny", "ask", "allow")[place % 3]) for place in range(cases)]
    kept = sets.take_in(lines(*rows), name=f"of-{cases}", by=by)
    with inline.quietly():
        begun = jobs.start(kept, by=by, origin="command", judge="local")
    names = ("violates_restriction", "missing_information", "matches_task")
    readings = [
        Reading(
            measurement=begun,
            row=row,
            order="forward",
            repeat=0,
            values={name: round(rng.random(), 2) for name in names},
            requests=[],
        )
        for row in kept.rows.all()
    ]
    Reading.objects.bulk_create(readings, batch_size=1000)
    Measurement.objects.filter(pk=begun.pk).update(state="complete", done=cases)
    return begun


def _seconds(measurement: Any) -> float:
    from django.test import Client

    client = Client(headers={"host": "127.0.0.1:8000"})
    began = time.perf_counter()
    answer = client.get(f"/calibration/measurements/{measurement.public_id}/report/?kind=assessment")
    took = time.perf_counter() - began
    assert answer.status_code == 200, answer.status_code
    return took


if __name__ == "__main__":
    main()
