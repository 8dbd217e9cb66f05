"""Which key is in force: the personal one, then the environment, then the key file. The first that exists counts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from django.conf import settings

from policy.engine.profile import InvalidConfig
from policy.judges.keys import Key
from policy.people import private_files, vault
from policy.people.models import Allowances, ProviderKey, Role, User
from policy.people.provider_keys import owner

ANOTHER_MASTER_KEY = (
    "This key was stored with another master key and cannot be read. Put the old master key back "
    "(JEV_MASTER_KEY or the file master-key), or enter the key again."
)


class Source(StrEnum):
    """Where a key comes from, in order of precedence."""

    PERSONAL = "personal"
    ENVIRONMENT = "environment"
    KEY_FILE = "key file"


@dataclass(frozen=True, slots=True)
class Found:
    """A key that exists somewhere. One that cannot be used is not passed over in silence: `problem` says why."""

    source: Source
    place: str
    key: Key | None = None
    problem: str = ""
    ends_in: str = ""
    saved_at: datetime | None = None


def in_force(provider: str, *, by: User, of_site: bool = True) -> Found | None:
    """The first key that exists for this person and provider; None where there is none.

    `of_site` is false where the address is the person's own: a key of the site goes to no address but the site's.
    """
    return next(found(provider, by=by, of_site=of_site), None)


def found(provider: str, *, by: User, of_site: bool = True) -> Iterator[Found]:
    """Every key that exists, in order of precedence."""
    if row := ProviderKey.objects.filter(user=by, provider=provider).first():
        yield _personal(row, by)
    if not of_site or not may_use_site_keys(by):
        return
    if (named := settings.JUDGE_KEYS.get(provider)) is not None:
        yield _checked(Source.ENVIRONMENT, named.name, named.reveal())
    if (in_file := _of_file(provider)) is not None:
        yield in_file


def may_use_site_keys(by: User) -> bool:
    """Whether the keys of environment and files are for this person, too."""
    return by.role == Role.OPERATOR or allowances().site_keys_for_all


def allowances() -> Allowances:
    """What the operator allows."""
    return Allowances.objects.first() or Allowances()


def key_file(provider: str) -> Path:
    """Where an operator puts the site's key of a provider: mode 0600, in a folder with mode 0700."""
    path: Path = settings.KEYS_DIR / provider
    return path


def _personal(row: ProviderKey, by: User) -> Found:
    key, problem = None, ""
    try:
        key = Key(vault.opened(row.sealed, owner=owner(row.provider, by)), source=Source.PERSONAL)
    except vault.VaultClosed as closed:
        problem = str(closed)
    except (vault.NotOurs, InvalidConfig):
        problem = ANOTHER_MASTER_KEY
    return Found(Source.PERSONAL, "", key, problem, row.last_four, row.saved_at)


def _of_file(provider: str) -> Found | None:
    file = key_file(provider)
    try:
        text = private_files.read(file)
    except private_files.NotPrivate as shared:
        return Found(Source.KEY_FILE, str(file), problem=str(shared))
    return None if text is None else _checked(Source.KEY_FILE, str(file), text)


def _checked(source: Source, place: str, text: str) -> Found:
    try:
        key = Key(text, source=source)
    except InvalidConfig as unusable:
        return Found(source, place, problem=f"{place} cannot be used: {unusable}.")
    return Found(source, place, key, ends_in=key.hint.removeprefix("…"))
