"""API tokens on every operation: who is let in, as whom, and to do what."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import Client
from ninja.operation import Operation

from jevsite.api import api
from policy.people import tokens
from policy.people.bearer import Bearer
from policy.people.models import ApiToken, Role, Scope, User

BODY = {"task": "Show the log", "candidates": [], "mode": "off"}
Token = Callable[..., dict[str, str]]


@pytest.fixture
def bearer(owner: User) -> Token:
    """`bearer("read")` are the headers of a program with such a token."""

    def headers(*scopes: str, by: User = owner) -> dict[str, str]:
        made = tokens.make(name="test", scopes=scopes, days=1, by=by)
        return {"authorization": f"Bearer {made.secret.reveal()}"}

    return headers


def operations() -> Iterator[tuple[str, str, Operation]]:
    for prefix, router in api._routers:
        for path, view in router.path_operations.items():
            for operation in view.operations:
                yield f"{prefix}{path}", operation.methods[0], operation


def test_every_operation_says_its_scope() -> None:
    found = {
        (method, path): [callback.scope for callback in operation.auth_callbacks if isinstance(callback, Bearer)]
        for path, method, operation in operations()
    }
    assert len(found) >= 18
    for (method, path), scopes in found.items():
        judges = "/policy" in path and "/calibration" not in path
        wanted = Scope.READ if method == "GET" else Scope.JUDGE if judges else Scope.WRITE
        assert scopes == [wanted], (method, path)


@pytest.mark.parametrize(
    ("method", "path", "needs"),
    [
        ("get", "/api/policy/judges", "read"),
        ("post", "/api/policy/select-tools", "judge"),
        ("get", "/api/arena/runs", "read"),
        ("post", "/api/arena/runs", "write"),
        ("post", "/api/arena/runs/run_none/stop", "write"),
    ],
)
def test_a_token_opens_what_its_scope_says_and_nothing_else(
    method: str, path: str, needs: str, client: Client, bearer: Token
) -> None:
    def status(headers: dict[str, str]) -> Any:
        send = getattr(client, method)
        return (
            send(path, BODY, content_type="application/json", headers=headers)
            if method == "post"
            else send(path, headers=headers)
        )

    others = [scope for scope in Scope.values if scope != needs]
    refused = status(bearer(*others))
    assert (refused.status_code, refused.json()["code"]) == (403, "scope")
    assert f"needs the scope {needs}" in refused.json()["detail"]
    assert status(bearer(needs)).status_code in {200, 404, 422}


@pytest.mark.parametrize(
    ("header", "says"),
    [
        ("Bearer jev_unknown", "not known here"),
        ("Bearer ", "must say Bearer"),
        ("Basic dXNlcjpwYXNz", "must say Bearer"),
        ("jev_naked", "must say Bearer"),
    ],
)
def test_a_bad_token_is_never_passed_over_even_on_this_machine(
    header: str, says: str, client: Client, db: None
) -> None:
    refused = client.get("/api/policy/judges", headers={"authorization": header})
    assert (refused.status_code, refused["WWW-Authenticate"]) == (401, "Bearer")
    assert says in refused.json()["detail"]


def test_a_program_acts_as_the_person_of_its_token(client: Client, bearer: Token, reader: User) -> None:
    User.objects.filter(pk=reader.pk).update(role=Role.MEMBER)
    headers = bearer("judge", by=User.objects.get(pk=reader.pk))
    User.objects.filter(pk=reader.pk).update(role=Role.READER)
    refused = client.post("/api/policy/select-tools", BODY, content_type="application/json", headers=headers)
    assert (refused.status_code, refused.json()["code"]) == (403, "not-allowed")
    assert "reader is reader" in refused.json()["detail"]


def test_a_program_on_this_machine_needs_no_token(client: Client, db: None) -> None:
    assert client.get("/api/policy/judges").status_code == 200
    assert not ApiToken.objects.exists()


def test_a_token_does_not_open_the_door_to_foreign_pages(client: Client, bearer: Token) -> None:
    for foreign in ({"origin": "http://evil.example"}, {"host": "evil.example"}):
        refused = client.get("/api/policy/judges", headers={**bearer("read"), **foreign})
        assert refused.status_code == 403
        assert "scope" not in refused.json()["detail"]
