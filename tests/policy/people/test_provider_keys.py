"""Storing a key, replacing and removing it, and a new master key over all of them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from io import StringIO

import pytest
from cryptography.fernet import Fernet
from django.conf import LazySettings
from django.core.management import CommandError, call_command
from django.db import connection

from jevsite.env import Concealed
from policy.judges.keys import Key
from policy.people import provider_keys, vault
from policy.people.key_sources import in_force
from policy.people.models import AuditEntry, Health, ProviderKey, User
from policy.people.services import NotAllowed, local_user

KEY = "canary-7f3a9c51e2b84d60"


def save(by: User, text: str = KEY, provider: str = "typesafe") -> ProviderKey:
    return provider_keys.save(provider=provider, key=Key(text), by=by)


def in_use(by: User, provider: str = "typesafe") -> str:
    now = in_force(provider, by=by)
    assert now is not None
    assert now.key is not None, now.problem
    return now.key.reveal()


def test_a_stored_key_keeps_its_last_four_and_nothing_else_in_the_open(owner: User) -> None:
    row = save(owner)
    assert (row.last_four, KEY in row.sealed) == ("4d60", False)
    assert in_use(owner) == KEY


def test_of_a_short_key_nothing_is_kept_in_the_open(owner: User) -> None:
    assert save(owner, "local-key").last_four == ""


def test_a_second_key_takes_the_place_of_the_first_and_forgets_how_it_did(owner: User) -> None:
    save(owner)
    Health.objects.create(user=owner, judge="typesafe", failure_code="PERMISSION")
    save(owner, "another-key-0123456789")
    assert (in_use(owner), ProviderKey.objects.count(), Health.objects.count()) == ("another-key-0123456789", 1, 0)
    assert list(AuditEntry.objects.values_list("action", "subject")) == [
        ("key.replaced", "typesafe"),
        ("key.saved", "typesafe"),
    ]


def test_a_removed_key_is_gone(owner: User) -> None:
    save(owner)
    assert provider_keys.remove(provider="typesafe", by=owner)
    assert not provider_keys.remove(provider="typesafe", by=owner)
    assert (in_force("typesafe", by=owner), ProviderKey.objects.count()) == (None, 0)


def test_a_reader_stores_no_key(reader: User) -> None:
    with pytest.raises(NotAllowed, match="needs the role member"):
        save(reader)


def reseal(*options: str) -> str:
    out = StringIO()
    call_command("reseal", *options, stdout=out, stderr=out)
    return out.getvalue()


def test_a_new_master_key_opens_what_the_old_one_sealed(owner: User) -> None:
    sealed = save(owner).sealed
    before = vault.file().read_text()
    assert reseal() == "1 key is sealed with the newest master key.\n"
    assert vault.file().read_text().split() != before.split()
    assert len(vault.file().read_text().split()) == 1
    assert ProviderKey.objects.get().sealed != sealed
    assert in_use(owner) == KEY


def test_the_old_master_key_stays_when_asked_for(owner: User) -> None:
    save(owner)
    before = vault.file().read_text().strip()
    reseal("--keep-old")
    assert vault.file().read_text().split()[1:] == [before]


def test_a_master_key_of_the_environment_is_changed_there(owner: User, settings: LazySettings) -> None:
    save(owner)
    settings.MASTER_KEY = Concealed(vault.VARIABLE, Fernet.generate_key().decode())
    assert "can be taken away now" in reseal()
    vault.file().unlink()
    assert in_use(owner) == KEY


def test_a_key_that_no_master_key_opens_keeps_the_old_ones_and_is_named(owner: User) -> None:
    lost = save(owner, provider="openrouter", text="sk-or-0123456789")
    vault.file().unlink()
    save(owner)
    with pytest.raises(CommandError, match="Old master keys were kept"):
        reseal()
    assert len(vault.file().read_text().split()) == 2
    assert ProviderKey.objects.get(provider="openrouter").sealed == lost.sealed
    assert in_use(owner) == KEY


@pytest.mark.django_db(transaction=True)
def test_keys_that_are_stored_meanwhile_open_afterwards() -> None:
    by = local_user()
    names = [f"provider-{number}" for number in range(24)]

    def store(name: str) -> None:
        save(by, provider=name)
        connection.close()

    def change(_: int) -> None:
        provider_keys.reseal(keep_old=False)
        connection.close()

    with ThreadPoolExecutor(4) as pool:
        work = [pool.submit(store, name) for name in names] + [pool.submit(change, number) for number in range(4)]
        assert [each.exception(timeout=30) for each in work] == [None] * len(work)
    assert {in_use(by, name) for name in names} == {KEY}
    assert len(vault.file().read_text().split()) == 1


def test_an_unusable_master_key_changes_nothing(owner: User, settings: LazySettings) -> None:
    sealed = save(owner).sealed
    settings.MASTER_KEY = Concealed(vault.VARIABLE, "nonsense")
    with pytest.raises(CommandError, match="JEV_MASTER_KEY holds no master key") as refused:
        reseal()
    assert refused.value.returncode == 2
    assert ProviderKey.objects.get().sealed == sealed
