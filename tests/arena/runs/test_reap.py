"""The reaper: nothing is lost, nothing is silently run twice."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.utils import timezone

from arena.events import Emitter
from arena.models import Lane, LaneState, Run, RunState
from arena.runs import history, lane, reap, route, start, stop
from arena.runs.log import Draft, append
from policy.people.models import User

Published = list[tuple[str, int]]
LONG_AGO = timedelta(minutes=5)


@pytest.fixture
def run(owner: User, unpublished: Published) -> Run:
    started = start.start("patch", by=owner, origin="api", arms=["full"])
    route.route(started.pk)
    unpublished.clear()
    return history.find(started.public_id)


def lost(row: Run | Lane, **changes: Any) -> None:
    """A worker took the row and was never heard of again."""
    type(row).objects.filter(pk=row.pk).update(owner="dead", lease_until=timezone.now() - LONG_AGO, **changes)


@pytest.mark.django_db(transaction=True)
def test_a_lane_lost_before_its_first_step_is_queued_again(run: Run, unpublished: Published) -> None:
    only = run.lanes.get()
    lost(only, state=LaneState.STARTING)
    reap.reap()
    assert unpublished == [("lane", only.pk)]
    lane.work(only.pk)
    assert history.find(run.public_id).state == RunState.COMPLETE


@pytest.mark.django_db(transaction=True)
def test_a_lane_lost_in_mid_work_is_abandoned_and_its_run_settles(run: Run, unpublished: Published) -> None:
    lost(run.lanes.get(), state=LaneState.CALLING, began=True)
    reap.reap()
    settled = history.find(run.public_id)
    assert (settled.state, settled.lanes.get().state) == ("abandoned", "abandoned")
    assert "was not run again" in settled.message
    assert unpublished == []


@pytest.mark.django_db(transaction=True)
def test_a_lane_that_lives_is_left_alone(run: Run) -> None:
    only = run.lanes.get()
    Lane.objects.filter(pk=only.pk).update(
        owner="alive", lease_until=timezone.now() + LONG_AGO, began=True, state=LaneState.WORKING
    )
    assert reap.reap() == 0


@pytest.mark.django_db(transaction=True)
def test_a_lane_whose_message_was_lost_is_published_again_once(run: Run, unpublished: Published) -> None:
    Lane.objects.filter(run=run).update(queued_at=timezone.now() - LONG_AGO)
    reap.reap()
    reap.reap()
    assert unpublished == [("lane", run.lanes.get().pk)]


@pytest.mark.django_db(transaction=True)
def test_a_queued_run_that_nobody_claimed_is_published_again(owner: User, unpublished: Published) -> None:
    run = start.start("patch", by=owner, origin="api")
    Run.objects.filter(pk=run.pk).update(queued_at=timezone.now() - LONG_AGO)
    unpublished.clear()
    reap.reap()
    assert unpublished == [("route", run.pk)]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("asked", "state"), [(False, RunState.QUEUED), (True, RunState.ABANDONED)])
def test_a_lost_routing_is_repeated_only_if_no_request_had_left(
    asked: bool, state: RunState, owner: User, unpublished: Published
) -> None:
    run = start.start("patch", by=owner, origin="api")
    lost(run, state=RunState.ROUTING, attempt=1)
    if asked:
        request = {"judge": "local", "stage": "pick", "request": {}, "bytes": 2, "digest": "d"}
        append(run.pk, [Draft("judge.asked", request)], emitter=Emitter.ROUTER)
    reap.reap()
    run.refresh_from_db()
    assert run.state == state


@pytest.mark.django_db(transaction=True)
def test_a_stop_that_no_worker_confirms_in_time_abandons_the_lane(
    run: Run, owner: User, settings: LazySettings
) -> None:
    only = run.lanes.get()
    Lane.objects.filter(pk=only.pk).update(
        owner="hangs", lease_until=timezone.now() + LONG_AGO, began=True, state=LaneState.CALLING
    )
    stop.stop(run, by=owner)
    Run.objects.filter(pk=run.pk).update(stop_requested_at=timezone.now() - LONG_AGO)
    reap.reap()
    settled = history.find(run.public_id)
    assert settled.lanes.get().state == LaneState.ABANDONED
    assert settled.is_final


@pytest.mark.django_db(transaction=True)
def test_a_run_whose_settling_was_lost_is_settled(run: Run, owner: User) -> None:
    lane.work(run.lanes.get().pk)
    lost(run, state=RunState.SETTLING)
    reap.reap()
    assert history.find(run.public_id).state == RunState.COMPLETE


@pytest.mark.django_db(transaction=True)
def test_a_lane_lost_before_its_first_step_is_stopped_where_a_stop_was_asked(run: Run, owner: User) -> None:
    lost(run.lanes.get(), state=LaneState.STARTING)
    stop.stop(run, by=owner)
    reap.reap()
    settled = history.find(run.public_id)
    assert (settled.state, settled.lanes.get().state) == ("stopped", "stopped")


@pytest.mark.django_db(transaction=True)
def test_a_lane_that_kills_its_worker_again_and_again_fails_with_a_word(run: Run) -> None:
    lost(run.lanes.get(), state=LaneState.STARTING, attempt=3)
    reap.reap()
    settled = history.find(run.public_id)
    assert (settled.state, settled.lanes.get().state) == ("failed", "failed")
    assert "lost 3 times" in settled.message


@pytest.mark.django_db(transaction=True)
def test_a_router_that_does_not_confirm_a_stop_is_ended_at_the_deadline(owner: User, unpublished: Published) -> None:
    run = start.start("patch", by=owner, origin="api")
    Run.objects.filter(pk=run.pk).update(
        owner="hangs", lease_until=timezone.now() + LONG_AGO, state=RunState.STOPPING, stop_requested_at=timezone.now()
    )
    Run.objects.filter(pk=run.pk).update(stop_requested_at=timezone.now() - LONG_AGO)
    reap.reap()
    run.refresh_from_db()
    assert run.state == RunState.STOPPED


@pytest.mark.django_db(transaction=True)
def test_a_lane_without_an_owner_is_no_reason_to_wait_for_a_stop(run: Run, owner: User) -> None:
    Run.objects.filter(pk=run.pk).update(state=RunState.STOPPING, stop_requested_at=timezone.now() - LONG_AGO)
    reap.reap()
    assert history.find(run.public_id).state == RunState.STOPPED
