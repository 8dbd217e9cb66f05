"""A run under a saved profile: armed it selects, disarmed nothing is selected and nobody is asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client

from arena.models import Run
from arena.runs.setup import Setup
from policy.calibration.fixtures import Kind
from policy.calibration.measuring import Options, question_set
from policy.calibration.passport import Covered, Passport, Saved
from policy.judges import registry
from policy.models import LedgerEntry, SavedProfile
from policy.people.models import User

pytestmark = pytest.mark.django_db


def saved(settings: LazySettings, *, judge: str = "local", lines: bool = True) -> Saved:
    own = registry.profile("local")
    model: str = registry.get("local", cache_dir=settings.VECTORS_DIR).model  # type: ignore[attr-defined]
    options = Options(lines, own.limits).of(Kind.SELECTION)
    covered = Covered(question_set(Kind.SELECTION), options, None, 120, 0, 110, (0.8, 0.9), "ok")
    passport = Passport(
        judge, "", model, model, "small@1", "f" * 64, "meas_x", "2026-11-30T20:00:00Z", "local", {"selection": covered}
    )
    return Saved(own, passport)


def test_an_armed_profile_selects_as_the_same_without_a_passport(
    compare: Callable[..., Run], settings: LazySettings
) -> None:
    plain, armed = compare(menu_size=8), compare(menu_size=8, profile=saved(settings))
    assert armed.outcome == plain.outcome != "unavailable"
    assert Setup.from_json(armed.setup).passport == saved(settings).passport


def test_a_disarmed_profile_withholds_and_asks_nobody(compare: Callable[..., Run], settings: LazySettings) -> None:
    run = compare(menu_size=8, profile=saved(settings, lines=False))
    decided = run.events.get(kind="routing.decided").payload
    assert (run.state, run.outcome) == ("partial", "unavailable")
    assert "is disarmed: the option member_lines is true, calibrated was false" in decided["selection"]["reason"]
    assert [lane.state for lane in run.lanes.all()] == ["completed", "withheld"]
    assert not LedgerEntry.objects.exists()


def test_a_run_is_started_with_a_profile_by_its_name(
    client: Client, settings: LazySettings, owner: User, unpublished: Any
) -> None:
    one = saved(settings)
    document, passport = one.profile.to_json(), one.passport.to_json()
    SavedProfile.objects.create(name="mine", version=1, document=document, digest="d", passport=passport, by=owner)
    body = {"case": "patch", "profile": "mine@1"}
    assert client.post("/api/arena/runs", body, content_type="application/json").status_code == 201
    assert "passport" in Run.objects.get().setup
    refused = client.post("/api/arena/runs", {**body, "profile": "mine@2"}, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (404, "unknown")
