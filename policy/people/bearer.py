"""Who speaks to the API: the person of a Bearer token with the scope that an operation needs, else the page's."""

from __future__ import annotations

from django.http import HttpRequest
from ninja.security.base import AuthBase

from policy.people import tokens
from policy.people.models import Scope, User
from policy.people.tokens import TokenRefused


class Bearer(AuthBase):
    """What an operation needs. A token that is shown counts, and a bad one is never passed over.

    Without a token the request acts as whom the site's middleware let in: in local mode the person of this machine.
    """

    openapi_type = "http"
    openapi_scheme = "bearer"

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        super().__init__()

    def __call__(self, request: HttpRequest) -> User:
        given = request.headers.get("Authorization")
        if given is None:
            return self._person(request)
        kind, _, secret = given.strip().partition(" ")
        if kind.lower() != "bearer" or not secret.strip():
            raise TokenRefused("The header Authorization must say Bearer, a space and an API token.")
        token = tokens.let_in(secret.strip(), needs=self.scope)
        request.user = token.user
        return token.user

    def _person(self, request: HttpRequest) -> User:
        person = getattr(request, "user", None)
        if not isinstance(person, User):
            raise TokenRefused("Send an API token: Authorization: Bearer jev_… Make one on Settings.")
        return person


READ, JUDGE, WRITE = Bearer(Scope.READ), Bearer(Scope.JUDGE), Bearer(Scope.WRITE)
