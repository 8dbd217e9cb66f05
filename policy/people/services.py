"""What can be done with people."""

from __future__ import annotations

from policy.people.models import Role, User

LOCAL = "local"
_RANK = {Role.READER: 0, Role.MEMBER: 1, Role.OPERATOR: 2}


class NotAllowed(Exception):
    """The person's role does not allow this; the text says which role does."""


def local_user() -> User:
    """The one user of local mode, made at first use; it has no password and cannot log in."""
    user, _ = User.objects.get_or_create(username=LOCAL, defaults={"role": Role.OPERATOR, "password": "!"})
    return user


def require(role: Role, *, by: User) -> None:
    """Raise `NotAllowed` unless `by` has at least this role."""
    if _RANK[Role(by.role)] < _RANK[role]:
        raise NotAllowed(f"This needs the role {role.label.lower()}; {by.username} is {Role(by.role).label.lower()}.")
