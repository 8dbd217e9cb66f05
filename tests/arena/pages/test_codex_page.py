"""Settings of Codex CLI: what is missing and how to get it, and a key that goes in and never comes out."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import LazySettings
from django.test import Client

from arena.codex import access
from arena.codex.models import CodexAccess
from policy.people.models import AuditEntry, ProviderKey, Role, User
from tests.arena.agents.codex.playing import program

KEY = "sk-codex-8c1f0a7be5d94f26"
ADDRESS = "https://models.example/v1"
PROVIDER = {"way": "provider", "sign_in": "", "address": ADDRESS, "model": "gpt-6-sol", "key": KEY}


def shown(client: Client) -> str:
    return client.get("/settings/codex/").content.decode()


def test_without_the_program_the_card_says_how_to_install_it(owner: User, client: Client) -> None:
    page = shown(client)
    assert "not set up" in page
    assert "npm install --global @openai/codex" in page
    assert "CODEX_BIN" in page


def test_an_old_program_is_named_with_the_version_that_works(
    owner: User, client: Client, settings: LazySettings, tmp_path: Path
) -> None:
    settings.CODEX_BIN = program(tmp_path / "codex", [], version="codex-cli 0.100.0")
    assert "Codex CLI 0.100.0 is too old, 0.155.0 is the oldest" in shown(client)


def test_a_provider_is_kept_and_its_key_never_shown(
    owner: User, client: Client, settings: LazySettings, tmp_path: Path
) -> None:
    settings.CODEX_BIN = program(tmp_path / "codex", [])
    assert client.post("/settings/codex/", PROVIDER).status_code == 302
    page = shown(client)
    assert "ready" in page
    assert ADDRESS in page
    assert KEY not in page
    assert f"ends in {KEY[-4:]}" in page
    assert KEY not in ProviderKey.objects.get().sealed
    assert access.connection(owner).model == "gpt-6-sol"
    assert KEY not in repr(access.connection(owner))
    assert list(AuditEntry.objects.values_list("action", flat=True)) == ["codex.set", "key.saved"]


def test_an_empty_key_leaves_the_old_one_and_another_address_forgets_it(owner: User, client: Client) -> None:
    client.post("/settings/codex/", PROVIDER)
    client.post("/settings/codex/", {**PROVIDER, "key": "", "model": "other"})
    assert ProviderKey.objects.count() == 1
    client.post("/settings/codex/", {**PROVIDER, "key": "", "address": "https://elsewhere.example/v1"})
    assert ProviderKey.objects.count() == 0


def test_a_key_can_be_removed(owner: User, client: Client) -> None:
    client.post("/settings/codex/", PROVIDER)
    assert "is deleted" in client.post("/settings/codex/key/remove/", follow=True).content.decode()
    assert "nothing was deleted" in client.post("/settings/codex/key/remove/", follow=True).content.decode()


def test_a_sign_in_is_looked_at_before_it_is_kept(owner: User, client: Client, tmp_path: Path) -> None:
    mine = tmp_path / "auth.json"
    typed = {"way": "sign-in", "sign_in": str(mine), "address": "", "model": ""}
    refused = client.post("/settings/codex/", typed)
    assert refused.status_code == 422
    assert f"There is no sign-in at {mine}" in refused.content.decode()
    mine.write_text('{"OPENAI_API_KEY": "sk-in-the-file"}')
    assert client.post("/settings/codex/", typed).status_code == 302
    page = shown(client)
    assert str(mine) in page
    assert "sk-in-the-file" not in page


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"way": "other"}, "Choose how Codex CLI reaches a model"),
        ({"address": "http://models.example/v1"}, "https"),
        ({"address": ""}, ""),
        ({"address": "ftp://x"}, ""),
        ({"key": "two words"}, ""),
        ({"model": "a\nb"}, ""),
        ({"way": "sign-in", "sign_in": "auth.json"}, "whole path"),
        ({"way": "sign-in", "sign_in": "~nobody-here/auth.json"}, ""),
        ({"way": "sign-in", "sign_in": "/x\0y"}, ""),
    ],
)
def test_bad_input_is_refused_in_a_sentence_and_nothing_is_kept(
    owner: User, client: Client, change: dict[str, str], says: str
) -> None:
    refused = client.post("/settings/codex/", {**PROVIDER, **change})
    assert refused.status_code == 422
    assert says in refused.content.decode()
    assert KEY not in refused.content.decode()
    assert not CodexAccess.objects.exists()
    assert not ProviderKey.objects.exists()


def test_a_reader_may_look_and_not_change(owner: User, client: Client) -> None:
    User.objects.update(role=Role.READER)
    assert "You may look, not change" in shown(client)
    assert client.post("/settings/codex/", PROVIDER).status_code == 403
    assert client.post("/settings/codex/key/remove/").status_code == 403


def test_a_run_without_the_program_is_refused_with_the_way_to_mend_it(owner: User, client: Client) -> None:
    refused = client.post("/", {"ordered": "1", "case": "read", "menu": "8", "arms": "full", "agent": "codex",
                                "judge": "local", "selector": "two-stage", "seed": "1"})  # fmt: skip
    assert refused.status_code == 422
    assert "npm install --global @openai/codex" in refused.content.decode()
