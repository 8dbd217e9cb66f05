"""Waking a worker. The database is the queue; what is published here are ids only, after the commit."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Literal

from celery import current_app
from django.db import transaction
from kombu.exceptions import KombuError, OperationalError

logger = logging.getLogger("jev.dispatch")
Step = Literal["route", "lane"]
Publisher = Callable[[Step, int], None]


def publish(step: Step, pk: int) -> None:
    """Wake a worker for this row once the transaction is committed."""
    transaction.on_commit(partial(_publish, step, pk))


def _publish(step: Step, pk: int) -> None:
    _publisher(step, pk)


def _by_celery(step: Step, pk: int) -> None:
    try:
        current_app.send_task(f"arena.tasks.{step}", (pk,), retry=False)
    except (KombuError, OperationalError, OSError) as error:
        # The reaper publishes again what nobody has claimed, so a broker that is away costs time, not runs.
        logger.warning("not published", extra={"step": step, "pk": pk, "reason": type(error).__name__})


_publisher: Publisher = _by_celery


@contextmanager
def to(publisher: Publisher) -> Iterator[None]:
    """Hand what would be published by this process to `publisher` instead of the broker."""
    global _publisher
    before, _publisher = _publisher, publisher
    try:
        yield
    finally:
        _publisher = before
