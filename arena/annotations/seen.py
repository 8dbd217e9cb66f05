"""Who has seen which arm was which: the first look at a run is logged, and what is said after it is not blind."""

from __future__ import annotations

from typing import Literal

from django.db import IntegrityError, transaction

from arena.annotations.models import Unblinding
from arena.models import Run
from policy.people.models import User

How = Literal["page", "api", "started"]


def note(run: Run, *, by: User, how: How) -> None:
    """Log that this person saw the run with its arms; the first time counts."""
    if has(run, by=by):
        return
    try:
        with transaction.atomic():
            Unblinding.objects.create(run=run, user=by, how=how)
    except IntegrityError:
        # Two pages at once: the first one is the first look.
        pass


def has(run: Run, *, by: User) -> bool:
    return Unblinding.objects.filter(run=run, user=by).exists()
