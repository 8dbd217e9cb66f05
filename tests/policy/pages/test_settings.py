"""Settings: a key goes in and never comes out, every refusal has its mend, and nothing needs a script."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import DatabaseError
from django.test import Client

from jevsite.env import Concealed
from policy.judges.gguf import file
from policy.judges.keys import Key
from policy.models import LedgerEntry
from policy.people import provider_keys, vault
from policy.people.models import (
    Allowances,
    AuditEntry,
    Connection,
    Health,
    JudgeChoice,
    ProviderKey,
    Purpose,
    Role,
    User,
)
from policy.people.services import local_user
from policy.services import checking, judges
from tests.policy.judges.gguf.fakes import asked, written
from tests.policy.judges.http.far_side import says, stalls
from tests.policy.pages.conftest import Provider

KEY = "ts-canary-7f3a9c51e2b84d60"
GOOD = {"model": "jev-1.13.0", "answers": {"holds": {"type": "noul", "noul": 0.9}}, "usage": {"input_tokens": 9}}
MODELS = {"models": [{"name": "jev-1.13.0"}, {"name": "jev-latest"}]}
HTMX = {"HX-Request": "true"}


@pytest.fixture
def stored(owner: User) -> ProviderKey:
    return provider_keys.save(provider="typesafe", key=Key(KEY), by=owner)


def words(response: Any) -> str:
    """The page as people read it."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", response.content.decode())).split())


def page(client: Client) -> str:
    return words(client.get("/settings/"))


def card(client: Client, name: str) -> str:
    """One provider's part of the page, in words."""
    found = re.search(
        rf'<article class="key"\s+id="key-{name}".*?</article>', client.get("/settings/").content.decode(), re.S
    )
    assert found
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", found[0])).split())


def test_a_key_is_stored_and_shown_by_its_last_four_only(client: Client, owner: User) -> None:
    sent = client.post("/settings/keys/typesafe/", {"key": f" {KEY}\n"})
    assert (sent.status_code, sent["Location"]) == (302, "/settings/#key-typesafe")
    told = client.get("/settings/")
    assert "Your key of TypeSafe is stored." in words(told)
    assert "personal ends in 4d60 stored now" in card(client, "typesafe")
    assert KEY not in told.content.decode()
    assert judges.described("typesafe", by=owner, model="")[1].reveal() == KEY  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("provider_name", "key", "says_so"),
    [
        ("typesafe", "", "the key is blank"),
        ("typesafe", "${TYPESAFE_API_KEY}", "a variable that was not filled in"),
        ("typesafe", f"Bearer {KEY}", "begins with the word Bearer"),
        ("typesafe", "k" * 1025, "longer than 1024 characters"),
        ("typesafe", f"{KEY}\n{KEY}", "a line break"),
        ("openrouter", KEY, "begins with sk-or-"),
    ],
)
def test_what_cannot_be_a_key_is_refused_beside_its_field(
    provider_name: str, key: str, says_so: str, client: Client, db: None
) -> None:
    refused = client.post(f"/settings/keys/{provider_name}/", {"key": key})
    assert refused.status_code == 422
    assert says_so in words(refused)
    assert not ProviderKey.objects.exists()
    assert len(key) < 9 or key.startswith("$") or key not in refused.content.decode()


def test_a_key_is_removed_after_being_asked_twice(client: Client, stored: ProviderKey) -> None:
    assert "Remove … Questions to TypeSafe go without it" in card(client, "typesafe")
    assert client.post("/settings/keys/typesafe/remove/").status_code == 302
    assert "Your key of TypeSafe is deleted." in page(client)
    assert "Remove" not in card(client, "typesafe")
    client.post("/settings/keys/typesafe/remove/")
    assert "nothing was deleted" in page(client)


def test_the_first_key_that_exists_is_named_and_the_others_too(
    client: Client, stored: ProviderKey, settings: LazySettings
) -> None:
    settings.JUDGE_KEYS = {"typesafe": Concealed("TYPESAFE_API_KEY", "environment-key-long-71fd")}
    assert "key in force personal ends in 4d60 stored now not used environment TYPESAFE_API_KEY" in card(
        client, "typesafe"
    )
    provider_keys.remove(provider="typesafe", by=local_user())
    told = card(client, "typesafe")
    assert "key in force environment TYPESAFE_API_KEY ends in 71fd" in told
    assert "environment-key" not in client.get("/settings/").content.decode()


def test_a_key_of_a_lost_master_key_is_told_with_the_mend(client: Client, stored: ProviderKey) -> None:
    vault.file().unlink()
    assert "There is no master key" in card(client, "typesafe")
    vault.seal("", owner="")
    told = card(client, "typesafe")
    assert "key unusable" in told
    assert "stored with another master key and cannot be read" in told
    assert client.post("/settings/keys/typesafe/", {"key": KEY}).status_code == 302
    assert "key unusable" not in card(client, "typesafe")


def test_a_broken_master_key_leaves_a_page_that_says_so(
    client: Client, stored: ProviderKey, settings: LazySettings
) -> None:
    settings.MASTER_KEY = Concealed(vault.VARIABLE, "nonsense")
    assert "No personal key can be stored or read. JEV_MASTER_KEY holds no master key" in page(client)
    refused = client.post("/settings/keys/typesafe/", {"key": KEY})
    assert refused.status_code == 422
    assert KEY not in refused.content.decode()


def test_a_check_is_one_question_and_says_how_long_it_took(
    client: Client, stored: ProviderKey, provider: Provider
) -> None:
    side = provider(says(200, GOOD), says(200, MODELS))
    sent = client.post("/settings/check/typesafe/")
    assert (sent.status_code, sent["Location"]) == (302, "/settings/#key-typesafe")
    told = card(client, "typesafe")
    assert re.search(r"works .* models jev-1\.13\.0, jev-latest checked now in \d+ ms", told)
    assert [visit.path for visit in side.visits] == ["/v1/systemone", "/v1/models"]
    assert [(row.origin, row.status) for row in LedgerEntry.objects.all()] == [("check", "answered")]


@pytest.mark.parametrize(
    ("status", "word", "meaning"),
    [
        (401, "refused", "The key is not known there. Save a valid key."),
        (402, "refused", "The key is valid, its credit is used up. Add credit there, or save another key here."),
        (403, "refused", "The key may not do this. Give it the right there, or save another key."),
        (404, "fails", "The address or the model is not known there."),
        (429, "limited", "It wants fewer requests, or a quota is used up."),
        (500, "fails", "It has trouble on its side."),
    ],
)
def test_each_refusal_of_a_check_is_explained(
    status: int, word: str, meaning: str, client: Client, stored: ProviderKey, provider: Provider
) -> None:
    side = provider(says(status, {"error": {"message": f"no, {KEY}"}}))
    answered = client.post("/settings/check/typesafe/", headers=HTMX)
    assert answered.status_code == 200
    told = card(client, "typesafe")
    assert f"TypeSafe {word} Jev" in told
    assert f"HTTP {status}. {meaning}" in told
    assert KEY not in answered.content.decode()
    assert len(side.visits) == 1


def test_a_provider_that_is_offline_or_silent_is_told_apart(
    client: Client,
    stored: ProviderKey,
    provider: Provider,
    settings: LazySettings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(checking, "WITHIN_S", 0.2)
    provider(stalls)
    client.post("/settings/check/typesafe/")
    assert "no answer Jev" in card(client, "typesafe")
    settings.JUDGE_ADDRESSES = {"typesafe": "http://127.0.0.1:9"}
    client.post("/settings/check/typesafe/")
    assert "offline Jev" in card(client, "typesafe")
    assert "It cannot be reached." in card(client, "typesafe")


@pytest.mark.parametrize("body", [b"<html>hello</html>", {"answers": {}}, {**GOOD, "answers": {"holds": {"noul": 7}}}])
def test_an_answer_that_is_none_does_not_pass_a_check(
    body: Any, client: Client, stored: ProviderKey, provider: Provider
) -> None:
    provider(says(200, body))
    client.post("/settings/check/typesafe/")
    assert "Something answered that is no answer of a judge." in card(client, "typesafe")


def test_a_check_without_a_key_asks_nothing(client: Client, provider: Provider, db: None) -> None:
    side = provider(says(200, GOOD))
    client.post("/settings/check/typesafe/")
    assert "It is not set up yet. TypeSafe needs a key: enter one on Settings." in card(client, "typesafe")
    assert side.visits == []


def test_the_local_judge_can_be_checked_too(client: Client, db: None) -> None:
    assert client.post("/settings/check/local/")["Location"] == "/settings/#health"
    assert "local answers." in page(client)


def test_real_questions_are_seen_in_the_health_panel(client: Client, stored: ProviderKey, provider: Provider) -> None:
    provider(says(402))
    body = {"task": "Show the log", "candidates": [{"id": "read", "description": "Reads."}], "judge": "typesafe"}
    answer = client.post("/api/policy/select-tools", body, content_type="application/json")
    assert answer.json()["result"]["outcome"] == "unavailable"
    assert Health.objects.get().http_status == 402
    assert "HTTP 402. The key is valid, its credit is used up." in page(client)


def test_a_judge_and_a_model_are_set_and_asked(client: Client, stored: ProviderKey, provider: Provider) -> None:
    side = provider(says(401))
    form = {"arena-judge": "local", "calibration-judge": "local", "api-judge": "typesafe", "api-model": "jev-1.12.0"}
    assert client.post("/settings/judges/", form).status_code == 302
    body = {"task": "Show the log", "candidates": [{"id": "read", "description": "Reads."}]}
    answer = client.post("/api/policy/select-tools", body, content_type="application/json")
    assert answer.json()["judge"] == "typesafe"
    assert b'"model":"jev-1.12.0"' in side.visits[0].body
    assert side.visits[0].headers["authorization"] == f"Bearer {KEY}"
    assert AuditEntry.objects.filter(action="judge.chosen").get().subject == "api typesafe jev-1.12.0"


@pytest.mark.parametrize(
    ("judge", "model", "mark"),
    [
        ("typesafe", "", "pinned jev-1.13.0"),
        ("typesafe", "jev-latest", "moving alias jev-latest is another model some day"),
        ("openrouter", "~typesafe/jev-latest", "moving alias"),
        ("cloudflare", "", "moving alias jev is another model"),
        ("local", "", "pinned comes with the judge"),
    ],
)
def test_a_model_that_moves_is_marked(judge: str, model: str, mark: str, client: Client, db: None) -> None:
    client.post("/settings/judges/", {"arena-judge": judge, "arena-model": model})
    assert f"Arena local gguf typesafe openrouter cloudflare compatible {mark}" in page(client)


@pytest.mark.parametrize(
    ("form", "says_so"),
    [
        ({"api-judge": "oracle"}, "API: There is no judge 'oracle'; use one of: local,"),
        ({"api-judge": "typesafe", "api-model": "two words"}, "API: the model of TypeSafe must be a name"),
    ],
)
def test_a_judge_that_cannot_be_set_is_refused_and_what_was_typed_stays(
    form: dict[str, str], says_so: str, client: Client, db: None
) -> None:
    refused = client.post("/settings/judges/", form)
    assert refused.status_code == 422
    assert says_so in words(refused)
    assert f'value="{form.get("api-model", "")}"' in refused.content.decode()
    assert not JudgeChoice.objects.filter(purpose="api").exists()


def test_a_compatible_server_is_asked_where_a_person_says(client: Client, provider: Provider, db: None) -> None:
    side = provider(says(200, GOOD), says(200, {"data": [{"id": "judge-small"}]}))
    assert client.post("/settings/where/compatible/", {"base_url": f"{side.url}/"}).status_code == 302
    client.post("/settings/check/compatible/")
    assert "works" in card(client, "compatible")
    assert "models judge-small" in card(client, "compatible")
    assert '<option value="judge-small">' in client.get("/settings/").content.decode()


def test_a_list_of_models_that_repeats_the_key_is_kept_without_it(
    client: Client, stored: ProviderKey, provider: Provider
) -> None:
    provider(says(200, GOOD), says(200, {"models": [{"name": f"model-{KEY}"}, {"name": "jev-1.13.0"}]}))
    client.post("/settings/check/typesafe/")
    assert Connection.objects.get().models_listed == ["model-[redacted]", "jev-1.13.0"]


@pytest.mark.parametrize(
    ("address", "says_so"),
    [
        ("http://judge.example", "begins with https://"),
        ("https://10.0.0.5", "only the operator of this site can allow that"),
        ("https://169.254.169.254", "no address of a judge"),
        ("ftp://judge.example", "neither https:// nor http://"),
        ("https://user:pass@judge.example", "carries a user name or password"),
    ],
)
def test_an_address_that_must_not_be_asked_is_refused(address: str, says_so: str, client: Client, db: None) -> None:
    refused = client.post("/settings/where/compatible/", {"base_url": address})
    assert refused.status_code == 422
    assert says_so in words(refused)
    assert not Connection.objects.exists()


def test_private_networks_are_open_once_the_operator_allows_them(client: Client, db: None) -> None:
    client.post("/settings/allowances/", {"private_addresses": "on", "site_keys_for_all": "on"})
    assert client.post("/settings/where/compatible/", {"base_url": "https://10.0.0.5:8000"}).status_code == 302
    client.post("/settings/allowances/", {"site_keys_for_all": "on"})
    assert "only the operator of this site can allow that" in judges.why_not("compatible", by=local_user())


def test_a_key_of_the_site_is_not_sent_to_an_address_of_a_person(
    client: Client, provider: Provider, settings: LazySettings, db: None
) -> None:
    side = provider(says(200, GOOD))
    settings.JUDGE_KEYS = {"compatible": Concealed("JEV_API_KEY", "key-of-the-site-0123456789")}
    settings.JUDGE_ADDRESSES = {"compatible": "https://judge.example"}
    client.post("/settings/where/compatible/", {"base_url": side.url})
    client.post("/settings/check/compatible/")
    assert "authorization" not in side.visits[0].headers
    assert "none is needed" in card(client, "compatible")


@pytest.mark.parametrize(("account", "status"), [("0a1b2c", 302), ("../../zones", 422), ("x" * 65, 422)])
def test_the_account_of_cloudflare_is_checked(account: str, status: int, client: Client, db: None) -> None:
    assert client.post("/settings/where/cloudflare/", {"account": account}).status_code == status
    assert Connection.objects.exists() == (status == 302)


def test_only_the_operator_allows(client: Client, db: None) -> None:
    User.objects.filter(pk=local_user().pk).update(role=Role.MEMBER)
    refused = client.post("/settings/allowances/", {"private_addresses": "on"})
    assert refused.status_code == 403
    assert "needs the role operator" in words(refused)
    assert not Allowances.objects.exists()


POSTS = (
    "keys/typesafe/",
    "keys/typesafe/remove/",
    "check/local/",
    "where/compatible/",
    "judges/",
    "allowances/",
    "tokens/",
)


@pytest.mark.parametrize("path", POSTS)
def test_a_reader_looks_and_changes_nothing(path: str, client: Client, db: None) -> None:
    User.objects.filter(pk=local_user().pk).update(role=Role.READER)
    assert client.post(f"/settings/{path}", {"key": KEY, "name": "n", "scopes": "read"}).status_code == 403
    assert "You may look, not change: this needs the role member." in page(client)
    assert '<input class="input mono" id="new-typesafe"' not in client.get("/settings/").content.decode()


@pytest.mark.parametrize("path", POSTS)
def test_no_form_is_taken_from_another_page(path: str, db: None) -> None:
    strict = Client(enforce_csrf_checks=True, headers={"host": "127.0.0.1:8000"})
    assert strict.post(f"/settings/{path}", {"key": KEY}).status_code == 403
    assert not ProviderKey.objects.exists()


@pytest.mark.parametrize("path", ["keys/nobody/", "keys/nobody/remove/", "check/nobody/", "where/typesafe/"])
def test_an_unknown_provider_is_not_found(path: str, client: Client, db: None) -> None:
    assert client.post(f"/settings/{path}", {"key": KEY}).status_code == 404


def test_nothing_of_the_page_is_kept_by_a_browser(client: Client, db: None) -> None:
    for path in ("/settings/", "/settings/tokens/"):
        assert "no-store" in client.get(path)["Cache-Control"]
    field = re.search(r'<input[^>]*id="new-typesafe"[^>]*>', client.get("/settings/").content.decode())
    assert field
    assert 'type="password"' in field[0]
    assert 'autocomplete="off"' in field[0]
    assert "value=" not in field[0]


def test_the_header_names_the_judge_that_is_set_for_the_arena(client: Client, owner: User) -> None:
    assert 'aria-label="local judge"' in client.get("/").content.decode()
    judges.choose(purpose=Purpose.ARENA, judge="openrouter", model="", by=owner)
    page = client.get("/").content.decode()
    assert 'aria-label="openrouter judge"' in page
    assert 'href="/settings/#key-openrouter"' in page


def test_the_page_of_an_error_needs_no_database_for_its_header(
    client: Client, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*args: object, **more: object) -> None:
        raise DatabaseError("no such table")

    monkeypatch.setattr(judges, "chosen", gone)
    assert 'aria-label="local judge"' in client.get("/nowhere").content.decode()


def test_a_key_that_is_too_long_is_refused_and_never_cut_by_the_form(client: Client, owner: User) -> None:
    assert "maxlength" not in re.findall(r"<input[^>]* name=.key.[^>]*>", client.get("/settings/").content.decode())[0]
    refused = client.post("/settings/keys/typesafe/", {"key": "x" * 1025})
    assert (refused.status_code, ProviderKey.objects.count()) == (422, 0)
    assert "the key is longer than 1024 characters" in words(refused)


def test_the_model_file_is_shown_by_its_digest_and_never_loaded(
    client: Client, db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file, "RUNTIME", "json")
    model = written(tmp_path, refuses_to_load="it was loaded")
    monkeypatch.setattr(file, "_named", str(model.path))
    shown = page(client)
    assert "Model file agent and judge gguf, without key or network ready" in shown
    assert model.sha256 in shown
    assert "calibrated for nothing yet" in shown
    assert not asked(model)


def test_without_a_model_file_its_card_says_how_to_get_one(
    client: Client, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file, "RUNTIME", "no_such_package")
    shown = page(client)
    assert "not set up The package no_such_package is not installed: run `make tiny`" in shown


def test_a_judge_that_only_a_worker_can_ask_is_not_checked_from_a_page(client: Client, db: None) -> None:
    answer = client.post("/settings/check/gguf/", follow=True)
    assert answer.status_code == 200
    assert "not checked from here" in unescape(answer.content.decode())
    assert not LedgerEntry.objects.exists()
