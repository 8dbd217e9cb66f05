"""API tokens: made, shown once, revoked, and recognised again by their SHA-256."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from policy.people import audit
from policy.people.models import ApiToken, Role, Scope, User
from policy.people.services import require

BEGIN = "jev_"
MOST_NAME_CHARS = 80
MOST_DAYS = 3650
STAMP_EVERY = timedelta(minutes=1)
_ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"


class TokenRefused(Exception):
    """A token that is not let in; `status` is 401 for one that is no good, 403 for one that may not do this."""

    def __init__(self, text: str, *, status: int = 401) -> None:
        super().__init__(text)
        self.status = status


class Unusable(ValueError):
    """A token that cannot be made as asked for; the text says what to change."""


@dataclass(frozen=True, slots=True)
class Made:
    """A new token; `reveal()` of it is shown once and kept nowhere."""

    token: ApiToken
    secret: Secret


class Secret:
    """The whole of a token, which shows as its prefix."""

    __slots__ = ("prefix", "reveal")

    def __init__(self, value: str, prefix: str) -> None:
        self.prefix = prefix
        self.reveal: Callable[[], str] = lambda: value

    def __repr__(self) -> str:
        return f"<token {self.prefix}>"


def make(*, name: str, scopes: Collection[str], days: int | None, by: User) -> Made:
    """A token that acts as `by` for so many days (None: until it is revoked); raises `NotAllowed` and `Unusable`."""
    require(Role.MEMBER, by=by)
    wanted = [scope.value for scope in Scope if scope in scopes]
    if not wanted or len(wanted) != len(set(scopes)):
        raise Unusable(f"Choose at least one of: {', '.join(Scope.values)}.")
    if not 1 <= len(name.strip()) <= MOST_NAME_CHARS:
        raise Unusable(f"Give the token a name of 1 to {MOST_NAME_CHARS} characters.")
    if days is not None and not 1 <= days <= MOST_DAYS:
        raise Unusable(f"A token lives from 1 to {MOST_DAYS:,} days, or until it is revoked.")
    prefix = BEGIN + "".join(secrets.choice(_ALPHABET) for _ in range(8))
    secret = Secret(f"{prefix}_{secrets.token_urlsafe(32)}", prefix)
    now = timezone.now()
    with transaction.atomic():
        token = ApiToken.objects.create(
            user=by,
            name=name.strip(),
            prefix=prefix,
            digest=_digest(secret.reveal()),
            scopes=wanted,
            made_at=now,
            expires_at=None if days is None else now + timedelta(days=days),
        )
        audit.note("token.made", f"{prefix} {' '.join(wanted)}", by=by)
    return Made(token, secret)


def revoke(*, prefix: str, by: User) -> bool:
    """End one of this person's tokens; false where there is none that still lives."""
    living = ApiToken.objects.filter(user=by, prefix=prefix, revoked_at=None)
    with transaction.atomic():
        ended = living.update(revoked_at=timezone.now())
        if ended:
            audit.note("token.revoked", prefix, by=by)
    return bool(ended)


def of(user: User) -> list[ApiToken]:
    """This person's tokens, newest first, the revoked ones included."""
    return list(ApiToken.objects.filter(user=user))


def let_in(given: str, *, needs: Scope) -> ApiToken:
    """The token that a program showed; raises `TokenRefused`. Its use is noted once a minute."""
    now = timezone.now()
    token = ApiToken.objects.select_related("user").filter(digest=_digest(given)).first()
    if token is None:
        raise TokenRefused("This token is not known here. Make one on Settings, under API tokens.")
    _refuse_dead(token, now)
    if needs.value not in token.scopes:
        may = " and ".join(token.scopes)
        raise TokenRefused(
            f"This needs the scope {needs.value}; the token {token.prefix} may {may}. Make another on Settings.",
            status=403,
        )
    stale = Q(last_used_at=None) | Q(last_used_at__lte=now - STAMP_EVERY)
    ApiToken.objects.filter(stale, pk=token.pk).update(last_used_at=now)
    return token


def _refuse_dead(token: ApiToken, now: datetime) -> None:
    if token.revoked_at is not None:
        raise TokenRefused(f"The token {token.prefix} was revoked. Make another on Settings.")
    if token.expires_at is not None and token.expires_at <= now:
        raise TokenRefused(f"The token {token.prefix} has expired. Make another on Settings.")
    if not token.user.is_active:
        raise TokenRefused(f"The account of the token {token.prefix} is closed.")


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
