"""Strict readers of the environment: a wrong value stops the start with the variable's name."""

from __future__ import annotations

import os
import secrets
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

# Relative paths in URLs are taken from here, so that every process of a site means the same file.
PROJECT = Path(__file__).resolve().parent.parent
# Every name that was asked for, so that a misspelt one can be told.
known: set[str] = set()


def _read(name: str) -> str | None:
    known.add(name)
    return os.environ.get(name)


def text(name: str, default: str, *, among: Sequence[str] = ()) -> str:
    value = _read(name)
    if value is None:
        return default
    if among and value not in among:
        raise ImproperlyConfigured(f"{name} is {value!r}; it must be one of {', '.join(among)}.")
    return value


def flag(name: str, default: bool) -> bool:
    value = _read(name)
    if value is None:
        return default
    if value not in {"true", "false"}:
        raise ImproperlyConfigured(f"{name} is {value!r}; it must be true or false.")
    return value == "true"


def whole(name: str, default: int, *, at_least: int, at_most: int) -> int:
    value = _read(name)
    if value is None:
        return default
    if not (value.isascii() and value.isdigit() and at_least <= int(value) <= at_most):
        raise ImproperlyConfigured(f"{name} is {value!r}; it must be a whole number from {at_least} to {at_most}.")
    return int(value)


def number(name: str, default: float, *, at_least: float = 0) -> float:
    value = _read(name)
    if value is None:
        return default
    try:
        parsed = float(value)
    except ValueError:
        parsed = float("nan")
    if not parsed >= at_least or parsed == float("inf"):
        raise ImproperlyConfigured(f"{name} is {value!r}; it must be a number of at least {at_least:g}.")
    return parsed


def names(name: str, default: Sequence[str]) -> list[str]:
    value = _read(name)
    return list(default) if value is None else [part.strip() for part in value.split(",") if part.strip()]


class Concealed:
    """A secret of the environment: shows as its name, and whole by `reveal()` only."""

    __slots__ = ("name", "reveal")

    def __init__(self, name: str, value: str) -> None:
        self.name = name
        self.reveal: Callable[[], str] = lambda: value

    def __repr__(self) -> str:
        return f"<{self.name}>"


def concealed(name: str) -> Concealed | None:
    """The secret in the variable, None where it is unset or empty."""
    value = _read(name)
    return Concealed(name, value) if value else None


def secret(name: str, *, file: Path) -> str:
    """The secret from the variable, else from `file`, which is made readable by its owner alone."""
    if value := _read(name):
        return value
    try:
        return file.read_text(encoding="ascii")
    except FileNotFoundError:
        return _new_secret(file)


def _new_secret(file: Path) -> str:
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    value = secrets.token_urlsafe(50)
    draft = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as handle:
            handle.write(value)
        # A hard link fails where another process was first, so all processes agree on one secret.
        os.link(draft, file)
    except FileExistsError:
        return file.read_text(encoding="ascii")
    finally:
        draft.unlink(missing_ok=True)
    return value


def database(name: str, *, default_file: Path) -> dict[str, Any]:
    """Django's database settings from a URL.

    `sqlite:///path` is taken from the project's folder, `sqlite:////path` from the root, and
    `postgres://user:pass@host:port/name?option=value` names a server.
    """
    url = _read(name)
    if url is None:
        return _sqlite(default_file)
    parts = urlsplit(url)
    if parts.scheme == "sqlite" and len(parts.path) > 1 and not parts.netloc:
        return _sqlite(PROJECT / unquote(parts.path[1:]))
    if parts.scheme in {"postgres", "postgresql"} and len(parts.path) > 1:
        return _postgres(parts, name=name)
    raise ImproperlyConfigured(f"{name} names no database; write sqlite:///file or postgres://host/database.")


def _sqlite(file: Path) -> dict[str, Any]:
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": str(file),
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
        },
        # A file, since the doorbell and the workers of a test are other connections; one for each test process.
        "TEST": {"NAME": str(Path(tempfile.gettempdir()) / f"jev-test-{os.getpid()}.sqlite3")},
    }


def _postgres(parts: SplitResult, *, name: str) -> dict[str, Any]:
    try:
        port = str(parts.port or "")
    except ValueError:
        raise ImproperlyConfigured(f"{name} names a port that is no number from 0 to 65535.") from None
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path[1:]),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": unquote(parts.hostname or ""),
        "PORT": port,
        "OPTIONS": dict(parse_qsl(parts.query)),
    }
