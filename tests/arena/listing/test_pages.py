"""Pages by keys: every run once, in order, there and back, with the same number of queries."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from arena.errors import Invalid
from arena.listing import pages
from arena.listing.wanted import SORTS, Wanted
from arena.models import Run

pytestmark = pytest.mark.django_db
Many = Callable[..., list[Run]]


@pytest.mark.parametrize("sort", SORTS)
def test_every_run_comes_once_and_the_way_back_shows_the_same_pages(sort: str, many: Many) -> None:
    for title in ("Mail", "Cart", "Ödegaard", "Cart"):
        many(3, case_title=title)
    wanted = Wanted(sort=sort)
    there, page = [], pages.page(wanted, limit=4)
    while True:
        there.append([run.pk for run in page.runs])
        if page.before is None:
            break
        page = pages.page(wanted, before=page.before, limit=4)
    assert sorted(pk for shown in there for pk in shown) == sorted(Run.objects.values_list("pk", flat=True))
    back = [there[-1]]
    while page.after is not None:
        page = pages.page(wanted, after=page.after, limit=4)
        back.append([run.pk for run in page.runs])
    assert back == there[::-1]


def test_by_case_means_by_title_and_newest_first_in_it(many: Many) -> None:
    many(2, case_title="Mail")
    many(2, case_title="Cart")
    shown = pages.page(Wanted(sort="case")).runs
    assert [run.case_title for run in shown] == sorted(run.case_title for run in shown)
    carts = [run.pk for run in shown if run.case_title == "Cart"]
    assert carts == sorted(carts, reverse=True)


def test_a_mark_whose_run_is_gone_still_leads_on(many: Many) -> None:
    runs = many(4)
    mark = runs[2].pk
    runs[2].delete()
    assert [run.pk for run in pages.page(Wanted(), before=mark).runs][:2] == [runs[1].pk, runs[0].pk]
    with pytest.raises(Invalid, match="is gone"):
        pages.page(Wanted(sort="case"), before=mark)


def test_two_marks_are_one_too_many(pattern: Run) -> None:
    with pytest.raises(Invalid, match="one mark"):
        pages.page(Wanted(), before=1, after=1)


@pytest.mark.parametrize(
    "address", ["/runs/", "/runs/?q=read&state=complete&arm=full&sort=case", "/runs/?annotated=full"]
)
def test_the_list_costs_the_same_queries_with_more_runs(address: str, many: Many, client: Client) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as asked:
            assert client.get(address).status_code == 200
        return len(asked)

    many(3)
    queries()
    few = queries()
    many(120)
    assert queries() == few


def test_a_runs_page_costs_the_same_queries_with_more_events(many: Many, client: Client) -> None:
    def queries(run: Run) -> int:
        client.get(f"/runs/{run.public_id}/")  # the first look is logged
        with CaptureQueriesContext(connection) as asked:
            assert client.get(f"/runs/{run.public_id}/").status_code == 200
        return len(asked)

    short, long = many(1, events=4)[0], many(1, events=400)[0]
    many(50)
    assert queries(short) == queries(long)


def test_an_unchanged_list_is_not_sent_again(many: Many, client: Client) -> None:
    run = many(2)[0]
    have = re.search(r'name="have"\s+value="(\w+)"', client.get("/runs/").content.decode())
    assert have is not None
    assert client.get(f"/runs/?have={have[1]}").status_code == 204
    Run.objects.filter(pk=run.pk).update(seq=99)
    changed = client.get(f"/runs/?have={have[1]}")
    assert changed.status_code == 200
    assert b"<html" not in changed.content
