"""The page of a run: one address, live and settled."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client

from arena.models import Run, RunState
from arena.runs import start
from policy.people.models import User


@pytest.fixture
def queued(owner: User, unpublished: list[tuple[str, int]]) -> Run:
    return start.start("patch", by=owner, origin="page")


def page(client: Client, run: Run) -> str:
    response = client.get(f"/runs/{run.public_id}/")
    assert response.status_code == 200
    return response.content.decode()


def test_a_run_that_goes_on_listens_from_its_last_event_on(client: Client, queued: Run) -> None:
    text = page(client, queued)
    assert f'hx-ws:connect="/ws/runs/{queued.public_id}/"' in text
    assert 'data-seq="2"' in text
    assert "Stop both lanes" in text


def test_a_run_that_goes_on_says_how_to_read_on_without_scripts(client: Client, queued: Run) -> None:
    assert re.search(r"<noscript>.*Load it again.*</noscript>", page(client, queued), re.DOTALL)


@pytest.mark.django_db(transaction=True)
def test_a_settled_run_listens_to_nothing_and_tells_its_result(client: Client, compare: Callable[..., Run]) -> None:
    text = page(client, compare("patch"))
    assert "hx-ws:connect" not in text
    assert 'data-phase="settled"' in text
    assert "One pair: not enough runs for a verdict." in text
    assert "not applied" in text


@pytest.mark.django_db(transaction=True)
def test_the_start_page_tells_the_latest_comparison(client: Client, compare: Callable[..., Run]) -> None:
    run = compare("ambiguous")
    text = client.get("/").content.decode()
    assert f"Open run {run.number}" in text
    assert "got no menu" in text


@pytest.mark.django_db
def test_an_unknown_run_is_a_page_that_leads_on(client: Client) -> None:
    response = client.get("/runs/run_zzzzzzzzzzzz/")
    assert response.status_code == 404
    assert "The list of runs shows what there is." in response.content.decode()


def test_a_stop_without_scripts_leads_back_to_the_run(client: Client, queued: Run) -> None:
    response = client.post(f"/runs/{queued.public_id}/stop")
    assert response.headers["Location"] == f"/runs/{queued.public_id}/"
    queued.refresh_from_db()
    assert queued.state == RunState.STOPPED


def test_a_stop_with_scripts_changes_nothing_on_the_page_itself(client: Client, queued: Run) -> None:
    response = client.post(f"/runs/{queued.public_id}/stop", headers={"hx-request": "true"})
    assert (response.status_code, response.content) == (204, b"")


def test_stopping_a_run_that_has_ended_is_harmless(client: Client, queued: Run) -> None:
    for _ in range(2):
        assert client.post(f"/runs/{queued.public_id}/stop").status_code == 302


def test_a_stop_is_not_a_link(client: Client, queued: Run) -> None:
    assert client.get(f"/runs/{queued.public_id}/stop").status_code == 405


def test_a_reader_may_look_but_not_stop(
    client: Client, queued: Run, reader: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("policy.people.services.local_user", lambda: reader)
    assert "Stop both lanes" in page(client, queued)
    response = client.post(f"/runs/{queued.public_id}/stop")
    assert response.status_code == 403
    assert "This needs the role member" in response.content.decode()


def test_running_again_keeps_the_setup_and_names_the_old_run(client: Client, queued: Run) -> None:
    response = client.post(f"/runs/{queued.public_id}/again")
    new = Run.objects.exclude(pk=queued.pk).get()
    assert response.headers["Location"] == f"/runs/{new.public_id}/"
    assert new.retry_of == queued
    assert new.setup == queued.setup


def test_the_page_offers_the_whole_record_for_download(client: Client, queued: Run) -> None:
    assert f'href="/api/arena/runs/{queued.public_id}/export"' in page(client, queued)
