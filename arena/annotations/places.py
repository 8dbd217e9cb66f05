"""Who may annotate which run: a few places a run, held for a while, given once."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from arena.annotations.models import Assignment
from arena.errors import Conflict, Invalid
from arena.models import Run, RunState
from policy.people.models import User

HELD_FOR = timedelta(minutes=30)


def live(rows: QuerySet[Assignment]) -> QuerySet[Assignment]:
    """Places that are taken: submitted, or held and not yet expired by the database's clock."""
    return rows.filter(Q(submitted_at__isnull=False) | Q(expires_at__gt=Now()))


def refuse_unfit(run: Run) -> None:
    """Raise `Invalid` for a run that is no fair pair: one that goes on, or in which a lane broke off."""
    if not run.is_final:
        raise Invalid(f"Run {run.number} goes on; it can be annotated once it has settled.")
    if run.state != RunState.COMPLETE:
        raise Invalid(f"Run {run.number} is {run.state}: a lane broke off, so there is nothing fair to compare.")
    if run.lanes.count() < 2:
        raise Invalid(f"Run {run.number} has one lane; blind annotation compares two or more.")


def take(run: Run, *, by: User) -> Assignment:
    """A place of this run for this rater, the one that they hold already where they do.

    Raises `Invalid` for a run that cannot be annotated, `Conflict` where all its places are taken.
    """
    refuse_unfit(run)
    own = Assignment.objects.filter(run=run, rater=by).first()
    if own is not None:
        return own if own.submitted_at else _held_longer(own, by)
    for number in range(1, settings.RATERS_PER_RUN + 1):
        taken = _take(run, number, by)
        if taken is not None:
            return taken
    raise Conflict(
        f"Run {run.number} has all {settings.RATERS_PER_RUN} raters that a run gets. "
        "Take the next one of the queue; a place that is not used is free again after 30 minutes."
    )


def _held_longer(own: Assignment, by: User) -> Assignment:
    now = timezone.now()
    if Assignment.objects.filter(pk=own.pk, rater=by, submitted_at=None).update(expires_at=now + HELD_FOR):
        return own
    # Another rater took it over between the two statements, or this person submitted elsewhere.
    return take(own.run, by=by)


def _take(run: Run, number: int, by: User) -> Assignment | None:
    """This place, if it is free or its holder let its time pass; the table's own uniqueness decides a race."""
    now = timezone.now()
    fresh = {"rater": by, "taken_at": now, "expires_at": now + HELD_FOR}
    try:
        with transaction.atomic():
            stale = Assignment.objects.filter(run=run, number=number, submitted_at=None, expires_at__lte=Now())
            if stale.update(**fresh):
                return Assignment.objects.get(run=run, number=number)
            return Assignment.objects.create(run=run, number=number, **fresh)
    except IntegrityError:
        return None
