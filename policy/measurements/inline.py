"""Measuring in this process, for commands and tests, with the same claims as a worker."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from policy.measurements import dispatch, reap, work
from policy.measurements.models import Measurement

# A site beside this process may hold the measurement; we look again this often.
LOOK_EVERY_S = 0.2


@contextmanager
def quietly() -> Iterator[None]:
    """What is started inside the block wakes no worker."""
    with dispatch.to(lambda pk: None):
        yield


def finish(measurement: Measurement, *, told: Callable[[Measurement], None] = lambda measurement: None) -> Measurement:
    """Measure until nothing is left; `told` hears of it after each chunk."""
    with quietly():
        while not measurement.is_final:
            work.work(measurement.pk)
            measurement.refresh_from_db()
            told(measurement)
            if not measurement.is_final and measurement.owner:
                time.sleep(LOOK_EVERY_S)
                reap.reap()
    return measurement
