"""Events: numbered without gaps, in one order, refused from whoever lost the lane."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from arena.models import Event, Lane, LaneState, Run
from arena.runs import start
from arena.runs.log import Draft, LeaseLost, append, append_as
from policy.people.models import User


@pytest.fixture
def run(owner: User, unpublished: list[tuple[str, int]]) -> Run:
    return start.start("patch", by=owner, origin="api")


@pytest.mark.django_db(transaction=True)
def test_writers_at_the_same_time_leave_no_gap_and_no_double(run: Run) -> None:
    def write(_: int) -> None:
        for _ in range(10):
            append(run.pk, [Draft("run.state", {"state": "queued"}), Draft("run.state", {"state": "queued"})])
        connection.close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(4)))
    assert list(Event.objects.filter(run=run).values_list("seq", flat=True)) == list(range(1, 83))


@pytest.mark.django_db(transaction=True)
def test_an_unknown_kind_or_field_is_not_stored(run: Run) -> None:
    with pytest.raises(ValueError, match=r"unknown event kind 'run\.exploded'"):
        append(run.pk, [Draft("run.exploded")])
    with pytest.raises(ValueError, match=r"run\.state does not carry mood"):
        append(run.pk, [Draft("run.state", {"state": "queued", "mood": "good"})])
    assert run.events.count() == 2


@pytest.mark.django_db(transaction=True)
def test_a_lane_that_was_taken_over_writes_neither_event_nor_state(run: Run) -> None:
    lane = run.lanes.all()[0]
    Lane.objects.filter(pk=lane.pk).update(owner="new")
    with pytest.raises(LeaseLost):
        append_as(lane, "old", [Draft("lane.state", {"state": "working"}, lane.pk)], {"state": LaneState.WORKING})
    lane.refresh_from_db()
    assert (lane.state, run.events.filter(lane=lane).count()) == (LaneState.WAITING, 0)
