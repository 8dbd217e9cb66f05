"""The page of a measurement: how far it is, stopping, going on, what failed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from policy.engine.failures import Failure, FailureCode
from policy.measurements import inline, jobs
from policy.measurements.models import FixtureSet, Measurement
from policy.people.models import User
from tests.policy.calibrating.conftest import calls, logged, text_of
from tests.policy.measurements.conftest import call

pytestmark = pytest.mark.django_db


@pytest.fixture
def begun(taken: Callable[..., FixtureSet], scripted: Callable[..., Any], owner: User) -> Measurement:
    with inline.quietly():
        return jobs.start(taken(*calls(8)), by=owner, origin="page", judge="scripted")


def page(client: Client, measurement: Measurement, part: str = "") -> Any:
    return client.get(f"/calibration/measurements/{measurement.public_id}/{part}")


def test_it_asks_for_itself_until_it_has_ended(client: Client, begun: Measurement) -> None:
    assert 'hx-trigger="every 1s"' in page(client, begun).content.decode()
    assert "0 of 8 measured" in text_of(page(client, begun, "progress/"))
    inline.finish(begun)
    ended = page(client, begun, "progress/")
    assert "hx-trigger" not in ended.content.decode()
    assert "8 of 8 measured" in text_of(ended)
    assert "Calibrate assessment" in text_of(ended)


def test_it_is_stopped_and_goes_on(client: Client, begun: Measurement) -> None:
    address = f"/calibration/measurements/{begun.public_id}/"
    said = text_of(client.post(f"{address}stop/", follow=True))
    assert "stopped" in said
    with inline.quietly():
        said = text_of(client.post(f"{address}resume/", follow=True))
    assert "queued" in said


def test_stopping_what_has_ended_is_refused_with_its_state(client: Client, begun: Measurement) -> None:
    inline.finish(begun)
    answer = client.post(f"/calibration/measurements/{begun.public_id}/stop/")
    assert answer.status_code == 409
    assert "complete already" in text_of(answer)


def test_failures_are_listed_and_can_be_asked_again(
    client: Client, taken: Callable[..., FixtureSet], scripted: Callable[..., Any], measure: Callable[..., Measurement]
) -> None:
    scripted(error=Failure(FailureCode.SERVER, "the far side is down"))
    failed = measure(taken(call("a")))
    said = text_of(page(client, failed))
    assert "1 failed and in no denominator" in said
    assert "the far side is down" in said
    assert "Ask the failed ones again" in said
    assert "nothing usable was measured" in said


def test_logged_rows_name_no_judge_because_none_was_asked(client: Client, measured: Callable[..., Measurement]) -> None:
    said = text_of(page(client, measured(logged(60))))
    assert "no judge was asked: every probability is in the rows" in said
    assert "a second" not in said
    assert " by scripted" not in said


def test_kinds_with_too_few_labels_say_so_before_the_report(
    client: Client, measured: Callable[..., Measurement]
) -> None:
    said = text_of(page(client, measured([*calls(60), *logged(20)])))
    assert "assessment 60 measured Calibrate" in said
    assert "own question 20 measured; fewer than 50 recommend nothing" in said
