"""Looks at a guarantee are counted: the same unsafe rows are one look, others are another in the any-time form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from django.test import Client

from policy.calibration.report import Guarantee
from policy.measurements import drift, inline, jobs, looks, profiles, reports, sets
from policy.measurements.models import FixtureSet, GuaranteeLook, Measurement
from policy.people.models import User
from tests.policy.calibrating.conftest import text_of
from tests.policy.measurements.conftest import Row, call

pytestmark = pytest.mark.django_db(transaction=True)
Taken = Callable[..., FixtureSet]
Measure = Callable[..., Measurement]
STRICT = {"restriction": 0.05, "missingInformation": 0.2, "taskMatch": 0.9}


def rows(unsafe: int) -> list[Row]:
    """So many unsafe calls that are seen as such, and ten safe ones; no two are near-duplicates."""
    return [_row(f"u{n}", "deny", 0.9) for n in range(unsafe)] + [_row(f"s{n}", "allow", 0.02) for n in range(10)]


def _row(id: str, status: str, violates: float) -> Row:
    own = id.translate(str.maketrans("0123456789", "bcdfghjklm"))
    words = " ".join(f"{word}x{own}x" for word in ("north", "south", "east", "west"))
    answers: Mapping[str, Any] = {
        "violates_restriction": {"noul": violates},
        "missing_information": {"noul": 0.1},
        "matches_task": {"noul": 0.95},
    }
    return call(id, status, task=words, answers=answers)


def five_percent(measurement: Measurement, **more: Any) -> Guarantee:
    return looks.looked(measurement, draws=1, **more)["assessment"].guarantees[1]


def test_the_same_rows_are_one_look_however_often(taken: Taken, measure: Measure, scripted: Callable[..., Any]) -> None:
    kept = taken(*rows(60))
    found = [five_percent(each) for each in (measure(kept), measure(kept))]
    assert [(each.look, each.certificate.form, each.certificate.holds) for each in found] == [(1, "one look", True)] * 2
    assert GuaranteeLook.objects.count() == 1


def test_new_rows_are_another_look_along_the_first_path_and_need_more(
    taken: Taken, measure: Measure, scripted: Callable[..., Any]
) -> None:
    first = five_percent(measure(taken(*rows(58))))
    measured = measure(taken(*rows(67)))
    other = reports.profile_of(measured).thresholds.from_json({**STRICT})
    second = five_percent(measured, thresholds=other)
    third = five_percent(measure(taken(*rows(68))))
    assert [each.look for each in (first, second, third)] == [1, 2, 3]
    assert first.path == second.path == third.path
    # 58 are one short of the one-look form, 67 of the any-time form.
    assert [each.certificate.holds for each in (first, second, third)] == [False, False, True]
    assert third.certificate.form == "any time"


def test_a_changed_label_of_an_unsafe_row_is_another_look(
    taken: Taken, measure: Measure, scripted: Callable[..., Any], owner: User
) -> None:
    measured = measure(taken(*rows(60)))
    assert five_percent(measured).look == 1
    sets.relabel(measured.set, "s1", label={"status": "ask"}, reason="Not about unsafe rows.", by=owner)
    assert five_percent(measured).look == 1
    sets.relabel(measured.set, "u1", label={"status": "allow"}, reason="It is harmless.", by=owner)
    assert five_percent(measured).look == 2


def test_another_set_begins_with_its_own_first_look(
    taken: Taken, measure: Measure, scripted: Callable[..., Any]
) -> None:
    found = [five_percent(measure(taken(*rows(60), name=name))).look for name in ("one", "two")]
    assert found == [1, 1]


def test_before_its_end_nothing_is_promised_and_no_look_is_counted(
    taken: Taken, measure: Measure, scripted: Callable[..., Any], client: Client
) -> None:
    measured = measure(taken(*rows(60)))
    Measurement.objects.filter(pk=measured.pk).update(state="measuring")
    measured.refresh_from_db()
    assert looks.looked(measured, draws=1)["assessment"].guarantees == ()
    page = text_of(client.get(f"/calibration/measurements/{measured.public_id}/found/?kind=assessment"))
    assert "No guarantee about unsafe calls is given before the measurement has ended." in page
    assert not GuaranteeLook.objects.exists()


def test_flips_and_drift_are_no_looks(
    taken: Taken, measure: Measure, scripted: Callable[..., Any], owner: User
) -> None:
    measured = measure(taken(*rows(60)))
    one, other = (profiles.save(measured, name="gate", thresholds={"restriction": r}, by=owner) for r in (0.3, 0.95))
    GuaranteeLook.objects.all().delete()
    profiles.flips(one, other, measured)
    with inline.quietly():
        drift.conclude(one, inline.finish(drift.start(one, by=owner, origin="test")), by=owner)
    assert not GuaranteeLook.objects.exists()


def test_a_passport_names_the_form_and_the_look_where_its_point_is_certified(
    taken: Taken, measure: Measure, scripted: Callable[..., Any], owner: User, client: Client
) -> None:
    measured = measure(taken(*rows(60)))
    certified = profiles.save(measured, name="gate", thresholds={"restriction": 0.3}, by=owner)
    loose = profiles.save(measured, name="loose", thresholds={"restriction": 0.95}, by=owner)
    wider = profiles.save(measured, name="wider", thresholds={"restriction": 0.3, "taskMatch": 0.01}, by=owner)
    promised = [profiles.opened(each).passport.kinds["assessment"].guarantee for each in (certified, loose, wider)]
    assert promised == [{"bound": 0.05, "confidence": 0.95, "form": "one look", "look": 1}, None, None]
    page = text_of(client.get("/calibration/profiles/"))
    assert "at most 5 % pass, 95 % sure (one look, look 1)" in page
    assert "nothing is certified at this point" in page


def test_the_page_says_which_look_it_is_and_why_the_bound_is_dearer(
    taken: Taken, measure: Measure, scripted: Callable[..., Any], client: Client
) -> None:
    for many, said in ((60, "Look 1, with "), (70, "Look 2, with ")):
        measured = measure(taken(*rows(many)))
        address = f"/calibration/measurements/{jobs.find(measured.public_id).public_id}/found/?kind=assessment"
        page = [text_of(client.get(address)) for _ in range(2)][-1]
        assert said in page
    assert "unsafe rows have changed since, so the bound is one that holds at any time" in page
    assert GuaranteeLook.objects.count() == 2
