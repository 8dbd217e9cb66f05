"""A saved profile in the lab: chosen by its name, and disarmed where it does not fit."""

from __future__ import annotations

import html
import re

import pytest
from django.test import Client

from policy.engine.profile import Profile, Thresholds
from policy.models import LedgerEntry, SavedProfile
from policy.people.models import User
from tests.policy.lab.test_pages import CALL, DENIED
from tests.policy.services.test_arming import PASSPORT

pytestmark = pytest.mark.django_db


@pytest.fixture
def kept(owner: User) -> str:
    document = Profile("gate", 2, Thresholds(restriction=0.95)).to_json()
    passport = {**PASSPORT.to_json(), "answered_model": "mock/jev-synthetic"}
    SavedProfile.objects.create(name="gate", version=2, document=document, digest="d", passport=passport, by=owner)
    return "gate@2"


def sent(client: Client, **fields: str) -> str:
    page = client.post("/policy/call/", {**CALL, "mode": "enforce", "script": DENIED, **fields}, follow=True)
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", page.content.decode())))


def test_a_saved_profile_decides_by_its_thresholds(client: Client, kept: str) -> None:
    text = sent(client, profile=kept)
    assert "≥ .95 .93" in text
    assert '"profile": "gate@2"' in text


def test_a_disarmed_one_says_why_and_asks_nobody(client: Client, kept: str) -> None:
    text = sent(client, profile=kept, judge="local")
    assert 'profile gate@2 is disarmed: the judge is "local", calibrated was "scripted"' in text
    assert not LedgerEntry.objects.exists()


def test_a_profile_that_is_not_there_is_refused_by_name(client: Client, kept: str) -> None:
    assert "There is no profile “gate@3”. Choose one of: judge, default, gate@2." in sent(client, profile="gate@3")
