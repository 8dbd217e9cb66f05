from __future__ import annotations

import errno
import os
import sqlite3
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError

from jevsite import trouble


def _of_sqlite(file: Path, statement: str) -> DatabaseError:
    """The error of this statement on this file, wrapped as Django does it."""
    wire = sqlite3.connect(file)
    try:
        wire.execute(statement)
    except sqlite3.Error as cause:
        error = DatabaseError(str(cause))
        error.__cause__ = cause
        return error
    finally:
        wire.close()
    raise AssertionError("the statement went through")


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
def test_a_full_disk_is_a_sentence(number: int) -> None:
    words = trouble.sentence(OSError(number, os.strerror(number), "/var/x"))
    assert words == (
        "The disk is full (/var/x could not be written). Free some space, or set JEV_VAR to a folder on another disk."
    )


@pytest.mark.parametrize("number", [errno.EACCES, errno.EROFS, errno.EPERM])
def test_a_folder_that_cannot_be_written_is_named(number: int) -> None:
    words = trouble.sentence(OSError(number, os.strerror(number), "/var/x"))
    assert str(words).startswith(f"/var/x cannot be written ({os.strerror(number)}).")


def test_a_file_in_the_way_is_named() -> None:
    words = trouble.sentence(NotADirectoryError(errno.ENOTDIR, "Not a directory", "/var/x"))
    assert str(words).startswith("/var/x is in the way")


def test_a_missing_package_names_the_command_that_installs_it() -> None:
    words = trouble.sentence(ModuleNotFoundError("No module named 'ninja.errors'", name="ninja.errors"))
    assert str(words).startswith("The Python package 'ninja' is missing here. Run `make demo`")


def test_a_missing_module_of_our_own_keeps_its_traceback() -> None:
    assert trouble.sentence(ModuleNotFoundError("No module named 'arena.x'", name="arena.x")) is None


def test_settings_and_refusals_speak_for_themselves() -> None:
    assert trouble.sentence(ImproperlyConfigured("X is 1.")) == "X is 1."
    assert trouble.sentence(trouble.Refusal("No.")) == "No."


def test_a_file_that_is_no_database_is_told_with_the_mend(tmp_path: Path) -> None:
    file = tmp_path / "db.sqlite3"
    file.write_bytes(b"this is no database " * 100)
    words = str(trouble.sentence(_of_sqlite(file, "SELECT * FROM sqlite_master")))
    assert "is not a database, or it is damaged" in words
    assert "put a backup in its place" in words


def test_a_database_that_cannot_be_opened_is_told(tmp_path: Path) -> None:
    try:
        sqlite3.connect(tmp_path / "no" / "db.sqlite3")
    except sqlite3.Error as cause:
        error = DatabaseError(str(cause))
        error.__cause__ = cause
    assert "cannot be written (unable to open database file)" in str(trouble.sentence(error))


def test_what_nobody_foresaw_keeps_its_traceback(tmp_path: Path) -> None:
    assert trouble.sentence(ValueError("x")) is None
    assert trouble.sentence(OSError(errno.ECHILD, "No child")) is None
    with pytest.raises(ValueError, match="x"), trouble.in_sentences():
        raise ValueError("x")


def test_a_sentence_ends_the_process_with_two(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end, trouble.in_sentences("manage.py"):
        raise trouble.Refusal("The port is taken.")
    assert end.value.code == 2
    assert capsys.readouterr().err == "manage.py: The port is taken.\n"


def test_an_interrupt_ends_without_a_word(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end, trouble.in_sentences():
        raise KeyboardInterrupt
    assert end.value.code == 130
    assert capsys.readouterr().err == ""
