"""Foreseen trouble as one sentence and exit code 2; what nobody foresaw keeps its traceback."""

from __future__ import annotations

import errno
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

INSTALL = "Run `make demo`, or install requirements/run.txt and use `.venv/bin/python manage.py`."
OUR_PACKAGES = frozenset({"arena", "jevsite", "policy"})


class Refusal(Exception):
    """A start that cannot be; the text names the item, the cause and the mend."""


_FULL = "The disk is full{where}. Free some space, or set JEV_VAR to a folder on another disk."
_LOCKED_OUT = (
    "{what} cannot be written ({reason}). Give this user the right to write there, or set JEV_VAR to another folder."
)
_BROKEN = (
    "The database file {file} is not a database, or it is damaged. "
    "Move it away to start with an empty one, or put a backup in its place."
)
_SQLITE = {
    "SQLITE_NOTADB": _BROKEN,
    "SQLITE_CORRUPT": _BROKEN,
    "SQLITE_FULL": _FULL,
    # What SQLite says where a write stops at a limit of the disk or of the process.
    "SQLITE_IOERR_WRITE": _FULL,
    "SQLITE_IOERR_SHMSIZE": _FULL,
    "SQLITE_READONLY": _LOCKED_OUT,
    "SQLITE_CANTOPEN": _LOCKED_OUT,
    "SQLITE_IOERR": "The database file {file} cannot be read or written (input/output error). Check the disk.",
    "SQLITE_BUSY": "The database file {file} is held by another program. Close that program and start again.",
}


def sentence(error: BaseException) -> str | None:
    """What a person can do about it, or None where nobody foresaw this error."""
    if isinstance(error, Refusal):
        return str(error)
    if isinstance(error, ModuleNotFoundError):
        package = (error.name or "").partition(".")[0]
        return None if package in OUR_PACKAGES else f"The Python package {package!r} is missing here. {INSTALL}"
    if isinstance(error, OSError):
        return _of_system(error)
    return _of_django(error)


def _of_system(error: OSError) -> str | None:
    if error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}:
        return _FULL.format(where=f" ({error.filename} could not be written)" if error.filename else "")
    if error.errno in {errno.EACCES, errno.EPERM, errno.EROFS} and error.filename:
        return _LOCKED_OUT.format(what=error.filename, reason=error.strerror)
    if error.errno in {errno.ENOTDIR, errno.EEXIST, errno.EISDIR} and error.filename:
        return f"{error.filename} is in the way ({error.strerror}). Move it, or set JEV_VAR to another folder."
    return None


def _of_django(error: BaseException) -> str | None:
    from django.core.exceptions import ImproperlyConfigured
    from django.db import Error

    if isinstance(error, ImproperlyConfigured):
        return str(error)
    if isinstance(error, Error):
        return _of_database(error)
    return None


def _of_database(error: BaseException) -> str | None:
    from django.db import OperationalError, connection

    settings = connection.settings_dict
    if isinstance(error.__cause__, sqlite3.Error):
        name = getattr(error.__cause__, "sqlite_errorname", "")
        # Extended names only add detail: SQLITE_READONLY_DIRECTORY is SQLITE_READONLY.
        known = next((_SQLITE[key] for key in sorted(_SQLITE, reverse=True) if name.startswith(key)), None)
        file = settings["NAME"]
        return known and known.format(file=file, what=file, where=f" ({file} could not be written)", reason=error)
    if connection.vendor == "postgresql" and isinstance(error, OperationalError) and connection.connection is None:
        where = f"{settings['HOST'] or 'localhost'}:{settings['PORT'] or 5432}"
        first_line = str(error).partition("\n")[0]
        return f"The database at {where} cannot be reached ({first_line}). Start it, or correct DATABASE_URL."
    return None


@contextmanager
def in_sentences(program: str = "") -> Iterator[None]:
    """Run a command; foreseen trouble ends the process with its sentence on stderr and exit code 2."""
    try:
        yield
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as error:
        # The edge of the process: anything without a sentence goes on as it was.
        words = sentence(error)
        if words is None:
            raise
        print(f"{program or Path(sys.argv[0]).name}: {words}", file=sys.stderr)
        sys.exit(2)
