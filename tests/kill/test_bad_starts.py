"""A start that cannot be: one sentence, exit code 2, no traceback, nothing left half-made."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.kill.site import PROJECT, UP

# Root may write anywhere; without this capability the rights of files hold for root as for everybody.
PLAIN_RIGHTS = ["setpriv", "--bounding-set=-dac_override", "--"] if os.geteuid() == 0 else []


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "var"


def start(folder: Path, before: Sequence[str] = (), **variables: str) -> subprocess.CompletedProcess[str]:
    kept = {key: value for key, value in os.environ.items() if key not in {"DATABASE_URL", "BROKER_URL"}}
    env = {**kept, "JEV_VAR": str(folder), **variables}
    command = [*before, *UP, "--no-first-run"]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, env=env, stdin=subprocess.DEVNULL)


def migrated(folder: Path) -> Path:
    """A folder as an earlier start has left it; returns its database."""
    env = {**os.environ, "JEV_VAR": str(folder)}
    env.pop("DATABASE_URL", None)
    command = [sys.executable, str(PROJECT / "manage.py"), "migrate", "-v0"]
    subprocess.run(command, check=True, env=env)
    return folder / "db.sqlite3"


def refused(done: subprocess.CompletedProcess[str], *words: str) -> bool:
    assert "Traceback" not in done.stderr
    assert all(word in done.stderr for word in words), done.stderr
    assert done.stderr.count("\n") == 1
    return done.returncode == 2


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    done = start(tmp_path / "var", before=PLAIN_RIGHTS)
    tmp_path.chmod(0o700)
    assert refused(done, f"{tmp_path}/var cannot be written (Permission denied)", "JEV_VAR")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_became_read_only_is_named(folder: Path) -> None:
    migrated(folder)
    before = sorted(folder.iterdir())
    folder.chmod(0o500)
    done = start(folder, before=PLAIN_RIGHTS)
    folder.chmod(0o700)
    assert refused(done, "cannot be written (Permission denied)")
    assert sorted(folder.iterdir()) == before


def test_a_full_disk_is_a_sentence_and_the_next_start_goes_on(folder: Path) -> None:
    migrated(folder)
    (folder / "db.sqlite3").unlink()
    done = start(folder, before=["prlimit", "--fsize=65536", "--"])
    assert refused(done, "The disk is full", "Free some space")
    assert list(folder.rglob("*.draft")) == []
    migrated(folder)


def test_a_file_that_is_no_database_is_named_and_left_alone(folder: Path) -> None:
    folder.mkdir()
    file = folder / "db.sqlite3"
    file.write_bytes(b"not a database at all\n" * 500)
    assert refused(start(folder), f"{file} is not a database, or it is damaged", "put a backup in its place")
    assert file.read_bytes() == b"not a database at all\n" * 500


def test_a_database_of_a_newer_version_is_refused(folder: Path) -> None:
    with sqlite3.connect(migrated(folder)) as wire:
        wire.execute("INSERT INTO django_migrations (app, name, applied) VALUES ('arena', '9999_later', '2030-01-01')")
    wire.close()
    assert refused(start(folder), "made by a newer version of this program (arena.9999_later is unknown here)")


def test_a_file_in_the_place_of_the_folder_is_named(folder: Path) -> None:
    folder.write_text("in the way")
    assert refused(start(folder), "is in the way", "JEV_VAR")


@pytest.mark.parametrize(
    ("variable", "value", "words"),
    [
        ("JEV_MODE", "public", "JEV_MODE is 'public'; it must be one of local."),
        ("JEV_DEBUG", "yes", "JEV_DEBUG is 'yes'; it must be true or false."),
        ("JEV_LOG_LEVEL", "LOUD", "JEV_LOG_LEVEL is 'LOUD'; it must be one of DEBUG"),
        ("LANE_LEASE_S", "1", "LANE_LEASE_S is 1; a worker that is busy for a moment would lose its lane."),
        ("DATABASE_URL", "mysql://h/x", "DATABASE_URL names no database"),
        ("DATABASE_URL", "postgres://u:p@127.0.0.1:1/x", "The database at 127.0.0.1:1 cannot be reached"),
    ],
)
def test_a_wrong_setting_is_a_sentence(folder: Path, variable: str, value: str, words: str) -> None:
    assert refused(start(folder, (), **{variable: value}), words)


def test_a_missing_requirement_names_the_command_that_installs_it(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "ninja").mkdir()
    (tmp_path / "ninja" / "__init__.py").write_text("raise ModuleNotFoundError('No module', name='ninja')\n")
    assert refused(start(folder, PYTHONPATH=str(tmp_path)), "The Python package 'ninja' is missing", "make demo")


def test_a_python_without_django_names_the_command_too(folder: Path) -> None:
    done = subprocess.run([sys.executable, "-S", UP[1], "up"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert "Run `make demo`" in done.stderr
