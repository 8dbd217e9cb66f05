"""Strict readers of the environment: a wrong value stops the start with the variable's name."""

from __future__ import annotations

import os
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured


def text(name: str, default: str, *, among: Sequence[str] = ()) -> str:
    value = os.environ.get(name, default)
    if among and value not in among:
        raise ImproperlyConfigured(f"{name} is {value!r}; it must be one of {', '.join(among)}.")
    return value


def flag(name: str, default: bool) -> bool:
    value = os.environ.get(name)
    if value is None:
        return default
    if value not in {"true", "false"}:
        raise ImproperlyConfigured(f"{name} is {value!r}; it must be true or false.")
    return value == "true"


def number(name: str, default: float, *, at_least: float = 0) -> float:
    value = os.environ.get(name)
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
    value = os.environ.get(name)
    return list(default) if value is None else [part.strip() for part in value.split(",") if part.strip()]


def secret(name: str, *, file: Path) -> str:
    """The secret from the variable, else from `file`, which is made readable by its owner alone."""
    if value := os.environ.get(name):
        return value
    try:
        return file.read_text(encoding="ascii")
    except FileNotFoundError:
        return _new_secret(file)


def _new_secret(file: Path) -> str:
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    value = secrets.token_urlsafe(50)
    draft = file.with_name(f".{file.name}.{os.getpid()}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as handle:
        handle.write(value)
    try:
        # A hard link fails where another process was first, so all processes agree on one secret.
        os.link(draft, file)
    except FileExistsError:
        return file.read_text(encoding="ascii")
    finally:
        draft.unlink()
    return value


def database(name: str, *, default_file: Path) -> dict[str, Any]:
    """Django's database settings from a URL: `sqlite:///path` or `postgres://user:pass@host:port/name`."""
    url = os.environ.get(name, f"sqlite:///{default_file}")
    parts = urlsplit(url)
    if parts.scheme == "sqlite":
        return {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": parts.path.removeprefix("/") if parts.path.startswith("//") else parts.path,
            "OPTIONS": {
                "transaction_mode": "IMMEDIATE",
                "timeout": 20,
                "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
            },
            # A file, since the doorbell and the workers of a test are other connections.
            "TEST": {"NAME": str(default_file.with_name(f"test-{default_file.name}"))},
        }
    if parts.scheme in {"postgres", "postgresql"}:
        return {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": unquote(parts.path.lstrip("/")),
            "USER": unquote(parts.username or ""),
            "PASSWORD": unquote(parts.password or ""),
            "HOST": parts.hostname or "",
            "PORT": str(parts.port or ""),
            "OPTIONS": dict(parse_qsl(parts.query)),
        }
    raise ImproperlyConfigured(f"{name} begins with {parts.scheme!r}; it must be sqlite:///… or postgres://….")
