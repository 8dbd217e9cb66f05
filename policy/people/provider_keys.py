"""Personal keys to providers: stored sealed, never given back but to the judge that asks with them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Model
from django.utils import timezone

from policy.judges.keys import Key
from policy.people import audit, vault
from policy.people.models import Health, ProviderKey, Role, User
from policy.people.services import require


@dataclass(frozen=True, slots=True)
class Resealed:
    """What a new master key was put over; `unreadable` names the keys that no master key opens."""

    count: int
    unreadable: tuple[str, ...]


# Tables of other rooms that hold sealed texts, so that a new master key is put over them, too.
_holders: list[type[Model]] = []


def also_seals(model: type[Model]) -> None:
    """Have `reseal` take care of this table, too: its rows have a field `sealed`, blank where there is nothing."""
    if model not in _holders:
        _holders.append(model)


def save(*, provider: str, key: Key, by: User) -> ProviderKey:
    """Keep a key for this person, in place of the one before; raises `NotAllowed` and `VaultClosed`."""
    require(Role.MEMBER, by=by)
    with transaction.atomic():
        # The lock orders this behind a change of the master key, see `reseal`.
        User.objects.select_for_update().get(pk=by.pk)
        sealed = vault.seal(key.reveal(), owner=owner(provider, by))
        values = {"sealed": sealed, "last_four": key.hint.removeprefix("…"), "saved_at": timezone.now()}
        row, made = ProviderKey.objects.update_or_create(user=by, provider=provider, defaults=values)
        _forget_health(provider, by=by)
        audit.note("key.saved" if made else "key.replaced", provider, by=by)
    return row


def remove(*, provider: str, by: User) -> bool:
    """Delete this person's key; false where there was none. Raises `NotAllowed`."""
    require(Role.MEMBER, by=by)
    with transaction.atomic():
        gone, _ = ProviderKey.objects.filter(user=by, provider=provider).delete()
        if gone:
            _forget_health(provider, by=by)
            audit.note("key.removed", provider, by=by)
    return bool(gone)


def reseal(*, keep_old: bool) -> Resealed:
    """Seal every key, and what other rooms seal, with the newest master key; raises `VaultClosed`.

    The newest one is made now unless the environment names it.
    The file's older master keys are forgotten afterwards, unless `keep_old` or some key could not be opened.
    """
    of_file = not vault.is_of_environment()
    with _nobody_stores():
        if of_file:
            vault.add_master_key()
        rows: list[Any] = list(ProviderKey.objects.all())
        for model in _holders:
            rows += model._default_manager.exclude(sealed="").select_for_update()
        unreadable = tuple(str(row) for row in rows if not _reseal(row))
        count = len(rows) - len(unreadable)
        audit.note("master-key.changed", f"{count} keys", by=None)
    if of_file and not keep_old and not unreadable:
        with _nobody_stores():
            vault.forget_old_master_keys()
    return Resealed(count, unreadable)


@contextmanager
def _nobody_stores() -> Iterator[None]:
    """A transaction in which nobody else stores a key or changes the master key."""
    with transaction.atomic():
        list(User.objects.select_for_update().values_list("pk"))
        yield


def owner(provider: str, user: User) -> str:
    """What a key is sealed for: a row that is copied to another person or provider does not open."""
    return f"{user.pk} {provider}"


def _reseal(row: Any) -> bool:
    try:
        row.sealed = vault.resealed(row.sealed)
    except vault.NotOurs:
        return False
    row.save(update_fields=["sealed"])
    return True


def _forget_health(provider: str, *, by: User) -> None:
    """What was learned with another key says nothing about this one."""
    Health.objects.filter(user=by, judge=provider).delete()
