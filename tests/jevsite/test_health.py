from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.core.management import call_command
from django.db import ProgrammingError
from django.utils import timezone

from arena.models import Run
from arena.runs import start
from jevsite import broker, health, lock
from policy.people.models import User


def states(part: str) -> dict[str, str]:
    """The findings of one part: text and state."""
    look = next(look for look in health.PARTS if look.__name__ == part)
    return {finding.text: finding.state for finding in look()}


def only(part: str) -> tuple[str, str]:
    ((text, state),) = states(part).items()
    return text, state


def test_python_and_the_packages_that_matter_are_named() -> None:
    text, state = only("python")
    assert state == "ok"
    assert all(f"{name} " in text for name in health.PACKAGES)


def test_little_room_is_a_note_and_none_a_problem(settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    for limit in (0, 10**18):
        monkeypatch.setattr(health, "_ROOM_NOTE", 10**18)
        monkeypatch.setattr(health, "_ROOM_PROBLEM", limit)
        seen.append(only("folders")[1])
    assert seen == ["note", "problem"]


def test_a_folder_that_is_not_there_is_a_problem(settings: LazySettings, tmp_path: Path) -> None:
    settings.VAR_DIR = tmp_path / "nowhere"
    text, state = only("folders")
    assert (state, "cannot be written" in text) == ("problem", True)


def test_a_secret_of_the_owners_alone_is_fine(settings: LazySettings) -> None:
    file = settings.VAR_DIR / "secret-key"
    assert "JEV_SECRET_KEY" in only("secret")[0]
    file.write_text("secret")
    file.chmod(0o600)
    assert only("secret") == (f"{file} is readable by its owner alone", "ok")


@pytest.mark.django_db
def test_a_reachable_database_is_told_with_its_settings() -> None:
    text, state = only("database")
    assert state == "ok"
    assert "journal wal, waits 20 s" in text or text.startswith("PostgreSQL")


def test_the_embedded_broker_counts_what_waits(settings: LazySettings) -> None:
    settings.BROKER_URL = "box://localhost"
    assert only("broker")[1] == "note"
    broker.prepare(settings.VAR_DIR / "broker")
    (settings.VAR_DIR / "broker" / "queue" / "1_x.lanes.msg").write_text("{}")
    assert only("broker") == (f"embedded, in {settings.VAR_DIR / 'broker'}; 1 messages wait", "ok")


def test_a_running_site_is_known_by_its_lock_and_a_dead_child_is_a_problem(settings: LazySettings) -> None:
    assert only("processes")[1] == "note"
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    held = lock.Lock.take(settings.VAR_DIR)
    held.tell(address="http://127.0.0.1:8000", children={"worker": gone.pid, "web server": os.getpid()})
    found = [(finding.part, finding.state) for finding in health.processes()]
    held.release()
    assert found == [("site", "ok"), ("worker", "problem"), ("web server", "ok")]


def test_a_run_that_nobody_takes_shows_that_no_worker_runs(owner: User, unpublished: list[tuple[str, int]]) -> None:
    run = start.start("patch", by=owner, origin="api")
    assert only("queue")[1] == "ok"
    Run.objects.filter(pk=run.pk).update(created_at=timezone.now() - timedelta(minutes=2))
    text, state = only("queue")
    assert (state, text.startswith("1 run and 0 lanes have waited")) == ("problem", True)


def test_the_judge_says_how_it_answers() -> None:
    text, state = only("judge")
    assert text.startswith(
        "local answers with sentence vectors" if state == "ok" else "local compares words only, because"
    )


def test_broken_fixtures_are_problems_with_their_reason(settings: LazySettings, tmp_path: Path) -> None:
    fixtures = tmp_path / "fixtures"
    subprocess.run(["cp", "-r", str(settings.FIXTURES_DIR), str(fixtures)], check=True)
    (fixtures / "cases" / "read.toml").write_text('title = "No task"\n')
    settings.FIXTURES_DIR = fixtures
    found = states("fixtures")
    assert list(found.values()) == ["ok", "problem"]
    assert list(found)[1].startswith("case read is broken: read.toml")
    assert next(iter(found)).endswith("120 tools, 1 world in files; people's own are not looked at")


def test_a_part_that_fails_is_a_problem_and_the_others_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> Iterator[health.Finding]:
        raise ProgrammingError("no such table: arena_run")
        yield

    monkeypatch.setattr(health, "PARTS", (broken, health.python))
    found = [(finding.part, finding.state, finding.text[:13]) for finding in health.examine()]
    assert found[0] == ("broken", "problem", "no such table")
    assert found[1][:2] == ("python", "ok")


@pytest.mark.parametrize(("state", "code"), [("ok", None), ("note", None), ("problem", 1)])
def test_only_a_problem_makes_the_doctor_fail(
    monkeypatch: pytest.MonkeyPatch, state: health.State, code: int | None
) -> None:
    monkeypatch.setattr(health, "examine", lambda: iter([health.Finding("disk", state, "half full")]))
    out = StringIO()
    ended = None
    try:
        call_command("doctor", "--json", stdout=out)
    except SystemExit as end:
        ended = end.code
    assert ended == code
    assert json.loads(out.getvalue()) == {
        "ok": code is None,
        "findings": [{"part": "disk", "state": state, "text": "half full"}],
    }


def test_the_doctor_prints_a_line_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "examine", lambda: iter([health.Finding("disk", "note", "half full")]))
    out = StringIO()
    call_command("doctor", stdout=out)
    assert out.getvalue() == "– note     disk       half full\n"
