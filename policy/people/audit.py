"""The record of changes that matter later: who, what, when."""

from __future__ import annotations

from policy.people.models import AuditEntry, User

MOST_CHARS = 200


def note(action: str, subject: str = "", *, by: User | None) -> None:
    """One more line of the record; `subject` never holds a secret. None for `by` is a command of the operator."""
    AuditEntry.objects.create(user=by, action=action, subject=subject[:MOST_CHARS])
