"""What is done to many runs at once: tagged, put away, taken back, deleted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from arena.annotations.models import Annotation
from arena.errors import Conflict, Invalid, Unknown
from arena.listing.models import RunTag
from arena.models import RUN_FINAL, Event, Lane, Run
from policy.people import audit
from policy.people.models import Role, User
from policy.people.services import require

MAX_AT_ONCE = 200
MAX_TAG = 40
MAX_TAGS = 20


@dataclass(frozen=True, slots=True)
class Going:
    """What a deletion takes along, counted before it is done."""

    runs: int
    lanes: int
    events: int
    annotations: int


def chosen(ids: Sequence[str]) -> QuerySet[Run]:
    """The runs of these public ids; raises `Invalid` for none or too many, `Unknown` naming one that is not there."""
    wanted = list(dict.fromkeys(ids))
    if not wanted:
        raise Invalid("No run is chosen. Tick the runs first.")
    if len(wanted) > MAX_AT_ONCE:
        raise Invalid(f"{len(wanted)} runs are chosen; up to {MAX_AT_ONCE} go at once.")
    rows = Run.objects.filter(public_id__in=[each for each in wanted if "\x00" not in each])
    found = set(rows.values_list("public_id", flat=True))
    if missing := [each for each in wanted if each not in found]:
        raise Unknown(f"There is no run {missing[0][:40]!r}; nothing was changed. Load the list again.")
    return rows


def tag(ids: Sequence[str], text: str, *, by: User) -> str:
    """Put a tag on these runs; returns it as it is kept. One that a run has already stays as it is."""
    require(Role.MEMBER, by=by)
    tag = tidy(text)
    rows = chosen(ids)
    with transaction.atomic():
        full = [run for run in rows if run.tags.exclude(tag=tag).count() >= MAX_TAGS]
        if full:
            raise Invalid(f"Run {full[0].number} has {MAX_TAGS} tags, and no more are kept. Take one off first.")
        RunTag.objects.bulk_create([RunTag(run=run, tag=tag, by=by) for run in rows], ignore_conflicts=True)
    return tag


def untag(ids: Sequence[str], text: str, *, by: User) -> str:
    """Take a tag off these runs; one that a run does not have is no fault."""
    require(Role.MEMBER, by=by)
    tag = tidy(text)
    RunTag.objects.filter(run__in=chosen(ids), tag=tag).delete()
    return tag


def archive(ids: Sequence[str], *, by: User) -> int:
    """Put runs away: they stay whole, and lists leave them out unless asked. Returns how many were changed."""
    require(Role.MEMBER, by=by)
    rows = chosen(ids)
    _refuse_active(rows, "put away")
    return rows.filter(archived_at=None).update(archived_at=Now())


def restore(ids: Sequence[str], *, by: User) -> int:
    require(Role.MEMBER, by=by)
    return chosen(ids).exclude(archived_at=None).update(archived_at=None)


def going(ids: Sequence[str]) -> Going:
    """What a deletion of these runs would take along."""
    rows = chosen(ids)
    return Going(
        runs=rows.count(),
        lanes=Lane.objects.filter(run__in=rows).count(),
        events=Event.objects.filter(run__in=rows).count(),
        annotations=Annotation.objects.filter(lane__run__in=rows).count(),
    )


def delete(ids: Sequence[str], *, by: User) -> int:
    """Delete runs with their lanes, events and annotations; the ledger keeps its rows. Returns how many went."""
    require(Role.MEMBER, by=by)
    rows = chosen(ids)
    _refuse_active(rows, "deleted")
    numbers = sorted(rows.values_list("pk", flat=True))
    with transaction.atomic():
        rows.delete()
        audit.note("runs-deleted", ", ".join(map(str, numbers))[:200], by=by)
    return len(numbers)


def tidy(text: str) -> str:
    """A tag as it is kept: one line, lower case. Raises `Invalid`."""
    tag = " ".join(text.split()).casefold()
    if not tag:
        raise Invalid("The tag is empty. Write a word or two.")
    if len(tag) > MAX_TAG or "\x00" in tag or "," in tag:
        raise Invalid(f"The tag {tag[:20]!r} cannot be kept: up to {MAX_TAG} characters, without commas.")
    return tag


def _refuse_active(rows: QuerySet[Run], what: str) -> None:
    active = rows.exclude(state__in=RUN_FINAL).order_by("pk").first()
    if active is not None:
        raise Conflict(f"Run {active.number} goes on and cannot be {what}; stop it first. Nothing was changed.")
