"""Turns at a judge by its name: one `policy.engine.slots` for each in this process, with a bounded queue behind it."""

from __future__ import annotations

import threading

from policy.engine.slots import Slots

MOST_WAITING = 32
RETRY_AFTER_S = 2

_lock = threading.Lock()
_slots: dict[str, Slots] = {}


class Busy(Exception):
    """Too many requests wait for this judge already; nothing was asked. `retry_after_s` is a fair time to wait."""

    retry_after_s = RETRY_AFTER_S


def slots_of(judge: str, *, limit: int) -> Slots:
    """The one queue of a judge in this process, by the judge's name; `limit` counts when it is made.

    Raises `Busy` where the queue is full. A judgment that is let in finishes: its later requests are not refused.
    """
    with _lock:
        slots = _slots.setdefault(judge, Slots(limit))
    if slots.waiting >= MOST_WAITING:
        raise Busy(
            f"The judge {judge} is busy: {slots.waiting} requests wait for it already. "
            f"Try again in {RETRY_AFTER_S} seconds."
        )
    return slots
