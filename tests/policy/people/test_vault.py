"""Sealing at rest: one master key, several while they change, none, and one that is wrong."""

from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from cryptography.fernet import Fernet
from django.conf import LazySettings

from jevsite.checks import the_master_key_can_be_used
from jevsite.env import Concealed
from policy.people import vault

CANARY = "canary-7f3a9c51e2b84d60"


def named(*keys: str) -> Concealed:
    return Concealed(vault.VARIABLE, ",".join(keys))


def fresh() -> str:
    return Fernet.generate_key().decode()


def test_what_is_sealed_is_opened_for_its_owner_only() -> None:
    sealed = vault.seal(CANARY, owner="1 typesafe")
    assert CANARY not in sealed
    assert vault.opened(sealed, owner="1 typesafe") == CANARY
    for other in ("2 typesafe", "1 openrouter"):
        with pytest.raises(vault.NotOurs):
            vault.opened(sealed, owner=other)


def test_the_master_key_is_made_at_need_for_its_owner_alone() -> None:
    assert not vault.file().exists()
    vault.look()
    assert not vault.file().exists()
    vault.seal(CANARY, owner="")
    assert stat.S_IMODE(vault.file().stat().st_mode) == 0o600
    kept = vault.file().read_text()
    vault.seal(CANARY, owner="")
    assert vault.file().read_text() == kept


def test_processes_that_need_the_first_master_key_at_once_agree_on_one() -> None:
    with ThreadPoolExecutor(8) as pool:
        sealed = list(pool.map(lambda number: vault.seal(CANARY, owner=str(number)), range(32)))
    assert {vault.opened(each, owner=str(number)) for number, each in enumerate(sealed)} == {CANARY}
    assert len(vault.file().read_text().split()) == 1


def test_a_master_key_that_others_can_read_is_refused_with_the_mend() -> None:
    vault.seal(CANARY, owner="")
    vault.file().chmod(0o640)
    with pytest.raises(vault.VaultClosed, match=r"Other users can read .*master-key\. Run: chmod 600"):
        vault.seal(CANARY, owner="")
    assert [error.id for error in the_master_key_can_be_used(None)] == ["jevsite.E007"]


@pytest.mark.parametrize("text", ["", "short", "x" * 44, "${JEV_MASTER_KEY}", f"{fresh()},"])
def test_a_master_key_of_another_shape_is_told_without_being_shown(text: str, settings: LazySettings) -> None:
    settings.MASTER_KEY = named(text)
    with pytest.raises(vault.VaultClosed, match="JEV_MASTER_KEY holds no master key") as told:
        vault.seal(CANARY, owner="")
    assert not text or text not in str(told.value) or text == "${JEV_MASTER_KEY}"


def test_a_lost_master_key_opens_nothing_and_is_not_replaced_by_reading() -> None:
    sealed = vault.seal(CANARY, owner="")
    vault.file().unlink()
    with pytest.raises(vault.VaultClosed, match="There is no master key"):
        vault.opened(sealed, owner="")
    assert not vault.file().exists()


def test_the_environment_seals_and_the_file_still_opens(settings: LazySettings) -> None:
    by_file = vault.seal(CANARY, owner="")
    settings.MASTER_KEY = named(fresh())
    by_environment = vault.seal(CANARY, owner="")
    assert vault.opened(by_file, owner="") == vault.opened(by_environment, owner="") == CANARY
    vault.file().unlink()
    assert vault.opened(by_environment, owner="") == CANARY
    with pytest.raises(vault.NotOurs):
        vault.opened(by_file, owner="")


def test_an_older_master_key_opens_until_it_is_taken_away(settings: LazySettings) -> None:
    old, new = fresh(), fresh()
    settings.MASTER_KEY = named(old)
    sealed = vault.seal(CANARY, owner="")
    settings.MASTER_KEY = named(new, old)
    renewed = vault.resealed(sealed)
    settings.MASTER_KEY = named(new)
    assert vault.opened(renewed, owner="") == CANARY
    with pytest.raises(vault.NotOurs):
        vault.opened(sealed, owner="")


@pytest.mark.parametrize("junk", ["", "nonsense", "gAAAAA", "ä"])
def test_what_was_never_sealed_is_not_opened(junk: str) -> None:
    vault.seal(CANARY, owner="")
    with pytest.raises(vault.NotOurs):
        vault.opened(junk, owner="")


def test_a_folder_that_cannot_be_written_is_told(settings: LazySettings, tmp_path: Path) -> None:
    (tmp_path / "flat").write_text("")
    settings.VAR_DIR = tmp_path / "flat" / "var"
    with pytest.raises(vault.VaultClosed, match="The master key cannot be written to"):
        vault.seal(CANARY, owner="")
