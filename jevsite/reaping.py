"""The reaper as a process: one table of periodic jobs, done again and again, through any trouble of the database."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass

from django.conf import settings
from django.db import Error as DatabaseFault
from django.db import close_old_connections, connections

from arena.approvals import ending
from arena.runs import reap
from policy import pruning
from policy.measurements import reap as measurements

logger = logging.getLogger("jev.reaper")
_TROUBLE_S = 5.0
_HOUR_S = 3600.0


@dataclass(frozen=True, slots=True)
class Job:
    """What is done every so many seconds. It may be cut off anywhere, and done by several processes at once."""

    name: str
    every_s: float
    work: Callable[[], object]


def jobs() -> tuple[Job, ...]:
    """Everything that this site does by itself from time to time."""
    return (
        Job("leases", settings.REAP_EVERY_S, reap.reap),
        Job("approvals", settings.REAP_EVERY_S, ending.expire),
        Job("measurements", settings.REAP_EVERY_S, measurements.reap),
        Job("ledger", _HOUR_S, lambda: pruning.prune(pruning.limits())),
    )


def forever() -> None:
    """Look every `REAP_EVERY_S` seconds which jobs are due, until a signal ends the process."""
    due: dict[str, float] = {}
    while True:
        time.sleep(settings.REAP_EVERY_S if once(due) else _TROUBLE_S)


def once(due: dict[str, float]) -> bool:
    """Do what is due (seconds of the monotonic clock by job, at once where none is known); False in trouble."""
    close_old_connections()
    for job in jobs():
        if due.get(job.name, 0) > time.monotonic():
            continue
        try:
            job.work()
        except DatabaseFault as error:
            logger.warning("reaper lost the database", extra={"job": job.name, "reason": type(error).__name__})
            connections.close_all()
            return False
        due[job.name] = time.monotonic() + job.every_s
    return True
