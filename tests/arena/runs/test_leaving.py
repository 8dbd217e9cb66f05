"""A worker that is told to end: its lanes come to an end with a word, and nothing is lost or run twice."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from arena.models import Lane, LaneState, Run, RunState
from arena.runs import cancel, dispatch, history, lane, route, start
from arena.runs.recorder import Recorder
from policy.people.models import User

Published = list[tuple[str, int]]


@pytest.fixture
def leaving(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    event = threading.Event()
    monkeypatch.setattr(cancel, "leaving", event)
    yield event
    event.set()


@pytest.fixture
def released(transactional_db: None, owner: User, unpublished: Published) -> Lane:
    """The one lane of a run, routed and waiting for a worker."""
    run = start.start("patch", by=owner, origin="api", arms=["full"], pause_s=0)
    route.route(run.pk)
    return run.lanes.get()


def test_a_lane_in_mid_run_is_abandoned_with_a_word(
    released: Lane, leaving: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    think = Recorder.think

    def told_while_thinking(self: Recorder, note: str, candidates: list[tuple[str, float]]) -> None:
        think(self, note, candidates)
        leaving.set()

    monkeypatch.setattr(Recorder, "think", told_while_thinking)
    lane.work(released.pk)
    released.refresh_from_db()
    assert (released.state, released.message) == (LaneState.ABANDONED, lane.SITE_STOPPED)
    assert history.find(released.run.public_id).state == RunState.ABANDONED


def test_a_lane_that_has_not_begun_goes_back_into_the_queue(released: Lane, leaving: threading.Event) -> None:
    leaving.set()
    lane.work(released.pk)
    released.refresh_from_db()
    assert (released.state, released.owner, released.began) == (LaneState.WAITING, "", False)
    assert Run.objects.get(pk=released.run_id).state == RunState.RUNNING


def test_another_worker_takes_up_what_was_given_back(released: Lane, leaving: threading.Event) -> None:
    leaving.set()
    lane.work(released.pk)
    leaving.clear()
    with dispatch.to(lambda step, pk: None):
        lane.work(released.pk)
    released.refresh_from_db()
    assert (released.state, released.attempt) == (LaneState.COMPLETED, 2)
