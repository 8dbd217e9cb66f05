"""Submitting annotations and changing them later; what was said before is kept with author, time and reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models.functions import Now

from arena.annotations import places, seen
from arena.annotations.models import Annotation, AnnotationEdit, Assignment, Verdict
from arena.errors import Conflict, Invalid, Unknown, among
from arena.models import Lane, Run
from policy.people.models import Role, User
from policy.people.services import require

MAX_NOTE = 1_000
MAX_TAGS = 8
MAX_TAG = 40


@dataclass(frozen=True, slots=True)
class Said:
    """What a rater says about one lane."""

    verdict: str
    note: str = ""


def submit(
    run: Run, said: Mapping[str, Said], *, by: User, next_experiment: str = "", tags: Sequence[str] = ()
) -> Assignment:
    """Store what this rater says about every lane of the run, by the lanes' public ids; once and whole.

    Raises `Invalid` with the item at fault, `Conflict` where it was submitted before or the run has its raters.
    """
    require(Role.MEMBER, by=by)
    lanes = {lane.public_id: lane for lane in run.lanes.all()}
    _refuse(lanes, said, next_experiment, tags)
    place = places.take(run, by=by)
    blind = not seen.has(run, by=by)
    with transaction.atomic():
        mine = Assignment.objects.filter(pk=place.pk, rater=by, submitted_at=None)
        words = {"next_experiment": next_experiment.strip(), "tags": tidy(tags)}
        if not mine.update(submitted_at=Now(), blind=blind, **words):
            raise Conflict(f"You have annotated run {run.number} before. Change what you said on the run's page.")
        Annotation.objects.bulk_create(
            Annotation(assignment=place, lane=lanes[name], verdict=each.verdict, note=each.note.strip())
            for name, each in said.items()
        )
    place.refresh_from_db()
    return place


def change(annotation: Annotation, said: Said, *, by: User, reason: str) -> Annotation:
    """Say something else about a lane; the earlier words stay, with `reason`. Only its own rater may."""
    require(Role.MEMBER, by=by)
    if annotation.assignment.rater_id != by.pk:
        raise Invalid("Another rater said this; add an annotation of your own instead.")
    if not reason.strip():
        raise Invalid("Say in a few words why it changes; the earlier verdict is kept beside it.")
    _refuse_one(annotation.lane.letter, said)
    _refuse_long("reason", reason)
    with transaction.atomic():
        row = Annotation.objects.select_for_update().get(pk=annotation.pk)
        if (row.verdict, row.note) == (said.verdict, said.note.strip()):
            return row
        before = {"verdict_before": row.verdict, "note_before": row.note}
        AnnotationEdit.objects.create(annotation=row, by=by, reason=reason.strip(), **before)
        row.verdict, row.note = said.verdict, said.note.strip()
        row.save(update_fields=["verdict", "note"])
    return row


def find(pk: int) -> Annotation:
    """The annotation of this number; raises `Unknown`."""
    found = Annotation.objects.select_related("assignment", "lane").filter(pk=pk).first()
    if found is None:
        raise Unknown(f"There is no annotation {pk}. The page of its run lists what there is.")
    return found


def tidy(tags: Sequence[str]) -> list[str]:
    """Tags in lower case, once each, in the order given."""
    return list(dict.fromkeys(tag.strip().casefold() for tag in tags if tag.strip()))


def _refuse(lanes: Mapping[str, Lane], said: Mapping[str, Said], next_experiment: str, tags: Sequence[str]) -> None:
    if unknown := sorted(said.keys() - lanes.keys()):
        raise Invalid(among("lane", unknown[0], list(lanes)))
    if missing := [name for name in lanes if name not in said]:
        raise Invalid(f"Say something about every side: {len(missing)} of {len(lanes)} have no verdict yet.")
    for name, each in said.items():
        _refuse_one(name, each)
    _refuse_long("note for the next experiment", next_experiment)
    if len(tidy(tags)) > MAX_TAGS:
        raise Invalid(f"There are {len(tidy(tags))} tags; up to {MAX_TAGS} are kept.")
    _refuse_long("list of tags", ",".join(tidy(tags)))
    if long := [tag for tag in tags if len(tag.strip()) > MAX_TAG]:
        raise Invalid(f"The tag {long[0][:20]!r}… has {len(long[0])} characters; up to {MAX_TAG} are kept.")


def _refuse_one(name: str, said: Said) -> None:
    if said.verdict not in Verdict.values:
        raise Invalid(among("verdict", said.verdict, list(Verdict.values)))
    _refuse_long(f"note on {name}", said.note)


def _refuse_long(what: str, text: str) -> None:
    if "\x00" in text:
        raise Invalid(f"The {what} holds a NUL character, which no database keeps. Take it out.")
    if len(text) > MAX_NOTE:
        raise Invalid(f"The {what} has {len(text):,} characters; up to {MAX_NOTE:,} are kept.")
