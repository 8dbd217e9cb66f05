"""Which measurement may say whether a profile has drifted, and what a set leaves unasked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from policy.errors import Conflict, Invalid
from policy.measurements import drift, inline, jobs, profiles, reports
from policy.measurements.models import DriftRecord, FixtureSet, Measurement
from policy.people.models import User
from tests.policy.measurements.conftest import call, menu

pytestmark = pytest.mark.django_db
Taken = Callable[..., FixtureSet]
Measure = Callable[..., Measurement]
SAFE = {"violates_restriction": {"noul": 0.1}, "missing_information": {"noul": 0.1}, "matches_task": {"noul": 0.9}}
LOGGED = {"id": "r", "kind": "generic", "probability": 0.7, "label": True}


def test_only_a_check_of_the_profile_gives_a_verdict(
    taken: Taken, measure: Measure, scripted: Callable[..., Any], owner: User
) -> None:
    scripted(SAFE)
    measured, other = measure(taken(call("a"))), measure(taken(call("b"), name="other"))
    kept = profiles.save(measured, name="gate", thresholds={}, by=owner)
    for wrong in (measured, other):
        with pytest.raises(Conflict, match="is no drift check of gate@1"):
            drift.conclude(kept, wrong, by=owner)
    assert not DriftRecord.objects.exists()
    with inline.quietly():
        begun = drift.start(kept, by=owner, origin="test")
    drift.conclude(kept, inline.finish(begun), by=owner)
    assert DriftRecord.objects.count() == 1


def test_a_profile_of_own_questions_only_has_nothing_to_check(
    taken: Taken, measure: Measure, scripted: Callable[..., Any], owner: User
) -> None:
    scripted({})
    kept = profiles.save(measure(taken(LOGGED)), name="own", thresholds={}, by=owner)
    with pytest.raises(Conflict, match="questions of your own only"):
        drift.start(kept, by=owner, origin="test")


def test_no_kind_at_all_is_refused_with_those_that_are_there(taken: Taken, owner: User) -> None:
    with pytest.raises(Invalid, match=r"No kind is named\. small@1 has assessment"):
        jobs.start(taken(call("a")), by=owner, origin="test", kinds=[])


def test_a_selection_without_a_tool_to_offer_is_unasked(
    taken: Taken, measure: Measure, scripted: Callable[..., Any]
) -> None:
    scripted({**SAFE})
    locked = [{"id": "wipe", "categories": ["files"], "restricted": True}]
    kept = taken(menu("a") | {"candidates": []}, menu("b") | {"candidates": locked}, call("c"))
    measured = measure(kept)
    found = reports.reports(measured)
    assert list(found) == ["assessment"]
    assert reports.document(measured, found)["unasked"] == 2
