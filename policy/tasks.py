"""Celery tasks: load by id, call one service, nothing else."""

from __future__ import annotations

from celery import shared_task

from policy.measurements import work


@shared_task(name="policy.tasks.measure")
def measure(measurement: int) -> None:
    work.work(measurement)
