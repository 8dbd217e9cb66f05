from __future__ import annotations

import errno
import json
from typing import Any, NoReturn

import pytest
from django.test import Client

from arena.listing import pages


@pytest.fixture
def client() -> Client:
    return Client(raise_request_exception=False, headers={"host": "127.0.0.1:8000"})


def _fail(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*args: Any, **options: Any) -> NoReturn:
        raise error

    monkeypatch.setattr(pages, "page", fails)


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/api/arena/runs", "/runs/"])
def test_a_full_disk_is_said_to_whoever_asked(client: Client, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    _fail(OSError(errno.ENOSPC, "No space left on device"), monkeypatch)
    answer = client.get(path)
    assert answer.status_code == 503
    assert "The disk is full. Free some space" in answer.content.decode()


@pytest.mark.django_db
def test_what_nobody_foresaw_names_the_log_and_shows_no_traceback(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    _fail(ValueError("inner detail"), monkeypatch)
    answer = client.get("/api/arena/runs")
    assert answer.status_code == 500
    document = json.loads(answer.content)
    assert document["detail"].endswith("The log says why.")
    assert "inner detail" not in answer.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "allowed", "kind"),
    [("/api/policy/select-tools", "POST", "application/problem+json"), ("/runs/run_a/stop", "POST", "text/html")],
)
def test_a_wrong_method_names_the_right_one(client: Client, path: str, allowed: str, kind: str) -> None:
    answer = client.get(path)
    assert (answer.status_code, answer["Allow"], answer["Content-Type"].partition(";")[0]) == (405, allowed, kind)
    assert f"This address takes {allowed}, not GET." in answer.content.decode()
