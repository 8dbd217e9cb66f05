"""What people said about a run, as its settled page shows it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from arena.annotations import places
from arena.annotations.models import Annotation, AnnotationEdit, Assignment, Verdict
from arena.errors import ArenaError
from arena.models import Run
from policy.people.models import User


@dataclass(frozen=True, slots=True)
class SaidOfLane:
    """What one rater says about one lane, with what they said before."""

    number: int
    letter: str
    verdict: str
    label: str
    note: str
    edits: tuple[AnnotationEdit, ...]


@dataclass(frozen=True, slots=True)
class Rater:
    """One rater's words about the whole run."""

    name: str
    mine: bool
    blind: bool
    at: datetime
    lanes: tuple[SaidOfLane, ...]
    next_experiment: str
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class People:
    """All raters of a run; `may_add` says whether this person may still annotate it."""

    raters: tuple[Rater, ...]
    may_add: bool
    choices: tuple[tuple[str, str], ...]


def of(run: Run, *, by: User) -> People:
    """Submitted annotations only, in the order that they came in."""
    submitted = Assignment.objects.filter(run=run, submitted_at__isnull=False).select_related("rater")
    rows = list(submitted.prefetch_related("annotations__lane", "annotations__edits__by").order_by("submitted_at"))
    choices = tuple((verdict.value, str(verdict.label)) for verdict in Verdict)
    mine = any(row.rater_id == by.pk for row in rows)
    return People(tuple(_rater(row, by) for row in rows), not mine and _fit(run), choices)


def _fit(run: Run) -> bool:
    try:
        places.refuse_unfit(run)
    except ArenaError:
        return False
    return True


def _rater(row: Assignment, by: User) -> Rater:
    assert row.submitted_at is not None
    said = sorted(row.annotations.all(), key=lambda each: each.lane.position)
    return Rater(
        name=row.rater.username,
        mine=row.rater_id == by.pk,
        blind=bool(row.blind),
        at=row.submitted_at,
        lanes=tuple(map(_said, said)),
        next_experiment=row.next_experiment,
        tags=tuple(row.tags),
    )


def _said(row: Annotation) -> SaidOfLane:
    label = str(Verdict(row.verdict).label)
    return SaidOfLane(row.pk, row.lane.letter, row.verdict, label, row.note, tuple(row.edits.all()))
