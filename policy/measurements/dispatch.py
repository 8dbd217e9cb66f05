"""Waking a worker that measures. The database is the queue; what is published are ids only, after the commit."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from celery import current_app
from django.db import transaction
from kombu.exceptions import KombuError, OperationalError

logger = logging.getLogger("jev.dispatch")
TASK = "policy.tasks.measure"
Publisher = Callable[[int], None]


def publish(pk: int) -> None:
    """Wake a worker for this measurement once the transaction is committed."""
    transaction.on_commit(partial(_publish, pk))


def _publish(pk: int) -> None:
    _publisher(pk)


def _by_celery(pk: int) -> None:
    try:
        current_app.send_task(TASK, (pk,), retry=False)
    except (KombuError, OperationalError, OSError) as error:
        # The reaper publishes again what nobody has claimed.
        logger.warning("not published", extra={"step": "measure", "pk": pk, "reason": type(error).__name__})


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
