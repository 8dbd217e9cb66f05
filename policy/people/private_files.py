"""Files that hold a secret: readable by their owner alone, or refused."""

from __future__ import annotations

import os
import secrets
import stat
from pathlib import Path

MOST_BYTES = 4096


class NotPrivate(Exception):
    """A file that others can read, or that cannot be used; the text says what to do and never what is in it."""


def read(file: Path, *, folder: bool = True) -> str | None:
    """The text of a file with mode 0600, in a folder with mode 0700 where `folder` says so; None where there is none.

    Raises `NotPrivate`. A byte order mark and white space at both ends are dropped.
    """
    try:
        with open(file, "rb") as handle:
            _refuse_shared(file, os.fstat(handle.fileno()), folder=folder)
            raw = handle.read(MOST_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise NotPrivate(f"{file} cannot be read ({error.strerror}).") from None
    if len(raw) > MOST_BYTES:
        raise NotPrivate(f"{file} is longer than {MOST_BYTES} bytes; it must hold nothing but the key.")
    try:
        return raw.decode("utf-8-sig").strip()
    except UnicodeDecodeError:
        raise NotPrivate(f"{file} is no text in UTF-8; it must hold nothing but the key.") from None


def write(file: Path, text: str, *, replace: bool) -> None:
    """Put the text into a file for its owner alone, whole or not at all.

    Without `replace` raises `FileExistsError` where another process was first.
    """
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = file.with_name(f".{file.name}.{secrets.token_hex(6)}")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as handle:
            handle.write(text)
            handle.flush()
            os.fsync(handle.fileno())
        if replace:
            draft.replace(file)
        else:
            os.link(draft, file)
    finally:
        draft.unlink(missing_ok=True)


def _refuse_shared(file: Path, found: os.stat_result, *, folder: bool) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise NotPrivate(f"{file} is no file; put the key into a file of that name.")
    if os.name != "posix":
        return
    if stat.S_IMODE(found.st_mode) & 0o077:
        raise NotPrivate(f"Other users can read {file}. Run: chmod 600 {file}")
    if folder and stat.S_IMODE(file.parent.stat().st_mode) & 0o077:
        raise NotPrivate(f"Other users can look into {file.parent}. Run: chmod 700 {file.parent}")
