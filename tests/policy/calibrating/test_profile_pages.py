"""Saved profiles: what they cover, two side by side, drift."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from policy.measurements import drift, inline, profiles
from policy.measurements.models import Measurement, SavedProfile
from policy.people.models import User
from tests.policy.calibrating.conftest import calls, text_of

pytestmark = pytest.mark.django_db


def test_without_a_profile_it_says_how_one_comes_about(client: Client) -> None:
    assert "No profile is saved yet." in text_of(client.get("/calibration/profiles/"))


@pytest.fixture
def two(measured: Callable[..., Measurement], owner: User) -> tuple[SavedProfile, SavedProfile]:
    done = measured(calls(60))
    low, high = (profiles.save(done, name="gate", thresholds={"restriction": cut}, by=owner) for cut in (0.2, 0.7))
    return low, high


def test_a_profile_shows_its_passport(client: Client, two: tuple[SavedProfile, SavedProfile]) -> None:
    said = text_of(client.get("/calibration/profiles/"))
    assert "gate@2" in said
    assert "small@1" in said
    assert "drift not checked" in said
    assert "of 60" in said


def test_two_profiles_are_compared_case_by_case(client: Client, two: tuple[SavedProfile, SavedProfile]) -> None:
    said = text_of(client.get("/calibration/profiles/?one=gate@1&other=gate@2"))
    flips = profiles.flips(*two, two[0].measurement)  # type: ignore[arg-type]
    assert f"{len(flips)} cases of small@1 would be decided differently" in said
    assert "profile.thresholds.restriction 0.2 0.7" in said


def test_a_profile_that_is_not_there_is_said(client: Client) -> None:
    assert client.get("/calibration/profiles/?one=a@1&other=b@1").status_code == 404


def test_drift_is_measured_and_then_told(client: Client, two: tuple[SavedProfile, SavedProfile], owner: User) -> None:
    kept = two[1]
    with inline.quietly():
        answer = client.post(f"/calibration/profiles/{kept.pk}/drift/")
    sample = Measurement.objects.latest("pk")
    assert answer["Location"].startswith(f"/calibration/measurements/{sample.public_id}/")
    inline.finish(sample)
    assert "Say whether gate@2 has drifted" in text_of(client.get(answer["Location"]))
    client.post(f"/calibration/profiles/{kept.pk}/drift/", {"measurement": sample.public_id})
    said = text_of(client.get("/calibration/profiles/"))
    assert drift.outcome(kept, sample).verdict.value in said
    assert "as labelled now" in said
