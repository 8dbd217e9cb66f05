"""`/api/policy/calibration/…`: what the walk of docs/api.md does not show, refusals above all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from policy.calibration import fixture_lines, fixtures
from policy.measurements import inline, jobs
from policy.measurements.models import DriftRecord, FixtureSet
from policy.people.models import User
from tests.policy.api.conftest import Post
from tests.policy.measurements.conftest import call, lines

pytestmark = pytest.mark.django_db(transaction=True)

ROOT = "/api/policy/calibration"
SAFE = {"violates_restriction": {"noul": 0.1}, "missing_information": {"noul": 0.1}, "matches_task": {"noul": 0.9}}


@pytest.fixture
def measured(post: Post, owner: User, scripted: Callable[..., Any]) -> str:
    """The id of a complete measurement of 30 allowed calls."""
    scripted(SAFE)
    post("calibration/sets", {"name": "calls", "lines": lines(*(call(f"c{n}") for n in range(30)))})
    with inline.quietly():
        id: str = post("calibration/measurements", {"set": "calls", "judge": "scripted"}).json()["id"]
        assert inline.finish(jobs.find(id)).state == "complete"
    return id


def get(client: Client, path: str) -> Any:
    return client.get(f"{ROOT}/{path}").json()


def test_a_faulty_file_is_refused_with_its_first_lines(post: Post) -> None:
    refused = post("calibration/sets", {"name": "x", "lines": lines(*(call(f"c{n}", "yes") for n in range(7)))})
    assert refused.status_code == 422
    assert "line 1: expect.status is 'yes'; use one of: allow" in refused.json()["detail"]
    assert "and 2 more" in refused.json()["detail"]
    assert not FixtureSet.objects.exists()


def test_a_set_goes_out_as_it_came_in(post: Post, client: Client, db: None) -> None:
    kept = post("calibration/sets", {"name": "x", "lines": lines(call("a"), call("b", "deny"))}).json()
    answer = client.get(f"{ROOT}/sets/x/export")
    read = fixture_lines.read(answer.content.decode())
    assert fixtures.set_digest(each.digest for each in read) == kept["digest"]
    assert get(client, "sets/x@1")["kinds"] == {"assessment": 2}


def test_a_changed_label_is_in_the_history(post: Post, client: Client, db: None) -> None:
    post("calibration/sets", {"name": "x", "lines": lines(call("a"))})
    post("calibration/labels", {"set": "x", "fixture": "a", "label": {"status": "deny"}, "reason": "A secret."})
    (change,) = get(client, "sets/x/history")["changes"]
    assert (change["previous"], change["label"], change["reason"]) == (
        {"status": "allow"},
        {"status": "deny"},
        "A secret.",
    )


@pytest.mark.parametrize("path", ["sets/nope", "measurements/meas_no", "profiles/nope@1", "measurements/x/report"])
def test_what_is_not_there_is_told(path: str, client: Client, db: None) -> None:
    answer = client.get(f"{ROOT}/{path}")
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown")


def test_a_report_says_that_scripted_answers_prove_nothing(measured: str, client: Client) -> None:
    found = get(client, f"measurements/{measured}/report")
    assert (found["synthetic"], found["measured"], found["failed"]) == (True, 30, 0)
    assert found["reports"]["assessment"]["verdict"]["standing"] == "refused"


def test_a_report_tells_all_eight_thresholds(measured: str, client: Client) -> None:
    found = {each["name"]: each for each in get(client, f"measurements/{measured}/report")["thresholds"]}
    assert len(found) == 8
    assert found["confidence"]["reasons"] == ["not measured"]
    assert found["restriction"]["proposed"] is None
    assert found["restriction"]["kinds"] == ["assessment"]


def test_a_point_names_the_cases_that_it_decides_otherwise(measured: str, post: Post) -> None:
    point = {"measurement": measured, "thresholds": {"restriction": 0.05}}
    told = post("calibration/points", point).json()
    assert told["points"]["assessment"]["agreed"] == 0
    assert len(told["wrong"]["assessment"]) == 30


def test_a_threshold_outside_its_range_is_refused(measured: str, post: Post) -> None:
    refused = post("calibration/points", {"measurement": measured, "thresholds": {"restriction": 1.5}})
    assert refused.status_code == 422
    refused = post("calibration/profiles", {"measurement": measured, "name": "p", "thresholds": {"restrictions": 0.5}})
    assert "has no key 'restrictions'" in refused.json()["detail"]


def test_a_saved_profile_is_named_in_a_call_and_disarmed_where_it_does_not_fit(measured: str, post: Post) -> None:
    post("calibration/profiles", {"measurement": measured, "name": "gate", "thresholds": {"restriction": 0.4}})
    body = {"task": "look", "tool": "read", "arguments": {}, "profile": "gate@1"}
    armed = post("assess-call", {**body, "judge": "scripted"}).json()
    other = post("assess-call", {**body, "judge": "local"}).json()
    assert (armed["result"]["status"], armed["disarmed"], armed["profile"]["name"]) == ("allow", [], "gate")
    assert (other["result"]["status"], other["requests"]) == ("ask", [])
    assert 'the judge is "local", calibrated was "scripted"' in other["disarmed"]
    assert post("assess-call", {**body, "profile": "gate@9"}).status_code == 404


def test_two_profiles_are_compared_with_the_cases_that_flip(measured: str, post: Post, client: Client) -> None:
    for cut in (0.4, 0.05):
        post("calibration/profiles", {"measurement": measured, "name": "gate", "thresholds": {"restriction": cut}})
    found = get(client, f"compare?one=gate@1&other=gate@2&measurement={measured}")
    assert found["differences"]["profile.thresholds.restriction"] == [0.4, 0.05]
    assert len(found["flips"]) == 30
    assert found["flips"][0]["gate@1"] == "allow"
    assert found["flips"][0]["gate@2"] == "deny"


def test_drift_is_told_when_the_sample_is_measured(
    measured: str, post: Post, client: Client, scripted: Callable[..., Any]
) -> None:
    post("calibration/profiles", {"measurement": measured, "name": "gate", "thresholds": {"restriction": 0.4}})
    scripted({**SAFE, "violates_restriction": {"noul": 0.9}})
    with inline.quietly():
        begun = post("calibration/drift", {"profile": "gate@1", "sample": 20}).json()
        assert begun["outcome"] is None
        inline.finish(jobs.find(begun["measurement"]["id"]))
    outcome = get(client, f"drift/gate@1/{begun['measurement']['id']}")["outcome"]
    assert (outcome["verdict"], outcome["fresh"], outcome["recorded"]) == ("drifted", [0, 20], [30, 30])


def test_reading_a_drift_verdict_keeps_nothing_and_posting_keeps_it_once(
    measured: str, post: Post, client: Client
) -> None:
    post("calibration/profiles", {"measurement": measured, "name": "gate", "thresholds": {}})
    with inline.quietly():
        id = post("calibration/drift", {"profile": "gate", "sample": 20}).json()["measurement"]["id"]
        early = post(f"calibration/drift/gate/{id}", {})
        assert (early.status_code, DriftRecord.objects.count()) == (409, 0)
        inline.finish(jobs.find(id))
    read = get(client, f"drift/gate/{id}")
    assert (read["kept"], DriftRecord.objects.count()) == (False, 0)
    kept = [post(f"calibration/drift/gate/{id}", {}).json() for _ in range(2)]
    assert kept[0] == kept[1] == {**read, "kept": True} == get(client, f"drift/gate/{id}")
    assert DriftRecord.objects.count() == 1


@pytest.mark.parametrize(
    ("path", "more", "field"),
    [
        ("points", {"thresholds": {"restriction": "0.5"}}, "thresholds.restriction"),
        ("points", {"thresholds": {"restriction": True}}, "thresholds.restriction"),
        ("profiles", {"name": "x", "thresholds": {"restriction": "0.5"}}, "thresholds.restriction"),
        ("points", {"thresholds": {}, "prices": [{"decision": "ask", "label": "deny", "cost": "1"}]}, "prices.0.cost"),
        ("points", {"thresholds": {}, "prices": [{"decision": "ask", "label": "deny", "cost": 1}] * 2}, "prices"),
    ],
)
def test_what_is_no_number_or_said_twice_is_refused_with_its_place(
    path: str, more: dict[str, Any], field: str, measured: str, post: Post
) -> None:
    refused = post(f"calibration/{path}", {"measurement": measured, **more})
    assert (refused.status_code, refused.json()["field"]) == (422, field)


def test_two_prices_for_one_pair_are_refused_with_the_pair(measured: str, post: Post) -> None:
    twice = [{"decision": "allow", "label": "deny", "cost": cost} for cost in (10, 1)]
    refused = post("calibration/points", {"measurement": measured, "thresholds": {}, "prices": twice})
    assert "allow where the label says deny has two prices; keep one of them" in refused.json()["detail"]


@pytest.mark.parametrize("label", [1.0, None, ["allow"]])
def test_a_label_of_another_type_is_refused(label: object, post: Post) -> None:
    post("calibration/sets", {"name": "x", "lines": lines(call("a"))})
    refused = post("calibration/labels", {"set": "x", "fixture": "a", "label": label, "reason": "Why not."})
    assert (refused.status_code, refused.json()["field"]) == (422, "label")
    assert "an object, true or false, a whole number or a text" in refused.json()["detail"]


def test_a_measurement_in_progress_is_stopped_once(post: Post, owner: User) -> None:
    post("calibration/sets", {"name": "x", "lines": lines(call("a"))})
    with inline.quietly():
        id = post("calibration/measurements", {"set": "x", "judge": "scripted"}).json()["id"]
        assert post("calibration/measurements", {"set": "x", "judge": "scripted"}).status_code == 409
    assert post("calibration/measurements/stop", {"measurement": id}).json()["state"] == "stopped"
    assert post("calibration/measurements/stop", {"measurement": id}).status_code == 409
