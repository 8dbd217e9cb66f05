"""API tokens on Settings: shown once, in the list by their prefix, revoked after being asked twice."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client

from jevsite.env import Concealed
from policy.pages.tokens import COOKIE
from policy.people import tokens, vault
from policy.people.models import ApiToken, Scope, User

PATH = "/settings/tokens/"
FORM = {"name": "nightly", "scopes": ["read", "judge"], "days": "30"}


def secret_on(response: Any) -> str:
    found = re.search(r'<code class="secret"[^>]*>([^<]+)</code>', response.content.decode())
    return found[1] if found else ""


def test_a_new_token_is_shown_once_and_works(client: Client, owner: User) -> None:
    sent = client.post(PATH, FORM)
    assert (sent.status_code, sent["Location"]) == (302, PATH)
    secret = secret_on(client.get(PATH))
    assert tokens.let_in(secret, needs=Scope.JUDGE).name == "nightly"
    again = client.get(PATH)
    assert secret_on(again) == ""
    assert secret not in again.content.decode()
    assert ApiToken.objects.get().prefix in again.content.decode()


def test_on_its_way_to_the_page_a_token_is_sealed(client: Client, db: None) -> None:
    cookie = client.post(PATH, FORM).cookies[COOKIE]
    assert "jev_" not in cookie.value
    assert (cookie["httponly"], cookie["samesite"], cookie["path"], cookie["max-age"]) == (True, "Strict", PATH, 60)
    secret = secret_on(client.get(PATH))
    assert secret
    assert secret not in str(cookie)


def test_a_cookie_of_somebody_else_shows_nothing(client: Client, db: None) -> None:
    client.cookies[COOKIE] = vault.seal("jev_of_another", owner="0 new-token")
    shown = client.get(PATH)
    assert secret_on(shown) == ""
    assert shown.cookies[COOKIE]["max-age"] == 0


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"scopes": []}, "Choose at least one of: read, judge, write"),
        ({"scopes": ["admin"]}, "Choose at least one of"),
        ({"name": " "}, "Give the token a name"),
        ({"days": "-1"}, "lives from 1 to 3,650 days"),
        ({"days": "99999"}, "lives from 1 to 3,650 days"),
    ],
)
def test_a_token_that_cannot_be_made_is_refused_and_what_was_typed_stays(
    changed: dict[str, Any], says: str, client: Client, db: None
) -> None:
    refused = client.post(PATH, {**FORM, **changed})
    assert refused.status_code == 422
    assert says in refused.content.decode()
    assert "name" in changed or 'value="nightly"' in refused.content.decode()
    assert not ApiToken.objects.exists()


def test_without_a_master_key_no_token_is_made(client: Client, settings: LazySettings, db: None) -> None:
    settings.MASTER_KEY = Concealed(vault.VARIABLE, "nonsense")
    refused = client.post(PATH, FORM)
    assert refused.status_code == 422
    assert "JEV_MASTER_KEY holds no master key" in refused.content.decode()
    assert not ApiToken.objects.exists()


def test_a_token_is_revoked_on_the_page(client: Client, owner: User) -> None:
    made = tokens.make(name="old", scopes=["read"], days=None, by=owner)
    assert client.post(f"{PATH}{made.token.prefix}/revoke/")["Location"] == PATH
    shown = client.get(PATH).content.decode()
    assert f"The token {made.token.prefix} is revoked." in shown
    assert "Revoke it" not in shown
    refused = client.get("/api/policy/judges", headers={"authorization": f"Bearer {made.secret.reveal()}"})
    assert refused.status_code == 401


def test_a_token_of_somebody_else_is_neither_seen_nor_revoked(client: Client, reader: User) -> None:
    User.objects.filter(pk=reader.pk).update(role="member")
    theirs = tokens.make(name="theirs", scopes=["read"], days=1, by=User.objects.get(pk=reader.pk)).token
    assert theirs.prefix not in client.get(PATH).content.decode()
    client.post(f"{PATH}{theirs.prefix}/revoke/")
    assert ApiToken.objects.get().revoked_at is None
