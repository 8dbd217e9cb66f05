"""The order slip with a saved profile: chosen, disarmed with the reason, and part of the run."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client

from arena.models import Run
from policy.measurements.models import SavedProfile
from policy.people.models import User
from tests.arena.pages.test_start_page import ORDER, get
from tests.arena.runs.test_saved_profiles import saved

pytestmark = pytest.mark.django_db


def keep(settings: LazySettings, owner: User, **terms: Any) -> None:
    one = saved(settings, **terms)
    document, passport = one.profile.to_json(), one.passport.to_json()
    SavedProfile.objects.create(name="mine", version=1, document=document, digest="d", passport=passport, by=owner)


def test_a_run_takes_the_profile_that_was_chosen(
    client: Client, settings: LazySettings, owner: User, unpublished: Any
) -> None:
    keep(settings, owner)
    assert client.post("/", {**ORDER, "profile": "mine@1"}).status_code == 302
    assert "passport" in Run.objects.get().setup


def test_without_a_choice_the_judge_brings_its_own(
    client: Client, settings: LazySettings, owner: User, unpublished: Any
) -> None:
    keep(settings, owner)
    assert client.post("/", {**ORDER, "profile": ""}).status_code == 302
    assert "passport" not in Run.objects.get().setup


def test_a_profile_that_fits_is_chosen_without_a_warning(client: Client, settings: LazySettings, owner: User) -> None:
    keep(settings, owner)
    page = get(client, "/?profile=mine@1")
    assert 'value="mine@1"' in page
    assert "is disarmed here" not in page


@pytest.mark.parametrize(
    ("terms", "reason"),
    [
        ({"judge": "typesafe"}, "the judge is &quot;local&quot;, calibrated was &quot;typesafe&quot;"),
        ({"lines": False}, "the option member_lines is true, calibrated was false"),
    ],
)
def test_a_profile_that_does_not_fit_says_why(
    terms: dict[str, Any], reason: str, client: Client, settings: LazySettings, owner: User
) -> None:
    keep(settings, owner, **terms)
    page = get(client, "/?profile=mine@1")
    assert "The profile mine@1 is disarmed here" in page
    assert reason in page
    alone = get(client, "/?profile=mine@1&ordered=1&arms=full")
    assert "is disarmed here" not in alone


def test_a_profile_that_is_not_there_is_a_fault_of_its_field(client: Client) -> None:
    response = client.post("/", {**ORDER, "profile": "none@4"})
    assert response.status_code == 422
    assert "There is no saved profile &#x27;none@4&#x27;" in response.content.decode()
