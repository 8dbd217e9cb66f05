"""The pages of sets: a file comes in whole or not at all, labels change with a reason, doubles are told."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from policy.measurements import inline
from policy.measurements.models import FixtureSet, Measurement
from policy.people.models import User
from tests.policy.calibrating.conftest import calls, logged, text_of
from tests.policy.measurements.conftest import call, lines

pytestmark = pytest.mark.django_db


def upload(client: Client, text: str, name: str = "") -> str:
    file = SimpleUploadedFile("gate.jsonl", text.encode())
    return text_of(client.post("/calibration/import/", {"file": file, "name": name}, follow=True))


def test_a_file_becomes_a_set_under_its_own_name(client: Client) -> None:
    said = upload(client, lines(*calls(3)))
    assert "gate@1 is here: 3 fixtures." in said
    assert FixtureSet.objects.get().source == "gate.jsonl"


def test_faults_name_line_field_and_mend_and_nothing_is_imported(client: Client) -> None:
    wrong = call("b", "perhaps")
    said = upload(client, lines(call("a"), wrong))
    assert "Nothing was imported." in said
    assert "line 2" in said
    assert "status" in said
    assert not FixtureSet.objects.exists()


def test_faults_are_a_list(client: Client) -> None:
    wrong = lines(call("a", "perhaps"), call("b", "maybe"))
    answer = client.post("/calibration/import/", {"file": SimpleUploadedFile("x.jsonl", wrong.encode())})
    assert re.findall(r"<li>(line \d)", answer.content.decode()) == ["line 1", "line 2"]


def test_an_import_counts_what_it_masked(client: Client) -> None:
    said = upload(client, lines(call("a", task="log in with password=hunter2-of-the-lab")))
    assert "1 text held a credential, which is masked and was not stored." in said
    assert "No credential was found in it." in upload(client, lines(call("b")))
    # And whenever a set is looked at again.
    first, second = FixtureSet.objects.order_by("id")
    assert "1 text with a masked credential" in text_of(client.get(f"/calibration/sets/{first.public_id}/"))
    assert "no masked credential" in text_of(client.get(f"/calibration/sets/{second.public_id}/"))


def test_a_file_that_is_no_text_is_refused_with_its_byte(client: Client) -> None:
    file = SimpleUploadedFile("x.jsonl", b"ab\xff")
    answer = client.post("/calibration/import/", {"file": file})
    assert answer.status_code == 422
    assert "Byte 3 of the file is not UTF-8." in text_of(answer)


def test_an_export_comes_in_again_as_the_same_set(client: Client, taken: Callable[..., FixtureSet]) -> None:
    kept = taken(*calls(4), name="gate")
    text = client.get(f"/calibration/sets/{kept.public_id}/export.jsonl").content.decode()
    upload(client, text, name="gate")
    assert FixtureSet.objects.count() == 1


def test_a_shipped_set_is_one_click_away(client: Client) -> None:
    assert "Import everyday" in text_of(client.get("/calibration/"))
    said = text_of(client.post("/calibration/shipped/everyday/", follow=True))
    assert "everyday@1 is here" in said


def test_a_label_changes_with_its_reason_and_its_past(client: Client, taken: Callable[..., FixtureSet]) -> None:
    kept = taken(call("a"), call("b"))
    sent = {"fixture": "a", "label": json.dumps({"status": "deny"}), "reason": "it deletes the backup"}
    said = text_of(client.post(f"/calibration/sets/{kept.public_id}/label/", sent, follow=True))
    assert "a is labelled anew" in said
    assert "it deletes the backup" in said
    kept.refresh_from_db()
    assert [change.reason for change in kept.rows.get(fixture_id="a").changes.all()] == ["it deletes the backup"]


@pytest.mark.parametrize(
    ("label", "reason", "says"),
    [
        ("{", "why not", "not JSON"),
        ('{"status": "never"}', "why not", "cannot be that"),
        ('{"status": "deny"}', " ", "A label needs a reason"),
    ],
)
def test_a_label_that_cannot_be_is_refused(
    label: str, reason: str, says: str, client: Client, taken: Callable[..., FixtureSet]
) -> None:
    kept = taken(call("a"))
    sent = {"fixture": "a", "label": label, "reason": reason}
    answer = client.post(f"/calibration/sets/{kept.public_id}/label/", sent)
    assert answer.status_code == 422
    assert says in text_of(answer)
    assert kept.rows.get().title == "allow"


def test_cases_that_ask_the_same_are_told(client: Client, taken: Callable[..., FixtureSet]) -> None:
    twin = {**call("a"), "id": "b", "expect": {"status": "deny"}}
    kept = taken(call("a"), twin)
    said = text_of(client.get(f"/calibration/sets/{kept.public_id}/"))
    assert "the same is asked, labels contradict" in said
    assert "1 pair of cases ask the same and are labelled differently." in said


def test_long_sets_are_read_page_by_page(client: Client, taken: Callable[..., FixtureSet]) -> None:
    kept = taken(*calls(60))
    address = f"/calibration/sets/{kept.public_id}/"
    assert "1 to 50 of 60" in text_of(client.get(address))
    assert "51 to 60 of 60" in text_of(client.get(f"{address}?from=50"))
    assert "1 to 1 of 1 " in text_of(client.get(f"{address}?find=call-007"))


def test_foreign_text_stays_text(client: Client, taken: Callable[..., FixtureSet]) -> None:
    kept = taken(call("a", task="<script>alert(1)</script>", reason="<b>"))
    page = client.get(f"/calibration/sets/{kept.public_id}/").content.decode()
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page


def test_measuring_leads_to_the_page_that_shows_it(client: Client, taken: Callable[..., FixtureSet]) -> None:
    kept = taken(call("a"))
    sent = {"judge": "local", "kind": ["assessment"], "repeats": "2", "order": ["reversed"]}
    with inline.quietly():
        answer = client.post(f"/calibration/sets/{kept.public_id}/measure/", sent)
    begun = Measurement.objects.get()
    assert answer["Location"] == f"/calibration/measurements/{begun.public_id}/"
    assert (begun.repeats, begun.orders) == (2, ["forward", "reversed"])


@pytest.mark.parametrize(
    ("sent", "says"), [({"judge": "nobody"}, "nobody"), ({"repeats": "99"}, "The number of repeats is 99")]
)
def test_a_measurement_that_cannot_be_is_refused(
    sent: dict[str, str], says: str, client: Client, taken: Callable[..., FixtureSet]
) -> None:
    kept = taken(call("a"))
    answer = client.post(f"/calibration/sets/{kept.public_id}/measure/", sent)
    assert answer.status_code == 422
    assert says in text_of(answer)
    assert not Measurement.objects.exists()


def test_a_reader_looks_and_changes_nothing(client: Client, taken: Callable[..., FixtureSet], owner: User) -> None:
    kept = taken(call("a"))
    User.objects.filter(pk=owner.pk).update(role="reader")
    assert "You may look, not change" in text_of(client.get(f"/calibration/sets/{kept.public_id}/"))
    sent = {"fixture": "a", "label": '{"status": "deny"}', "reason": "no"}
    assert client.post(f"/calibration/sets/{kept.public_id}/label/", sent).status_code == 403


def test_what_is_not_there_is_said_with_404(client: Client) -> None:
    for address in ("sets/set_none/", "measurements/meas_none/", "measurements/meas_none/report/"):
        assert client.get(f"/calibration/{address}").status_code == 404


def test_the_languages_of_a_set_are_counted(client: Client, taken: Callable[..., FixtureSet]) -> None:
    rows = [{**call(f"c{place}", "allow"), "lang": "de" if place else "en"} for place in range(3)]
    assert "de 2 , en 1" in text_of(client.get(f"/calibration/sets/{taken(*rows).public_id}/"))


def test_half_a_surrogate_pair_in_an_argument_is_shown_escaped(
    client: Client, taken: Callable[..., FixtureSet]
) -> None:
    question = {"type": "noul", "instructions": "Is it so?"}
    kept = taken(
        call("a") | {"arguments": {"path": "\ud800"}},
        {"id": "b", "kind": "generic", "state": "x\ud800", "question": question, "label": True},
    )
    page = client.get(f"/calibration/sets/{kept.public_id}/")
    assert page.status_code == 200
    assert "\\ud800" in text_of(page)
    assert "x\ufffd" in text_of(page)


def test_a_labelled_case_is_found_again_whatever_its_id_holds(client: Client, taken: Callable[..., FixtureSet]) -> None:
    kept = taken(call("a&b #1"))
    sent = {"fixture": "a&b #1", "label": '{"status": "deny"}', "reason": "because"}
    answer = client.post(f"/calibration/sets/{kept.public_id}/label/", sent)
    assert "a&amp;b #1" in client.get(answer["Location"]).content.decode()
    assert "%26" in answer["Location"]


def test_a_label_that_is_nested_without_end_is_refused(client: Client, taken: Callable[..., FixtureSet]) -> None:
    kept = taken(call("a"))
    sent = {"fixture": "a", "label": "[" * 50_000, "reason": "because"}
    assert client.post(f"/calibration/sets/{kept.public_id}/label/", sent).status_code == 422


def test_a_file_without_an_ending_names_its_set(client: Client) -> None:
    file = SimpleUploadedFile("gate", lines(call("a")).encode())
    client.post("/calibration/import/", {"file": file, "name": ""})
    assert FixtureSet.objects.get().name == "gate"


@pytest.mark.parametrize("name", ['say "no"', "c:\\dir", "plain"])
def test_a_case_is_found_by_its_id_whatever_is_in_it(
    name: str, client: Client, taken: Callable[..., FixtureSet]
) -> None:
    kept = taken(call(name), call("another"))
    said = text_of(client.get(f"/calibration/sets/{kept.public_id}/", {"find": name}))
    assert "1 to 1 of 1" in said


def test_what_no_database_can_look_for_is_looked_for_without_a_fault(client: Client, taken: Callable[..., Any]) -> None:
    kept = taken(call("a"), call("b"))
    answer = client.get(f"/calibration/sets/{kept.public_id}/", {"find": "look at\0 a"})
    assert answer.status_code == 200
    assert "\0" not in answer.content.decode()


def test_logged_rows_name_no_judge(client: Client, measured: Callable[..., Any]) -> None:
    measured(logged(12), judge="local")
    assert "none, logged" in text_of(client.get("/calibration/"))


def test_the_form_says_how_long_measuring_takes(client: Client, measured: Callable[..., Any]) -> None:
    done = measured(calls(4))
    page = f"/calibration/sets/{done.set.public_id}/"
    assert "Of other judges no rate is known until the first measurement." in text_of(client.get(page))
    Measurement.objects.update(judge="local", worked_ms=2000, requests=4)
    assert "about 2 s" in text_of(client.get(page))
