"""Doing the workers' work in this process: for commands and tests, with the same claims as everywhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager

from django.db import connection

from arena.runs import dispatch, lane, route


@contextmanager
def worker(threads: int = 8) -> Iterator[Callable[[], None]]:
    """Work on what is started inside the block. Yields a function that waits until nothing is left to do."""
    futures: list[Future[None]] = []
    pool = ThreadPoolExecutor(threads, thread_name_prefix="lane")

    def wait() -> None:
        # A route adds its lanes to the list while it is waited for.
        while futures:
            futures[0].result()
            futures.pop(0)

    with dispatch.to(lambda step, pk: futures.append(pool.submit(_work, step, pk))):
        try:
            yield wait
        finally:
            pool.shutdown()


def _work(step: dispatch.Step, pk: int) -> None:
    try:
        route.route(pk) if step == "route" else lane.work(pk)
    finally:
        connection.close()
