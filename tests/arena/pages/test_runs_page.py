"""The list of runs: filters, pages, and figures that say when they are not whole."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client

from arena.errors import Invalid
from arena.models import Lane, Run, RunState
from arena.pages import runs as listing
from arena.runs import start
from policy.people.models import User

pytestmark = pytest.mark.django_db


@pytest.fixture
def begin(owner: User, unpublished: list[tuple[str, int]]) -> Callable[..., Run]:
    def one(case: str = "read", state: RunState = RunState.QUEUED, message: str = "") -> Run:
        run = start.start(case, by=owner, origin="page")
        Run.objects.filter(pk=run.pk).update(state=state, message=message)
        return run

    return one


def measured(run: Run, position: int, tokens: int | None, state: str = "completed") -> None:
    figures = {"input_tokens": {"value": tokens}, "working_ms": {"value": 1500}}
    Lane.objects.filter(run=run, position=position).update(state=state, metrics={"measured": figures})


def page(client: Client, query: str = "") -> str:
    response = client.get(f"/runs/{query}")
    assert response.status_code == 200
    return response.content.decode()


def numbers(text: str) -> list[int]:
    return [int(number) for number in re.findall(r'<tr id="run-(\d+)">', text)]


def test_none_yet_is_not_none_with_these_filters(client: Client, begin: Callable[..., Run]) -> None:
    assert "No run yet." in page(client)
    begin()
    assert "No run with these filters." in page(client, "?state=failed")


def test_the_newest_run_comes_first_with_its_state_and_reason(client: Client, begin: Callable[..., Run]) -> None:
    old, new = begin(), begin("patch", RunState.PARTIAL, "B: the worker was lost")
    text = page(client)
    assert numbers(text) == [new.pk, old.pk]
    assert "B: the worker was lost" in text


def test_runs_are_filtered_by_state_and_case(client: Client, begin: Callable[..., Run]) -> None:
    begin("read", RunState.COMPLETE)
    wanted = begin("patch", RunState.COMPLETE)
    begin("patch")
    assert numbers(page(client, "?state=complete&case=patch")) == [wanted.pk]


def test_an_unknown_state_is_refused_with_the_allowed_ones(client: Client) -> None:
    response = client.get("/runs/?state=asleep")
    assert response.status_code == 422
    assert "Allowed: abandoned, complete" in response.content.decode()


def test_a_page_mark_that_is_no_number_is_refused(client: Client) -> None:
    assert client.get("/runs/?before=x").status_code == 422


def test_one_pages_to_older_runs_and_back(
    client: Client, begin: Callable[..., Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "PAGE", 2)
    made = [begin().pk for _ in range(5)][::-1]
    seen, address = [], ""
    while True:
        text = page(client, address)
        seen.append(numbers(text))
        older = re.search(r'rel="next"\s+href="(.*?)"', text)
        if older is None:
            break
        address = older[1].replace("&amp;", "&")
    assert seen == [made[:2], made[2:4], made[4:]]
    back = re.search(r'rel="prev"\s+href="(.*?)"', text)
    assert back is not None
    assert numbers(page(client, back[1].replace("&amp;", "&"))) == made[2:4]


def test_a_pair_shows_both_figures_and_their_difference(client: Client, begin: Callable[..., Run]) -> None:
    run = begin(state=RunState.COMPLETE)
    measured(run, 0, 18412)
    measured(run, 1, 5354)
    text = page(client)
    assert "18,412" in text
    assert "5,354" in text
    assert "−71\u202f%" in text


def test_a_lane_that_broke_off_has_a_lower_bound_and_no_difference(client: Client, begin: Callable[..., Run]) -> None:
    run = begin(state=RunState.STOPPED)
    measured(run, 0, 7002, state="stopped")
    measured(run, 1, None, state="stopped")
    text = page(client)
    assert "≥\u202f7,002" in text
    assert re.search(r'<td class="num difference">—</td>', text)
    assert "A not finished" in text
    assert "not passed" not in text


def test_the_list_is_there_while_the_fixtures_are_broken(
    client: Client, begin: Callable[..., Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = begin()

    def broken() -> None:
        raise Invalid("The fixtures cannot be read.")

    monkeypatch.setattr(listing, "library", broken)
    page = client.get("/runs/")
    assert page.status_code == 200
    assert run.public_id in page.content.decode()
