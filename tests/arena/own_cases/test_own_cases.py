"""Cases of one's own: checked like those of the files, versioned, listed and run beside them, a person's own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

from arena.errors import Conflict, Invalid, Unknown
from arena.library import library
from arena.models import Run, RunState
from arena.own_cases import reading, services, sheet, shelf
from arena.own_cases.services import InvalidCase
from arena.runs import start
from policy.people.models import Role, User
from policy.people.services import NotAllowed

SUM = "def total(items):\n    return sum(items)\n"
CASE: dict[str, Any] = {
    "title": "What total gives back",
    "task": "Read src/total.py and tell me which function it defines.",
    "files": {"src/total.py": SUM},
    "acceptable": [["read_file"], ["read_lines"]],
    "values": {"path": "src/total.py"},
    "checks": [
        {"kind": "answer_contains", "texts": ["total"]},
        {"kind": "called", "tools": ["read_file", "read_lines"]},
    ],
}


@pytest.fixture
def other(db: None) -> User:
    return User.objects.create(username="other", role=Role.MEMBER)


@pytest.mark.django_db
def test_a_case_stands_among_those_of_the_files(owner: User, other: User, client: Client) -> None:
    row = services.make(CASE, by=owner)
    assert row.public_id in [case.id for case in shelf.books(by=owner).cases]
    assert row.public_id not in [case.id for case in shelf.books(by=other).cases]
    assert row.title in client.get("/?all=1").content.decode()
    assert row.public_id in [case["id"] for case in client.get("/api/arena/cases").json()["cases"]]


def test_a_case_with_files_of_its_own_runs_to_its_green_check(owner: User, compare: Callable[..., Run]) -> None:
    row = services.make(CASE, by=owner)
    run = compare(row.public_id, menu_size=8)
    assert run.state == RunState.COMPLETE, run.message
    assert [lane.passed for lane in run.lanes.all()] == [True, True], [lane.check_result for lane in run.lanes.all()]
    assert run.world_snapshot.content["collections"]["files"]["src/total.py"]["content"] == SUM


def test_an_edit_is_a_new_version_and_old_runs_stay(owner: User, compare: Callable[..., Run]) -> None:
    row = services.make(CASE, by=owner)
    before = compare(row.public_id, menu_size=3, arms=["full"])
    services.change(row, {**CASE, "title": "Another title"}, version=1, by=owner)
    with pytest.raises(Conflict, match="changed in the meantime"):
        services.change(row, CASE, version=1, by=owner)
    after = compare(row.public_id, menu_size=3, arms=["full"])
    before.refresh_from_db()
    assert (before.case_title, after.case_title) == (CASE["title"], "Another title")
    assert before.setup_digest != after.setup_digest


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"title": ""}, "title"),
        ({"title": "x" * 201}, "title"),
        ({"task": 5}, "task"),
        ({"acceptable": [["no_such_tool"]]}, "acceptable"),
        ({"acceptable": []}, "acceptable"),
        ({"forbids": ["read_file"]}, "restrictions"),
        ({"checks": []}, "checks"),
        ({"checks": [{"kind": "rubric", "text": "Is it kind?"}]}, "checks"),
        ({"checks": [{"kind": "answer_matches", "pattern": "("}]}, "checks[0].pattern"),
        ({"checks": [{"kind": "json_path", "path": "name"}]}, "checks[0].path"),
        ({"checks": [{"kind": "magic"}]}, "checks[0].kind"),
        ({"world": "lamplight"}, "world"),
        ({"files": None, "world": "nowhere"}, "world"),
        ({"files": {"../etc/passwd": "x"}}, "files"),
        ({"files": {"a": 5}}, "files"),
        ({"catalog": "nothing"}, "catalog"),
        ({"real_arms": ["full"]}, "real_arms"),
        ({"real_arms": "full"}, "real_arms"),
        ({"surprise": 1}, "surprise"),
        ({"task": "a \x00 b"}, "document"),
    ],
)
def test_a_wrong_field_is_named_and_nothing_is_kept(owner: User, change: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidCase) as wrong:
        services.make({**CASE, **change}, by=owner)
    assert wrong.value.field == field, wrong.value.message
    assert services.of(owner) == []


@pytest.mark.django_db
def test_what_belongs_to_somebody_else_is_not_there(owner: User, other: User, reader: User) -> None:
    row = services.make(CASE, by=owner)
    with pytest.raises(Unknown):
        services.find(row.public_id, by=other)
    with pytest.raises(Unknown):
        start.start(row.public_id, by=other, origin="api")
    with pytest.raises(NotAllowed):
        services.make(CASE, by=reader)


@pytest.mark.django_db
def test_what_is_put_away_starts_no_run(owner: User) -> None:
    row = services.make(CASE, by=owner)
    services.archive(row, by=owner)
    with pytest.raises((Unknown, Invalid)):
        start.start(row.public_id, by=owner, origin="api")


@pytest.mark.parametrize("case", library().cases, ids=lambda case: case.id)
def test_every_case_of_the_files_goes_through_the_form_with_every_field_and_check(case: Any) -> None:
    given = {name: value for name, value in case.to_json().items() if name != "id"}
    made = sheet.document(sheet.of_document(given), before=given)
    plain, _ = reading.split(made)
    books = library()
    found = reading.case(plain, case_id=case.id, catalog=books.catalog, worlds=books.worlds)
    assert sorted(map(str, found.checks)) == sorted(map(str, case.checks))
    assert replace(found, checks=case.checks) == case


@pytest.mark.django_db
def test_write_change_and_put_away_in_the_browser(client: Client, owner: User) -> None:
    form = {
        "title": "Ask first",
        "task": "Write to her.",
        "kind": "ask",
        "lang": "en",
        "ending": "question",
        "world": "lamplight",
        "check_kind": ["asked", ""],
        "check_what": ["who", ""],
        "check_value": ["", ""],
    }
    led = client.post("/cases/new", form)
    assert led.status_code == 302, led.content.decode()
    row = services.of(owner)[0]
    assert row.document["checks"] == [{"kind": "asked", "values": ["who"], "least": 1}]
    wrong = client.post(led["Location"], {**form, "version": "1", "acceptable": "no_such_tool"})
    assert wrong.status_code == 422
    assert 'id="fault-acceptable"' in wrong.content.decode()
    assert "Write to her." in wrong.content.decode()
    changed = client.post(led["Location"], {**form, "version": "1", "title": "Ask at once"})
    assert changed.status_code == 302
    assert "Version 2" in client.get(led["Location"]).content.decode()
    assert client.post(f"{led['Location']}archive").status_code == 302
    assert services.of(owner) == []


@pytest.mark.django_db
def test_an_import_in_the_browser_and_the_way_over_the_api(client: Client, owner: User) -> None:
    assert client.post("/cases/", {"document": "{"}).status_code == 422
    made = client.post("/api/arena/own-cases", {"case": CASE}, content_type="application/json")
    assert made.status_code == 201, made.content
    one = f"/api/arena/own-cases/{made.json()['id']}"
    again = client.put(one, {"case": made.json()["case"], "version": 1}, content_type="application/json")
    assert (again.status_code, again.json()["version"], again.json()["usable"]) == (200, 2, True)
    faulty = client.post("/api/arena/own-cases", {"case": {**CASE, "checks": []}}, content_type="application/json")
    assert (faulty.status_code, "checks" in faulty.json()["detail"]) == (422, True)
    assert client.delete(one).status_code == 204
    assert client.get("/api/arena/own-cases").json() == {"cases": []}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"restrictions": ["x" * 2_001]}, "restrictions has 2,001 characters in one text"),
        ({"restrictions": ["Keep out."] * 21}, "restrictions has 21 entries; keep to 20"),
        ({"checks": CASE["checks"] * 26}, "checks has 52 entries; keep to 50"),
        ({"summary": "x" * 2_001}, "summary has 2,001 characters"),
        ({"turns": [{"question": "Which?", "answer": "x" * 20_000}]}, "turns make the task"),
    ],
)
def test_a_case_that_would_keep_a_worker_busy_is_refused(more: dict[str, Any], says: str, owner: User) -> None:
    with pytest.raises(InvalidCase, match=says):
        services.make({**CASE, **more}, by=owner)
    assert not services.of(owner)
