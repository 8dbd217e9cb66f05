"""Celery tasks: load by id, call one service, nothing else."""

from __future__ import annotations

from celery import shared_task

from arena.runs import lane as lanes
from arena.runs import route as routing


@shared_task(name="arena.tasks.route")
def route(run: int) -> None:
    routing.route(run)


@shared_task(name="arena.tasks.lane")
def lane(lane: int) -> None:
    lanes.work(lane)
