"""Many runs at once: all of them or none."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from django.test import Client

from arena.errors import Conflict, Invalid, Unknown
from arena.listing import marking
from arena.models import Event, Lane, Run, RunState
from policy.people.models import AuditEntry, User
from policy.people.services import NotAllowed

pytestmark = pytest.mark.django_db
Many = Callable[..., list[Run]]


def ids(runs: list[Run]) -> list[str]:
    return [run.public_id for run in runs]


def tags(run: Run) -> list[str]:
    return [each.tag for each in run.tags.all()]


def test_a_tag_is_kept_once_in_one_spelling(many: Many, owner: User) -> None:
    runs = many(2)
    marking.tag(ids(runs), "  Before  the FIX ", by=owner)
    marking.tag(ids(runs), "before the fix", by=owner)
    assert [tags(run) for run in runs] == [["before the fix"]] * 2
    marking.untag(ids(runs[:1]), "Before the fix", by=owner)
    assert [tags(run) for run in runs] == [[], ["before the fix"]]


@pytest.mark.parametrize("text", ["", "  ", "a,b", "x" * 41, "a\x00"])
def test_what_is_no_tag_is_refused(text: str, many: Many, owner: User) -> None:
    with pytest.raises(Invalid, match=r"tag"):
        marking.tag(ids(many(1)), text, by=owner)


def test_one_run_that_is_not_there_stops_the_whole_deed(many: Many, owner: User) -> None:
    runs = many(2)
    for deed in (marking.archive, marking.delete):
        with pytest.raises(Unknown, match="nothing was changed"):
            deed([*ids(runs), "run_nowhere"], by=owner)
    with pytest.raises(Unknown):
        marking.tag([*ids(runs), "run_nowhere"], "x", by=owner)
    assert [tags(run) for run in runs] == [[], []]


def test_a_run_that_goes_on_is_neither_put_away_nor_deleted(many: Many, owner: User) -> None:
    runs = [*many(1), *many(1, state=RunState.RUNNING)]
    for deed in (marking.archive, marking.delete):
        with pytest.raises(Conflict, match="goes on"):
            deed(ids(runs), by=owner)
    assert Run.objects.filter(pk__in=[run.pk for run in runs], archived_at=None).count() == 2


def test_a_reader_marks_nothing(many: Many, reader: User) -> None:
    runs = ids(many(1))
    for deed in (marking.archive, marking.restore, marking.delete):
        with pytest.raises(NotAllowed):
            deed(runs, by=reader)
    with pytest.raises(NotAllowed):
        marking.tag(runs, "x", by=reader)


def test_a_deletion_is_asked_about_with_what_goes_and_done_only_then(many: Many, pattern: Run, client: Client) -> None:
    runs = many(3, events=7)
    form = {"do": "delete", "run": ids(runs[:2]), "back": "state=complete"}
    asked = client.post("/runs/marked", form).content.decode()
    assert "Delete 2 runs?" in asked
    assert "4 lanes, 14 events" in " ".join(asked.split())
    assert Run.objects.count() == 4
    done = client.post("/runs/marked", {**form, "sure": "yes"})
    assert done.headers["Location"] == "/runs/?state=complete"
    assert set(Run.objects.values_list("pk", flat=True)) == {pattern.pk, runs[2].pk}
    assert Lane.objects.filter(run__in=[run.pk for run in runs[:2]]).count() == 0
    assert Event.objects.filter(run=runs[2]).count() == 7
    assert AuditEntry.objects.filter(action="runs-deleted").count() == 1


def test_put_away_and_taken_back(many: Many, owner: User) -> None:
    runs = many(2)
    assert marking.archive(ids(runs), by=owner) == 2
    assert marking.archive(ids(runs), by=owner) == 0
    assert marking.restore(ids(runs[:1]), by=owner) == 1


def test_the_chosen_runs_as_one_document(many: Many, client: Client) -> None:
    runs = many(2)
    response = client.post("/runs/marked", {"do": "export", "run": ids(runs)})
    document = json.loads(b"".join(response.streaming_content))  # type: ignore[attr-defined]
    assert document["kind"] == "jev-arena-runs"
    assert [each["run"]["id"] for each in document["runs"]] == ids(runs)


@pytest.mark.parametrize(("form", "status"), [({"do": "burn"}, 422), ({"do": "tag"}, 422), ({"do": "delete"}, 422)])
def test_a_wrong_form_is_told_why(form: dict[str, str], status: int, client: Client, db: None) -> None:
    assert client.post("/runs/marked", form).status_code == status


def test_no_foreign_address_comes_in_by_the_way_back(many: Many, client: Client) -> None:
    form = {"do": "archive", "run": ids(many(1)), "back": "q=x&evil=https://elsewhere.example"}
    assert client.post("/runs/marked", form).headers["Location"] == "/runs/?q=x"
