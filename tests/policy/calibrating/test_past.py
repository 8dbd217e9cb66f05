"""The time machine: stored decisions under other thresholds, none of them asked again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from policy.calibrating import past
from policy.engine.profile import Thresholds
from policy.judges.scripted import Script, ScriptedJudge
from policy.models import LedgerEntry
from policy.people.models import User
from policy.services import judgments
from tests.policy.calibrating.conftest import calls, text_of

pytestmark = pytest.mark.django_db


def judge(violates: float, missing: float = 0.1, matches: float = 0.9) -> ScriptedJudge:
    answers = {"violates_restriction": violates, "missing_information": missing, "matches_task": matches}
    return ScriptedJudge(Script({name: {"noul": value} for name, value in answers.items()}))


def assess(by: User, asked: ScriptedJudge) -> str:
    result = judgments.assess_call(
        task="tidy up", tool="delete", arguments={"path": "/srv"}, by=by, origin="api", judge=asked
    )
    return result.result.status.value


@pytest.mark.parametrize(
    ("cuts", "now"),
    [
        ({}, "allow"),
        ({"restriction": 0.4}, "deny"),
        ({"missing_information": 0.1}, "ask"),
        ({"task_match": 0.95}, "ask"),
    ],
)
def test_a_call_is_decided_again_as_the_engine_does(cuts: dict[str, float], now: str, owner: User) -> None:
    assert assess(owner, judge(0.4)) == "allow"
    found = past.decisions()
    assert [past.word(each.flips.at(Thresholds(**cuts))) for each in found] == [now]
    assert LedgerEntry.objects.count() == 1


def test_measurements_and_failures_are_no_decisions(owner: User, measured: Callable[..., Any]) -> None:
    measured(calls(3))
    broken = ScriptedJudge(Script({"violates_restriction": {"noul": 7}}))
    assess(owner, broken)
    assert past.decisions() == []


def test_the_page_gets_every_decision_with_its_flips(client: Client, owner: User) -> None:
    assess(owner, judge(0.4))
    told = client.get("/calibration/past.json").json()["past"]
    assert [(each["kind"], each["was"], each["words"]) for each in told] == [
        ("call", "allow", ["deny", "ask", "allow"])
    ]
    points = [{axis["name"]: axis["points"] for axis in each["tables"][0]["axes"]} for each in told]
    assert points == [{"restriction": [0.4], "missing_information": [0.1], "task_match": [0.9]}]
    row = LedgerEntry.objects.get()
    assert told[0]["address"] == f"/usage/requests/{row.pk}/"
    assert "tidy up" in told[0]["title"]


def test_the_sliders_begin_where_the_address_says(client: Client) -> None:
    page = client.get("/calibration/past/?cut-restriction=0.47&cut-selection=7").content.decode()
    assert 'value="0.47"' not in page
    assert 'value="0.47"' in client.get("/calibration/past/?cut-restriction=0.47").content.decode()
    assert "Past decisions" in text_of(client.get("/calibration/past/"))


def test_a_call_does_not_pretend_to_know_its_profile(client: Client, owner: User) -> None:
    assess(owner, judge(0.4))
    [told] = client.get("/calibration/past.json").json()["past"]
    assert told["profile"] == past.IN_FORCE_UNKNOWN
    said = text_of(client.get("/calibration/past/"))
    assert "which one was in force at the newest decision is unknown" in said


def test_without_decisions_the_sliders_stand_at_the_profile_of_today(client: Client) -> None:
    assert "the judge's profile of today; no decision is stored yet" in text_of(client.get("/calibration/past/"))
