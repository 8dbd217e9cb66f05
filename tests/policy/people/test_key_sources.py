"""Which key is in force, and what is said about one that cannot be used."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from django.conf import LazySettings

from jevsite.env import Concealed
from policy.judges.keys import Key
from policy.people import provider_keys, vault
from policy.people.key_sources import Source, found, in_force, key_file
from policy.people.models import Allowances, ProviderKey, Role, User

PERSONAL, NAMED, FILED = "personal-key-of-jo-9Qx1", "environment-key-long-71fd", "key-from-the-file-abcd"


@pytest.fixture
def environment(settings: LazySettings) -> None:
    settings.JUDGE_KEYS = {"typesafe": Concealed("TYPESAFE_API_KEY", NAMED)}


@pytest.fixture
def filed() -> Path:
    """A key file as the operator should put it there."""
    file = key_file("typesafe")
    file.parent.mkdir(mode=0o700)
    file.write_text(f"\ufeff {FILED}\n")
    file.chmod(0o600)
    return file


@pytest.fixture
def stored(owner: User) -> ProviderKey:
    return provider_keys.save(provider="typesafe", key=Key(PERSONAL), by=owner)


@pytest.mark.usefixtures("environment", "filed", "stored")
def test_the_order_is_personal_environment_key_file(owner: User) -> None:
    sources = [(each.source, each.key.reveal() if each.key else "") for each in found("typesafe", by=owner)]
    assert sources == [(Source.PERSONAL, PERSONAL), (Source.ENVIRONMENT, NAMED), (Source.KEY_FILE, FILED)]
    provider_keys.remove(provider="typesafe", by=owner)
    now = in_force("typesafe", by=owner)
    assert now is not None
    assert (now.source, now.place, now.ends_in) == (Source.ENVIRONMENT, "TYPESAFE_API_KEY", "71fd")


def test_without_any_key_there_is_none(owner: User) -> None:
    assert in_force("typesafe", by=owner) is None


@pytest.mark.usefixtures("stored")
def test_a_personal_key_is_its_persons_alone(reader: User) -> None:
    assert in_force("typesafe", by=reader) is None


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("${TYPESAFE_API_KEY}", "a variable that was not filled in"),
        ("{env:TYPESAFE_API_KEY}", "a variable that was not filled in"),
        ("   ", "the key is blank"),
        ("Bearer abc", "begins with the word Bearer"),
    ],
)
@pytest.mark.usefixtures("filed")
def test_a_variable_that_is_no_key_is_told_and_not_passed_over(
    text: str, says: str, owner: User, settings: LazySettings
) -> None:
    settings.JUDGE_KEYS = {"typesafe": Concealed("TYPESAFE_API_KEY", text)}
    now = in_force("typesafe", by=owner)
    assert now is not None
    assert now.key is None
    assert now.problem.startswith("TYPESAFE_API_KEY cannot be used: ")
    assert says in now.problem


@pytest.mark.parametrize(
    ("file_mode", "folder_mode", "mend"),
    [
        (0o640, 0o700, "chmod 600"),
        (0o604, 0o700, "chmod 600"),
        (0o600, 0o750, "chmod 700"),
        (0o600, 0o701, "chmod 700"),
    ],
)
def test_a_key_file_that_others_can_reach_is_refused_with_the_mend(
    file_mode: int, folder_mode: int, mend: str, filed: Path, owner: User
) -> None:
    filed.chmod(file_mode)
    filed.parent.chmod(folder_mode)
    now = in_force("typesafe", by=owner)
    assert now is not None
    assert now.key is None
    assert f"Run: {mend} " in now.problem
    assert FILED not in now.problem


@pytest.mark.parametrize(
    ("raw", "says"),
    [(b"x" * 4097, "longer than 4096 bytes"), (b"\xff\xfe\x00", "no text in UTF-8"), (b"\n", "the key is blank")],
)
def test_a_key_file_that_holds_no_key_is_told(raw: bytes, says: str, filed: Path, owner: User) -> None:
    filed.write_bytes(raw)
    now = in_force("typesafe", by=owner)
    assert now is not None
    assert says in now.problem


def test_a_folder_in_the_place_of_a_key_file_is_told(owner: User) -> None:
    os.makedirs(key_file("typesafe"), mode=0o700)
    now = in_force("typesafe", by=owner)
    assert now is not None
    assert now.key is None
    assert now.problem


def test_a_lost_master_key_is_shown_with_the_mend(stored: ProviderKey, owner: User) -> None:
    vault.file().unlink()
    vault.seal("something else", owner="")
    now = in_force("typesafe", by=owner)
    assert now is not None
    assert (now.key, now.ends_in) == (None, "9Qx1")
    assert "enter the key again" in now.problem


def test_a_row_that_was_copied_to_another_person_opens_for_nobody(stored: ProviderKey, reader: User) -> None:
    stored.pk, stored.user = None, reader
    stored.save()
    now = in_force("typesafe", by=reader)
    assert now is not None
    assert now.key is None


@pytest.mark.usefixtures("environment", "stored")
def test_a_key_of_the_site_is_for_the_address_of_the_site_only(owner: User) -> None:
    assert [each.source for each in found("typesafe", by=owner, of_site=False)] == [Source.PERSONAL]


@pytest.mark.usefixtures("environment")
def test_the_operator_can_keep_the_keys_of_the_site(owner: User, reader: User) -> None:
    User.objects.filter(pk=reader.pk).update(role=Role.MEMBER)
    Allowances.objects.create(site_keys_for_all=False)
    assert in_force("typesafe", by=User.objects.get(pk=reader.pk)) is None
    assert in_force("typesafe", by=owner) is not None
