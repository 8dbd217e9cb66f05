"""Waking a worker. The database is the queue; what is published here are ids only, after the commit."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Literal

from django.db import connection, transaction
from kombu.exceptions import KombuError, OperationalError

logger = logging.getLogger("jev.dispatch")
Step = Literal["route", "lane"]


def publish(step: Step, pk: int) -> None:
    """Wake a worker for this row once the transaction is committed."""
    transaction.on_commit(partial(_publish, step, pk))


def _by_celery(step: Step, pk: int) -> None:
    from arena import tasks

    task = tasks.route if step == "route" else tasks.lane
    try:
        task.apply_async((pk,), retry=False)
    except (KombuError, OperationalError, OSError) as error:
        # The reaper publishes again what nobody has claimed, so a broker that is away costs time, not runs.
        logger.warning("not published", extra={"step": step, "pk": pk, "reason": type(error).__name__})


_publisher: Callable[[Step, int], None] = _by_celery


def _publish(step: Step, pk: int) -> None:
    _publisher(step, pk)


@contextmanager
def here(threads: int = 8) -> Iterator[Callable[[], None]]:
    """Do the work in this process, without a worker. Yields a function that waits until nothing is left to do."""
    global _publisher
    before, futures = _publisher, list[Future[None]]()
    pool = ThreadPoolExecutor(threads, thread_name_prefix="lane")

    def submit(step: Step, pk: int) -> None:
        futures.append(pool.submit(_work, step, pk))

    def wait() -> None:
        # A route adds its lanes to the list while it is waited for.
        while futures:
            futures.pop(0).result()

    _publisher = submit
    try:
        yield wait
    finally:
        _publisher = before
        pool.shutdown()


def _work(step: Step, pk: int) -> None:
    from arena.runs import lane, route

    try:
        route.route(pk) if step == "route" else lane.work(pk)
    finally:
        connection.close()
