"""Which run comes next."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from arena.annotations import places, queue, saying
from arena.annotations.queue import Order
from arena.annotations.saying import Said
from arena.models import Run, RunState
from policy.people.models import User

pytestmark = pytest.mark.django_db(transaction=True)
Verdicts = Callable[..., dict[str, Said]]


def coming(order: Order, rater: User) -> list[int]:
    return [run.pk for run in queue.upcoming(order, by=rater)]


def test_a_run_leaves_a_raters_queue_once_they_have_annotated_it(
    settled: Run, raters: list[User], verdicts: Verdicts
) -> None:
    assert coming(Order.UNCERTAIN, raters[0]) == [settled.pk]
    saying.submit(settled, verdicts(settled, "meets"), by=raters[0])
    assert coming(Order.UNCERTAIN, raters[0]) == []
    assert coming(Order.UNCERTAIN, raters[1]) == [settled.pk]


def test_a_run_with_all_its_raters_waits_for_nobody(settled: Run, raters: list[User]) -> None:
    places.take(settled, by=raters[0])
    places.take(settled, by=raters[1])
    assert coming(Order.UNCERTAIN, raters[2]) == []
    assert coming(Order.UNCERTAIN, raters[0]) == [settled.pk], "a place that one holds oneself still waits"


def test_runs_that_broke_off_never_wait(settled: Run, raters: list[User]) -> None:
    Run.objects.update(state=RunState.PARTIAL)
    assert coming(Order.UNCERTAIN, raters[0]) == []


def test_doubt_comes_first(compare: Callable[..., Run], raters: list[User], verdicts: Verdicts) -> None:
    unsure, apart, clear = (compare("patch") for _ in range(3))
    apart.lanes.filter(position=0).update(passed=False)
    saying.submit(unsure, verdicts(unsure, "cannot_tell"), by=raters[1])
    assert coming(Order.UNCERTAIN, raters[0]) == [unsure.pk, apart.pk, clear.pk]


def test_people_against_the_check(compare: Callable[..., Run], raters: list[User], verdicts: Verdicts) -> None:
    agreed, against = compare("patch"), compare("patch")
    saying.submit(agreed, verdicts(agreed, "meets"), by=raters[1])
    saying.submit(against, verdicts(against, "does_not"), by=raters[1])
    assert coming(Order.DISAGREEING, raters[0]) == [against.pk]


def test_the_audit_takes_about_a_tenth_and_always_the_same() -> None:
    ids = [f"run_{n:012}" for n in range(2000)]
    drawn = [queue.drawn(each) for each in ids]
    assert drawn == [queue.drawn(each) for each in ids]
    assert 150 <= sum(drawn) <= 250


def test_the_page_counts_what_is_done_and_left(
    compare: Callable[..., Run], raters: list[User], verdicts: Verdicts, client: Client
) -> None:
    first, _ = compare("patch"), compare("patch")
    saying.submit(first, verdicts(first, "meets"), by=raters[0])
    assert queue.progress() == [queue.Progress("ada", 1, 1)]
    page = client.get("/annotations/").content.decode()
    assert "ada" in page
    assert "Uncertain" in page


def test_the_page_asks_no_more_of_the_database_for_more_runs(compare: Callable[..., Run], client: Client) -> None:
    def queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as asked:
            assert client.get("/annotations/").status_code == 200
        return len(asked)

    compare("patch")
    before = queries()
    compare("patch")
    assert queries() == before


def test_next_leads_to_a_blind_form_or_back(settled: Run, client: Client) -> None:
    assert client.get("/annotations/next").headers["Location"] == f"/annotations/{settled.public_id}/?order=uncertain"
    form = {"verdict-1": "meets", "verdict-2": "meets", "next": "1", "order": "uncertain"}
    there = client.post(f"/annotations/{settled.public_id}/", form).headers["Location"]
    assert there == "/annotations/next?order=uncertain"
    assert client.get(there).headers["Location"] == "/annotations/"


def test_a_fault_keeps_what_was_typed(settled: Run, client: Client) -> None:
    response = client.post(f"/annotations/{settled.public_id}/", {"verdict-1": "meets", "note-1": "a <b>bold</b> note"})
    page = response.content.decode()
    assert response.status_code == 422
    assert "Side 2 has no verdict yet" in page
    assert "a &lt;b&gt;bold&lt;/b&gt; note" in page


def test_an_order_that_does_not_exist_is_named(client: Client) -> None:
    response = client.get("/annotations/next?order=best")
    assert response.status_code == 422
    assert "uncertain" in response.content.decode()
