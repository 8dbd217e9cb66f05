from __future__ import annotations

import stat
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from jevsite import prepare, tables
from jevsite.trouble import Refusal


def test_the_folders_are_closed_to_others(settings: LazySettings, tmp_path: Path) -> None:
    settings.VAR_DIR = tmp_path / "new" / "var"
    prepare.folders()
    assert [stat.S_IMODE((tmp_path / "new" / name).stat().st_mode) for name in ("var", "var/log")] == [0o700, 0o700]


def test_a_log_that_has_grown_large_makes_room(settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prepare, "LOG_LIMIT", 10)
    prepare.folders()
    large, small = (settings.VAR_DIR / "log" / name for name in ("web.log", "worker.log"))
    large.write_text("x" * 11)
    small.write_text("x" * 10)
    prepare.folders()
    assert (large.exists(), large.with_suffix(".log.1").exists(), small.exists()) == (False, True, True)


@pytest.mark.django_db
def test_a_migration_that_this_version_does_not_know_is_refused() -> None:
    MigrationRecorder(connection).record_applied("arena", "9999_later")
    with pytest.raises(Refusal, match=r"newer version of this program \(arena\.9999_later is unknown here\)"):
        tables.prepare()


@pytest.mark.django_db
def test_a_migration_of_somebody_else_is_none_of_ours() -> None:
    MigrationRecorder(connection).record_applied("elsewhere", "9999_later")
    assert tables._unknown_migrations() == []


def test_the_embedded_broker_gets_its_folders_and_another_one_none(settings: LazySettings) -> None:
    settings.BROKER_URL = "amqp://localhost"
    prepare.queue()
    assert not (settings.VAR_DIR / "broker").exists()
    settings.BROKER_URL = "box://localhost"
    prepare.queue()
    assert (settings.VAR_DIR / "broker" / "queue").is_dir()


def test_whole_fixtures_need_no_word() -> None:
    said: list[str] = []
    prepare.fixtures(said.append)
    assert said == []


def test_tools_that_cannot_be_read_are_said_and_the_site_starts(settings: LazySettings, tmp_path: Path) -> None:
    said: list[str] = []
    settings.FIXTURES_DIR = tmp_path
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "code.toml").write_text("= not toml")
    prepare.fixtures(said.append)
    assert len(said) == 1
    assert said[0].startswith("No comparison can be started: The fixtures cannot be read")
