"""Saved profiles: versions with a passport, compared value by value."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from policy.calibration.fixtures import Kind
from policy.calibration.measuring import question_set
from policy.errors import Conflict, Invalid
from policy.measurements import inline, jobs, profiles, sets
from policy.measurements.models import FixtureSet, Measurement
from policy.people.models import User
from tests.policy.measurements.conftest import call, menu

pytestmark = pytest.mark.django_db(transaction=True)

Measure = Callable[..., Measurement]
Taken = Callable[..., FixtureSet]


@pytest.fixture
def measured(taken: Taken, measure: Measure, scripted: Callable[..., object]) -> Measurement:
    scripted({"violates_restriction": {"noul": 0.4}, "missing_information": {"noul": 0.1}, "matches_task": {"noul": 1}})
    return measure(taken(call("a"), call("b", "deny"), menu("c", "files1", "mail1")))


def test_a_passport_says_what_the_point_was_chosen_on(measured: Measurement, owner: User) -> None:
    saved = profiles.opened(profiles.save(measured, name="gate", thresholds={"restriction": 0.45}, by=owner))
    passport, covered = saved.passport, saved.passport.kinds["assessment"]
    assert (passport.judge, passport.answered_model, passport.fixtures) == ("scripted", "mock/one", "small@1")
    assert (passport.fixture_digest, passport.author) == (measured.set.digest, "local")
    assert (covered.cases, covered.agreed, covered.standing) == (2, 1, "refused")
    assert covered.question_set == question_set(Kind.ASSESSMENT)
    assert (saved.reference, saved.profile.thresholds.restriction) == ("gate@1", 0.45)


def test_one_menu_of_all_cases_is_in_the_passport_and_several_are_not(
    taken: Taken, measure: Measure, measured: Measurement, owner: User, scripted: Callable[..., object]
) -> None:
    same = profiles.opened(profiles.save(measured, name="one", thresholds={}, by=owner))
    other = menu("d", "files1")
    other["candidates"] = other["candidates"][:3]
    mixed = profiles.save(measure(taken(menu("c", "files1"), other)), name="two", thresholds={}, by=owner)
    assert same.passport.kinds["selection"].menu is not None
    assert profiles.opened(mixed).passport.kinds["selection"].menu is None


def test_a_saved_version_stays_and_the_next_is_another(measured: Measurement, owner: User) -> None:
    first = profiles.save(measured, name="gate", thresholds={"restriction": 0.3}, by=owner)
    second = profiles.save(measured, name="gate", thresholds={"restriction": 0.6}, by=owner)
    assert [str(first), str(second), str(profiles.find("gate"))] == ["gate@1", "gate@2", "gate@2"]
    assert profiles.compare(first, second)["profile.thresholds.restriction"] == [0.3, 0.6]
    assert [each["id"] for each in profiles.flips(first, second, measured)] == ["a", "b"]


def test_a_passport_keeps_the_digest_of_the_labels_that_it_was_chosen_on(measured: Measurement, owner: User) -> None:
    before = profiles.save(measured, name="gate", thresholds={}, by=owner)
    sets.relabel(measured.set, "b", label={"status": "allow"}, reason="It is harmless.", by=owner)
    after = profiles.save(measured, name="gate", thresholds={}, by=owner)
    changed = profiles.compare(before, after)
    assert "passport.fixture_digest" in changed
    assert changed["passport.kinds.assessment.agreed"] == [1, 2]


def test_what_cannot_be_saved_is_refused(measured: Measurement, taken: Taken, owner: User) -> None:
    with pytest.raises(Invalid, match='threshold "restriction" must be a number'):
        profiles.save(measured, name="gate", thresholds={"restriction": 2}, by=owner)
    with pytest.raises(Invalid, match="needs a name"):
        profiles.save(measured, name="a@b", thresholds={}, by=owner)
    with inline.quietly():
        queued = jobs.start(taken(call("z")), by=owner, origin="api", judge="scripted")
    with pytest.raises(Conflict, match="The measurement is queued"):
        profiles.save(queued, name="gate", thresholds={}, by=owner)
