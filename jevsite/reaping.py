"""The reaper as a process: one pass over leases and deadlines again and again, through any trouble of the database."""

from __future__ import annotations

import logging
import time

from django.conf import settings
from django.db import Error as DatabaseFault
from django.db import close_old_connections, connections

from arena.runs import reap
from policy.measurements import reap as measurements

logger = logging.getLogger("jev.reaper")
_TROUBLE_S = 5.0


def forever() -> None:
    """Reap every `REAP_EVERY_S` seconds until a signal ends the process.

    A pass may be cut off anywhere: its transactions are short and a second pass does the rest. Several
    reapers at once do no harm.
    """
    while True:
        time.sleep(settings.REAP_EVERY_S if once() else _TROUBLE_S)


def once() -> bool:
    """One pass; False when the database did not let it happen."""
    close_old_connections()
    try:
        reap.reap()
        measurements.reap()
    except DatabaseFault as error:
        logger.warning("reaper lost the database", extra={"reason": type(error).__name__})
        connections.close_all()
        return False
    return True
