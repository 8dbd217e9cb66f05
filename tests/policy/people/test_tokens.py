"""API tokens: made, shown once, let in or refused."""

from __future__ import annotations

import hashlib
import pickle
from datetime import timedelta

import pytest
from django.utils import timezone

from policy.people import tokens
from policy.people.models import ApiToken, Scope, User
from policy.people.services import NotAllowed
from policy.people.tokens import Made, TokenRefused, Unusable


def made(by: User, *scopes: str, days: int | None = 30) -> Made:
    return tokens.make(name="build", scopes=scopes or ("read",), days=days, by=by)


def test_a_token_is_kept_as_its_digest_and_known_again(owner: User) -> None:
    new = made(owner)
    secret, row = new.secret.reveal(), ApiToken.objects.get()
    assert row.digest == hashlib.sha256(secret.encode()).hexdigest()
    assert secret.startswith(f"{row.prefix}_")
    assert secret not in f"{row.__dict__} {new!r}"
    assert tokens.let_in(secret, needs=Scope.READ).user == owner


def test_the_secret_of_a_token_is_not_written_anywhere(owner: User) -> None:
    with pytest.raises((TypeError, AttributeError, pickle.PicklingError)):
        pickle.dumps(made(owner).secret)


def test_no_two_tokens_are_the_same(owner: User) -> None:
    assert len({made(owner).secret.reveal() for _ in range(20)}) == 20


@pytest.mark.parametrize("needs", Scope)
def test_a_scope_includes_no_other(needs: Scope, owner: User) -> None:
    others = [scope.value for scope in Scope if scope is not needs]
    assert tokens.let_in(made(owner, needs.value).secret.reveal(), needs=needs)
    with pytest.raises(TokenRefused, match=f"needs the scope {needs.value}") as refused:
        tokens.let_in(made(owner, *others).secret.reveal(), needs=needs)
    assert refused.value.status == 403


def test_an_expired_a_revoked_and_an_unknown_token_are_told_apart(owner: User) -> None:
    old, dropped = made(owner), made(owner)
    ApiToken.objects.filter(pk=old.token.pk).update(expires_at=timezone.now())
    assert tokens.revoke(prefix=dropped.token.prefix, by=owner)
    for secret, says in (
        (old.secret.reveal(), "expired"),
        (dropped.secret.reveal(), "revoked"),
        ("jev_x", "not known"),
    ):
        with pytest.raises(TokenRefused, match=says) as refused:
            tokens.let_in(secret, needs=Scope.READ)
        assert refused.value.status == 401
        assert secret not in str(refused.value)


def test_a_token_of_a_closed_account_is_refused(owner: User) -> None:
    secret = made(owner).secret.reveal()
    User.objects.filter(pk=owner.pk).update(is_active=False)
    with pytest.raises(TokenRefused, match="account"):
        tokens.let_in(secret, needs=Scope.READ)


def test_the_use_of_a_token_is_noted_once_a_minute(owner: User) -> None:
    new = made(owner)
    tokens.let_in(new.secret.reveal(), needs=Scope.READ)
    first = ApiToken.objects.get().last_used_at
    tokens.let_in(new.secret.reveal(), needs=Scope.READ)
    assert ApiToken.objects.get().last_used_at == first is not None
    long_ago = timezone.now() - timedelta(minutes=1)
    ApiToken.objects.update(last_used_at=long_ago)
    tokens.let_in(new.secret.reveal(), needs=Scope.READ)
    assert ApiToken.objects.filter(last_used_at__gt=long_ago).exists()


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"scopes": ()}, "Choose at least one of: read, judge, write"),
        ({"scopes": ("read", "admin")}, "Choose at least one"),
        ({"name": "  "}, "a name of 1 to 80"),
        ({"name": "x" * 81}, "a name of 1 to 80"),
        ({"days": 0}, "from 1 to 3,650 days"),
        ({"days": 3651}, "from 1 to 3,650 days"),
    ],
)
def test_a_token_that_cannot_be_made_is_refused(changed: dict[str, object], says: str, owner: User) -> None:
    asked: dict[str, object] = {"name": "build", "scopes": ("read",), "days": 30, **changed}
    with pytest.raises(Unusable, match=says):
        tokens.make(**asked, by=owner)  # type: ignore[arg-type]
    assert not ApiToken.objects.exists()


def test_a_token_is_revoked_by_its_person_only_and_once(owner: User, reader: User) -> None:
    prefix = made(owner).token.prefix
    assert not tokens.revoke(prefix=prefix, by=reader)
    assert tokens.revoke(prefix=prefix, by=owner)
    assert not tokens.revoke(prefix=prefix, by=owner)


def test_a_reader_makes_no_token(reader: User) -> None:
    with pytest.raises(NotAllowed):
        made(reader)
