"""Lanes that no worker has claimed: a stop ends them on the spot."""

from __future__ import annotations

from django.db.models.functions import Now

from arena.agents.agent import Ending
from arena.models import LANE_FINAL, Lane, LaneState, Run
from arena.runs.log import Draft

NOT_STARTED = "stopped before it began"
BY_A_PERSON = "stopped by a person"


def stop_waiting(run: Run) -> list[Draft]:
    """Stop the lanes that no worker has claimed; call it with the run's row locked."""
    waiting = Lane.objects.filter(run=run, owner="").exclude(state__in=LANE_FINAL)
    stopped = list(waiting.values_list("pk", flat=True))
    waiting.update(state=LaneState.STOPPED, message=NOT_STARTED, finished_at=Now(), ending=Ending.STOPPED.value)
    payload = {"state": LaneState.STOPPED.value, "message": NOT_STARTED}
    return [Draft("lane.state", payload, lane=pk) for pk in stopped]
