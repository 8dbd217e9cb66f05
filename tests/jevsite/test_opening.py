from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from django.conf import LazySettings
from django.db import DatabaseError

from arena.models import Run
from arena.runs import dispatch, inline, start, warm
from jevsite import address, opening
from policy.people.services import local_user

HERE = "http://127.0.0.1:8000"


class Page(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(500)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def served() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


@pytest.fixture
def said() -> list[str]:
    return []


def _open(said: list[str], stopping: threading.Event | None = None) -> None:
    opening.first_comparison(HERE, say=said.append, stopping=stopping or threading.Event())


def test_a_site_is_ready_when_it_answers_whatever_it_says() -> None:
    with served() as where:
        assert opening.ready(where, stopping=threading.Event(), hopeless=lambda: False)


def test_a_hopeless_web_process_is_not_waited_for() -> None:
    assert not opening.ready(HERE, stopping=threading.Event(), hopeless=lambda: True)


def test_a_stopping_site_is_not_waited_for() -> None:
    stopping = threading.Event()
    stopping.set()
    assert not opening.ready(HERE, stopping=stopping, hopeless=lambda: False)


def test_a_socket_that_nobody_serves_is_not_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "_READY_WITHIN_S", 0.3)
    monkeypatch.setattr(opening, "_ANSWER_WITHIN_S", 0.1)
    with address.listen("127.0.0.1", 0) as sock:
        assert not opening.ready(address.url(sock), stopping=threading.Event(), hopeless=lambda: False)


@pytest.mark.django_db(transaction=True)
def test_the_first_start_follows_a_comparison_to_its_table(said: list[str]) -> None:
    with inline.worker():
        _open(said)
    run = Run.objects.get()
    assert (run.origin, run.case_id, run.setup["menu_size"]) == ("first", "patch", 60)
    assert said[2] == f"Watch it live: {HERE}/runs/{run.public_id}/"
    assert said[3].strip().splitlines()[1].startswith("A  full")
    assert said[4].startswith(f"Run {run.pk} is complete: {HERE}/runs/")


@pytest.fixture(autouse=True)
def _warm(settings: LazySettings) -> None:
    """A worker has warmed its judge, but for the test that says otherwise."""
    warm.mark().touch()


@pytest.mark.django_db(transaction=True)
def test_the_first_comparison_waits_for_the_judge_but_not_for_ever(
    said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    warm.mark().unlink()
    monkeypatch.setattr(opening, "_WARM_WITHIN_S", 0.2)
    monkeypatch.setattr(opening, "_FIRST_WITHIN_S", 0.1)
    with dispatch.to(lambda step, pk: None):
        _open(said)
    assert said[0].startswith("The judge reads the catalog once")
    assert Run.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_later_start_names_the_latest_run_only(said: list[str]) -> None:
    with inline.worker() as wait:
        run = start.start("patch", by=local_user(), origin="api", arms=["full"], pause_s=0)
        wait()
    _open(said)
    assert said == [f"Latest run: {run.pk}, {run.case_title}, complete: {HERE}/runs/{run.public_id}/"]
    assert Run.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_stopping_site_is_not_kept_waiting_by_its_first_run(said: list[str]) -> None:
    stopping = threading.Event()
    stopping.set()
    with dispatch.to(lambda step, pk: None):
        _open(said, stopping)
    assert said[-1].startswith("Watch it live: ")


@pytest.mark.django_db(transaction=True)
def test_a_first_run_that_takes_long_is_left_to_its_page(said: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "_FIRST_WITHIN_S", 0.1)
    with dispatch.to(lambda step, pk: None):
        _open(said)
    assert said[-1] == "It is still running; its page goes on showing it."


@pytest.mark.django_db(transaction=True)
def test_a_database_that_fails_is_said(said: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*args: object, **options: object) -> Run:
        raise DatabaseError("disk I/O error")

    monkeypatch.setattr(start, "start", fails)
    _open(said)
    assert said[-1] == "The first comparison cannot be read (disk I/O error). Its page is in the list of runs."
