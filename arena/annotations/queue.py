"""Which run a rater should look at next: where people or the check disagree, or a random share for audit."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from django.conf import settings
from django.db.models import Case, Count, Exists, IntegerField, OuterRef, Q, QuerySet, Value, When
from django.db.models.functions import Now

from arena.annotations.models import Annotation, Assignment, Verdict
from arena.models import Run, RunState
from policy.people.models import User

AUDIT_SHARE = 0.1
"""Of all runs, drawn by their ids; so everybody audits the same ones."""
_LOOKED_AT = 2_000


class Order(StrEnum):
    """How the queue is sorted."""

    UNCERTAIN = "uncertain"
    DISAGREEING = "disagreeing"
    AUDIT = "audit"


@dataclass(frozen=True, slots=True)
class Progress:
    """A rater's share of the queue: runs that they have done and that are left for them."""

    name: str
    done: int
    left: int


def waiting(order: Order, *, by: User) -> QuerySet[Run]:
    """Runs that this rater may still annotate, the most telling first; blind ones before those they have seen."""
    rows = (
        _fit()
        .exclude(_own_submitted(by))
        .annotate(
            taken=Count("assignments", filter=_live() & ~Q(assignments__rater=by), distinct=True),
        )
    )
    rows = rows.filter(taken__lt=settings.RATERS_PER_RUN)
    if order is Order.DISAGREEING:
        rows = rows.filter(Exists(_against_the_check()))
    return rows.annotate(doubt=_doubt()).order_by("-doubt", "-pk")


def upcoming(order: Order, *, by: User) -> Iterator[Run]:
    """The runs of `waiting` one after the other; the audit's are its random share, newest first."""
    rows = waiting(order, by=by)
    if order is not Order.AUDIT:
        yield from rows[:_LOOKED_AT]
        return
    yield from (run for run in rows.order_by("-pk")[:_LOOKED_AT] if drawn(run.public_id))


def drawn(public_id: str) -> bool:
    """Whether a run belongs to the audit's share."""
    digest = hashlib.sha256(f"audit/{public_id}".encode()).digest()
    return int.from_bytes(digest[:8]) < AUDIT_SHARE * 2**64


def progress() -> list[Progress]:
    """Every rater so far, with what they have done and what is left for them."""
    rows = Assignment.objects.filter(submitted_at__isnull=False).values("rater", "rater__username")
    counts = rows.annotate(done=Count("pk")).order_by("rater__username")
    people = {user.pk: user for user in User.objects.filter(pk__in=[row["rater"] for row in counts])}
    return [
        Progress(row["rater__username"], row["done"], waiting(Order.UNCERTAIN, by=people[row["rater"]]).count())
        for row in counts
    ]


def _fit() -> QuerySet[Run]:
    """Settled whole, with two lanes or more (`places.refuse_unfit` says the same of one run)."""
    return Run.objects.filter(state=RunState.COMPLETE, lanes__position=1).distinct()


def _own_submitted(by: User) -> Q:
    return Q(pk__in=Assignment.objects.filter(rater=by, submitted_at__isnull=False).values("run"))


def _live() -> Q:
    return Q(assignments__submitted_at__isnull=False) | Q(assignments__expires_at__gt=Now())


def _of_run() -> QuerySet[Annotation]:
    return Annotation.objects.filter(lane__run=OuterRef("pk"))


def _against_the_check() -> QuerySet[Annotation]:
    said_yes, said_no = Q(verdict=Verdict.MEETS), Q(verdict=Verdict.DOES_NOT)
    return _of_run().filter(said_yes & Q(lane__passed=False) | said_no & Q(lane__passed=True))


def _doubt() -> Case:
    """3: people differ or could not tell; 2: the check tells the lanes apart; 1: it could not tell; 0: neither."""
    other = Annotation.objects.filter(lane=OuterRef("lane")).exclude(verdict=OuterRef("verdict"))
    unsure = _of_run().filter(Q(verdict=Verdict.CANNOT_TELL) | Exists(other))
    passed = Run.objects.filter(pk=OuterRef("pk"), lanes__passed=True)
    failed = Run.objects.filter(pk=OuterRef("pk"), lanes__passed=False)
    unknown = Run.objects.filter(pk=OuterRef("pk"), lanes__passed=None)
    return Case(
        When(Exists(unsure), then=Value(3)),
        When(Exists(passed) & Exists(failed), then=Value(2)),
        When(Exists(unknown), then=Value(1)),
        default=Value(0),
        output_field=IntegerField(),
    )
