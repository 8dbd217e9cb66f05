"""Judges behind HTTP are measured with the key of the person who began, and no request leaves twice."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client
from django.urls import reverse

from policy.errors import Conflict, Invalid
from policy.judges.keys import Key
from policy.measurements import drift, inline, jobs, profiles, work
from policy.measurements.models import FixtureSet, Measurement
from policy.models import LedgerEntry
from policy.people import provider_keys
from policy.people.models import JudgeChoice, ProviderKey, Purpose, User
from policy.services import health, judges
from tests.policy.judges.http.far_side import FarSide, Visit, far_side, says
from tests.policy.measurements.conftest import call

pytestmark = pytest.mark.django_db(transaction=True)

Taken = Callable[..., FixtureSet]
KEY = "key-of-a-person-0123456789abcdef"
VALUES = {"violates_restriction": 0.2, "missing_information": 0.1, "matches_task": 0.9}


def judges_calls(visit: Visit) -> None:
    """Answers every yes-or-no question of the request."""
    asked = json.loads(visit.body)
    answers = {id: {"type": "noul", "noul": VALUES[id]} for id in asked["questions"]}
    says(200, {"model": asked["model"], "answers": answers, "usage": {"input_tokens": 9, "output_tokens": 3}})(visit)


@pytest.fixture
def side(settings: LazySettings) -> Iterator[FarSide]:
    """A compatible server of this machine, known to the site by its address."""
    health.forget_news()
    with far_side(judges_calls) as running:
        settings.JUDGE_ADDRESSES = {"compatible": running.url, "typesafe": running.url}
        yield running
    judges.close_all()


def begin(kept: FixtureSet, by: User, **terms: Any) -> Measurement:
    with inline.quietly():
        return jobs.start(kept, by=by, origin="page", **{"judge": "compatible", "model": "some/model", **terms})


def asked(side: FarSide) -> list[bytes]:
    return [visit.body for visit in side.visits]


def test_a_judge_behind_http_is_measured_and_asked_once(taken: Taken, owner: User, side: FarSide) -> None:
    kept = taken(*(call(f"c{n}") for n in range(5)))
    done = inline.finish(begin(kept, owner))
    assert (done.state, done.requests, done.failed) == ("complete", 5, 0)
    assert (done.endpoint.startswith(side.url), done.requested_model) == (True, "some/model")
    assert done.answered_model == "some/model"
    again = inline.finish(begin(kept, owner))
    assert (again.state, again.reused, len(side.visits)) == ("complete", 5, 5)


def test_stopped_and_resumed_nothing_leaves_twice(
    taken: Taken, owner: User, side: FarSide, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = begin(taken(*(call(f"c{n}") for n in range(9))), owner)
    monkeypatch.setattr(work, "CHUNK", 4)
    with inline.quietly():
        work.work(begun.pk)
        begun.refresh_from_db()
        jobs.stop(begun, by=owner)
        assert (begun.state, begun.done) == ("stopped", 4)
        jobs.resume(begun, by=owner)
    done = inline.finish(begun)
    assert (done.state, done.requests) == ("complete", 9)
    assert len(asked(side)) == len(set(asked(side))) == 9


def test_the_key_goes_to_the_judge_and_into_no_row(taken: Taken, owner: User, side: FarSide) -> None:
    provider_keys.save(provider="typesafe", key=Key(KEY), by=owner)
    done = inline.finish(begin(taken(call("a")), owner, judge="typesafe", model=""))
    assert done.state == "complete"
    assert side.visits[0].headers["authorization"] == f"Bearer {KEY}"
    rows = [*Measurement.objects.values(), *done.readings.values(), *LedgerEntry.objects.values()]
    assert KEY not in f"{rows}"
    assert done.requested_model == judges.recommended("typesafe")
    assert set(LedgerEntry.objects.values_list("user", flat=True)) == {owner.pk}


def test_without_a_key_it_is_refused_before_there_is_a_row(taken: Taken, owner: User) -> None:
    with pytest.raises(Invalid, match=r"typesafe cannot be asked: .*needs a key"):
        begin(taken(call("a")), owner, judge="typesafe")
    assert not Measurement.objects.exists()


def test_a_key_removed_meanwhile_ends_it_with_a_word_and_it_can_be_resumed(
    taken: Taken, owner: User, side: FarSide, monkeypatch: pytest.MonkeyPatch
) -> None:
    provider_keys.save(provider="typesafe", key=Key(KEY), by=owner)
    begun = begin(taken(*(call(f"c{n}") for n in range(6))), owner, judge="typesafe")
    monkeypatch.setattr(work, "CHUNK", 2)
    with inline.quietly():
        work.work(begun.pk)
        ProviderKey.objects.all().delete()
    ended = inline.finish(begun)
    assert (ended.state, ended.done, len(side.visits)) == ("failed", 2, 2)
    assert "needs a key" in ended.message
    assert "resume" in ended.message
    with pytest.raises(Invalid, match="needs a key"):
        jobs.resume(ended, by=owner)
    provider_keys.save(provider="typesafe", key=Key(KEY), by=owner)
    with inline.quietly():
        jobs.resume(ended, by=owner)
    done = inline.finish(ended)
    assert (done.state, done.done, done.failed) == ("complete", 6, 0)
    assert len(asked(side)) == len(set(asked(side))) == 6


def test_a_refused_key_is_not_tried_on_every_case(taken: Taken, owner: User, settings: LazySettings) -> None:
    with far_side(says(401, {"error": {"message": "bad key"}})) as side:
        settings.JUDGE_ADDRESSES = {"compatible": side.url}
        ended = inline.finish(begin(taken(*(call(f"c{n}") for n in range(6))), owner))
        judges.close_all()
    assert (ended.state, ended.done, ended.failed, len(side.visits)) == ("failed", 1, 1, 1)
    assert "did not accept the key" in ended.message


def test_another_address_is_another_judge(
    taken: Taken, owner: User, side: FarSide, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = begin(taken(call("a"), call("b")), owner)
    monkeypatch.setattr(work, "CHUNK", 1)
    with inline.quietly():
        work.work(begun.pk)
    settings.JUDGE_ADDRESSES = {"compatible": "http://127.0.0.1:9"}
    ended = inline.finish(begun)
    assert (ended.state, ended.done) == ("failed", 1)
    assert "when this measurement began" in ended.message


def test_the_judge_set_for_calibration_is_the_one_without_a_name(taken: Taken, owner: User, side: FarSide) -> None:
    JudgeChoice.objects.create(user=owner, purpose=Purpose.CALIBRATION, judge="compatible", model="my/model")
    done = inline.finish(begin(taken(call("a")), owner, judge=None, model=""))
    assert (done.judge, done.requested_model, done.state) == ("compatible", "my/model", "complete")


def test_drift_asks_the_model_of_the_passport(taken: Taken, owner: User, side: FarSide) -> None:
    done = inline.finish(begin(taken(*(call(f"c{n}") for n in range(4))), owner))
    kept = profiles.save(done, name="gate", thresholds={"restriction": 0.5}, by=owner)
    with inline.quietly():
        sample = drift.start(kept, by=owner, origin="page", sample=4)
    outcome = drift.conclude(kept, inline.finish(sample), by=owner)
    assert (sample.requested_model, outcome.document["changed"]) == ("some/model", [])


def test_the_form_offers_every_judge_and_says_which_lacks_something(
    taken: Taken, owner: User, client: Client, side: FarSide
) -> None:
    JudgeChoice.objects.create(user=owner, purpose=Purpose.CALIBRATION, judge="compatible", model="my/model")
    kept = taken(call("a"))
    page = " ".join(client.get(reverse("policy:fixture-set", args=[kept.public_id])).content.decode().split())
    assert '<option value="compatible" selected>' in page
    assert "OpenRouter · not ready" in page
    refused = client.post(reverse("policy:measure", args=[kept.public_id]), {"judge": "openrouter"})
    assert refused.status_code == 422
    assert "openrouter cannot be asked" in refused.content.decode()
    with inline.quietly():
        client.post(reverse("policy:measure", args=[kept.public_id]), {"judge": "compatible"})
    assert Measurement.objects.get().requested_model == "my/model"


def test_one_at_a_time_counts_for_these_judges_too(taken: Taken, owner: User, side: FarSide) -> None:
    kept = taken(call("a"))
    begin(kept, owner)
    with pytest.raises(Conflict, match="being measured by compatible"):
        begin(kept, owner)
