"""Who is let in at `/v1`, as whom, and how everybody else is refused."""

from __future__ import annotations

import pytest
from django.test import Client

from policy.models import LedgerEntry
from policy.people import tokens
from policy.people.models import ApiToken, Role, User
from tests.policy.gateway.conftest import Post, body


def refused(answer: object) -> tuple[int, str]:
    return answer.status_code, answer.json()["detail"]["error_type"]  # type: ignore[attr-defined]


def bearer(secret: str) -> dict[str, str]:
    return {"authorization": f"Bearer {secret}"}


@pytest.mark.parametrize("header", [{}, bearer("any-key"), bearer("sk-or-v1-0123456789")])
def test_on_this_machine_no_token_is_needed_and_a_foreign_key_is_ignored(header: dict[str, str], post: Post) -> None:
    assert post(body(), **header).status_code == 200
    assert not ApiToken.objects.exists()


@pytest.mark.parametrize("header", [{}, {"authorization": "Basic dTpw"}, {"authorization": "jev_naked"}, bearer("")])
def test_where_a_token_is_needed_none_is_403(header: dict[str, str], locked: None, post: Post) -> None:
    assert refused(post(body(), **header)) == (403, "authentication_error")


@pytest.mark.parametrize("secret", ["any-key", "jev_unknown", "\x80"])
def test_where_a_token_is_needed_a_wrong_one_is_401(secret: str, locked: None, post: Post) -> None:
    assert refused(post(body(), **bearer(secret))) == (401, "authentication_error")


def test_one_of_our_tokens_always_counts_even_on_this_machine(post: Post, owner: User) -> None:
    made = tokens.make(name="old", scopes=["judge"], days=1, by=owner)
    assert post(body(), **bearer(made.secret.reveal())).status_code == 200
    tokens.revoke(prefix=made.token.prefix, by=owner)
    assert refused(post(body(), **bearer(made.secret.reveal()))) == (401, "authentication_error")
    assert "was revoked" in post(body(), **bearer(made.secret.reveal())).json()["detail"]["message"]


def test_a_token_without_the_scope_may_not_ask(post: Post, client: Client, owner: User) -> None:
    secret = tokens.make(name="reads", scopes=["read", "write"], days=1, by=owner).secret.reveal()
    assert refused(post(body(), **bearer(secret))) == (403, "permission_error")
    assert refused(client.get("/v1/models", headers=bearer(secret))) == (403, "permission_error")


def test_the_judge_is_asked_as_the_person_of_the_token(post: Post, reader: User) -> None:
    User.objects.filter(pk=reader.pk).update(role=Role.MEMBER)
    member = User.objects.get(pk=reader.pk)
    secret = tokens.make(name="mine", scopes=["judge"], days=1, by=member).secret.reveal()
    assert post(body(), **bearer(secret)).status_code == 200
    assert LedgerEntry.objects.get().user == member
    User.objects.filter(pk=reader.pk).update(role=Role.READER)
    assert refused(post(body(), **bearer(secret))) == (403, "permission_error")


@pytest.mark.parametrize("foreign", [{"origin": "http://evil.example"}, {"host": "evil.example"}])
def test_pages_of_other_sites_are_refused_in_the_vendors_shape(foreign: dict[str, str], post: Post) -> None:
    answer = post(body(), **foreign)
    assert refused(answer) == (403, "permission_error")
    assert answer["x-typesafe-request-id"].startswith("req_")
    assert not answer.has_header("Access-Control-Allow-Origin")


@pytest.mark.parametrize(
    ("method", "path", "expected"),
    [
        ("get", "/v1/systemone", (405, "method_not_allowed")),
        ("options", "/v1/systemone", (405, "method_not_allowed")),
        ("post", "/v1/models", (405, "method_not_allowed")),
        ("post", "/v1/system-one", (404, "not_found")),
        ("get", "/v1/", (404, "not_found")),
    ],
)
def test_wrong_paths_and_methods_have_the_vendors_shape(
    method: str, path: str, expected: tuple[int, str], client: Client, db: None
) -> None:
    assert refused(getattr(client, method)(path)) == expected


def test_a_form_of_a_page_needs_no_cross_site_token_because_it_cannot_ask(client: Client, db: None) -> None:
    strict = Client(enforce_csrf_checks=True, headers={"host": "127.0.0.1:8000"})
    assert strict.post("/v1/systemone", {"model": "scripted"}).status_code == 422
    assert strict.post("/v1/systemone", body(), content_type="application/json").status_code == 200


def test_a_key_that_is_ignored_is_kept_nowhere(post: Post, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("DEBUG"):
        answer = post(body(), **bearer("sk-canary-0123456789"))
    assert "canary" not in caplog.text + answer.content.decode()
    assert "canary" not in str(list(LedgerEntry.objects.values()))
