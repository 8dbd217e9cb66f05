"""What must stand before the processes start: folders, the broker's room, the tables, readable fixtures."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings

from arena.errors import Invalid
from arena.library import library
from jevsite import broker

LOG_LIMIT = 5_000_000


def folders() -> None:
    """The site's own folders, closed to other users; logs that have grown large make room for new ones."""
    logs = settings.VAR_DIR / "log"
    for folder in (settings.VAR_DIR, logs):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for log in logs.glob("*.log"):
        if log.stat().st_size > LOG_LIMIT:
            log.replace(log.with_suffix(".log.1"))


def queue() -> None:
    """The embedded broker's folders; another broker needs nothing of us."""
    if settings.BROKER_URL.startswith("box:"):
        broker.prepare(settings.VAR_DIR / "broker")


def fixtures(say: Callable[[str], None]) -> None:
    """Read every case, world and catalog once; what is broken is said, and the site starts all the same."""
    try:
        broken = library().broken
    except Invalid as fault:
        say(f"No comparison can be started: {fault.message}")
        return
    for case in broken:
        say(f"The case {case.id} is broken: {case.sentence}")
