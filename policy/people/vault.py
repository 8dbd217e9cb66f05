"""Sealing what is secret at rest: Fernet, with the master keys of the environment and of a file, newest first."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings

from policy.people import private_files
from policy.people.private_files import NotPrivate

VARIABLE = "JEV_MASTER_KEY"
_SHAPE = "32 bytes in URL-safe base64, made by cryptography's Fernet.generate_key()"


class VaultClosed(Exception):
    """No master key can be used; the text says why and what to do."""


class NotOurs(Exception):
    """What was sealed cannot be opened with any master key that is there, or was sealed for somebody else."""


def file() -> Path:
    """Where the master key is kept unless the environment names one."""
    path: Path = settings.VAR_DIR / "master-key"
    return path


def seal(secret: str, *, owner: str) -> str:
    """The secret as a text that may be stored; `owner` must be named again to open it. Makes a master key at need."""
    return _vault(make=True).encrypt(json.dumps([owner, secret]).encode()).decode("ascii")


def opened(sealed: str, *, owner: str, within_s: int | None = None) -> str:
    """The secret again; raises `VaultClosed` and `NotOurs` (also after `within_s` seconds)."""
    try:
        held, secret = json.loads(_vault(make=False).decrypt(sealed.encode("utf-8", "replace"), ttl=within_s))
    except (InvalidToken, ValueError):
        raise NotOurs(owner) from None
    if held != owner:
        raise NotOurs(owner)
    return str(secret)


def resealed(sealed: str) -> str:
    """The same secret under the newest master key; raises `VaultClosed` and `NotOurs`."""
    try:
        return _vault(make=False).rotate(sealed.encode("ascii")).decode("ascii")
    except (InvalidToken, ValueError):
        raise NotOurs("") from None


def look() -> None:
    """Raises `VaultClosed` for a master key that is there and cannot be used; none at all is fine before the first."""
    _keys()


def add_master_key() -> None:
    """Put a new master key in front of those in the file; the old ones still open."""
    keys = [Fernet.generate_key().decode("ascii"), *_of_file()]
    private_files.write(file(), _lines(keys), replace=True)


def forget_old_master_keys() -> None:
    """Leave the newest master key of the file only."""
    private_files.write(file(), _lines(_of_file()[:1]), replace=True)


def is_of_environment() -> bool:
    """Whether the environment names the master key that seals."""
    return settings.MASTER_KEY is not None


def _vault(*, make: bool) -> MultiFernet:
    keys = _keys()
    if not keys and make:
        try:
            private_files.write(file(), _lines([Fernet.generate_key().decode("ascii")]), replace=False)
        except FileExistsError:
            pass
        except OSError as error:
            raise VaultClosed(f"The master key cannot be written to {file()} ({error.strerror}).") from None
        keys = _keys()
    if not keys:
        raise VaultClosed(f"There is no master key: {VARIABLE} is not set and {file()} does not exist. Put it back.")
    return MultiFernet(keys)


def _keys() -> list[Fernet]:
    named = settings.MASTER_KEY.reveal().split(",") if settings.MASTER_KEY is not None else []
    found = [(VARIABLE, each.strip()) for each in named] + [(str(file()), each) for each in _of_file()]
    return [_fernet(text, where) for where, text in found]


def _of_file() -> list[str]:
    try:
        text = private_files.read(file(), folder=False)
    except NotPrivate as shared:
        raise VaultClosed(f"The master key is not safe: {shared}") from None
    return [] if text is None else text.split()


def _fernet(text: str, where: str) -> Fernet:
    try:
        return Fernet(text)
    except ValueError:
        raise VaultClosed(f"{where} holds no master key: each is {_SHAPE}.") from None


def _lines(keys: Sequence[str]) -> str:
    return "".join(f"{key}\n" for key in keys)
