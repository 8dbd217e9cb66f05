"""Sets of fixtures: imported as a whole or not at all, exported without loss, labels edited with their history."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Max, QuerySet

from policy.calibration import fixture_lines, fixtures, likeness, masking
from policy.calibration.fixture_lines import Unreadable
from policy.calibration.fixtures import Fixture, Kind
from policy.calibration.likeness import Pair
from policy.engine.bounds import clean_text
from policy.engine.redaction import REDACTED
from policy.errors import Conflict, Faulty, Invalid, Unknown
from policy.judges.local.text import stems
from policy.measurements import names
from policy.measurements.models import FixtureRow, FixtureSet, LabelChange
from policy.people.models import Role, User
from policy.people.services import require

MOST_TITLE = 200
BATCH = 1000


@dataclass(frozen=True, slots=True)
class Flags:
    """What a person should look at in a set: pairs of places of its fixtures; `families` numbers each fixture's own."""

    duplicates: tuple[Pair, ...]
    near: tuple[Pair, ...]
    across: tuple[Pair, ...]
    contradicting: tuple[Pair, ...]

    unlisted: int = 0
    families: tuple[int, ...] = ()

    def counts(self) -> dict[str, int]:
        """How many pairs of each sort; of a set with very many near-duplicates those beyond the list as `unlisted`."""
        listed = ("duplicates", "near", "across", "contradicting")
        return {**{name: len(getattr(self, name)) for name in listed}, "unlisted": self.unlisted}


@dataclass(frozen=True, slots=True)
class Taken:
    """A set that came in; `masked` counts the texts of its file that lost a credential."""

    set: FixtureSet
    masked: int


def take_in(text: str, *, name: str, by: User, source: str = "") -> FixtureSet:
    """As `taken`, without the count."""
    return taken(text, name=name, by=by, source=source).set


def taken(text: str, *, name: str, by: User, source: str = "") -> Taken:
    """Store the rows of a file as a version of the set `name`; the same rows again give the version that is there.

    Credentials in what people wrote are masked first.
    Raises `Invalid` with the first five faults (line, field, mend) before anything is stored.
    """
    require(Role.MEMBER, by=by)
    name = names.checked(name, "A set")
    try:
        places = (place for place, line in enumerate(text.split("\n"), start=1) if line.strip())
        rows = [masking.masked(each, line=at) for at, each in zip(places, fixture_lines.read(text), strict=False)]
        if faults := tuple(fault for each in rows for fault in each.faults):
            raise Unreadable(faults)
    except Unreadable as fault:
        raise Faulty("Nothing was imported.", fault.lines) from fault
    read, hidden = [each.fixture for each in rows], sum(each.places for each in rows)
    digest = fixtures.set_digest(each.digest for each in read)
    try:
        with transaction.atomic():
            # Inside, so that the same file sent twice at once is one version.
            if same := FixtureSet.objects.filter(name=name, digest=digest).first():
                return Taken(same, hidden)
            last = FixtureSet.objects.filter(name=name).aggregate(last=Max("version"))["last"] or 0
            kept = FixtureSet.objects.create(
                name=name, version=last + 1, digest=digest, source=source[:200], size=len(read), by=by
            )
            FixtureRow.objects.bulk_create(
                (_row(kept, place, each) for place, each in enumerate(read)), batch_size=BATCH
            )
    except IntegrityError as error:
        raise Conflict(f"Somebody else takes in the set {name} just now. Try again.") from error
    return Taken(kept, hidden)


def shipped() -> list[str]:
    """The names of the sets that lie in `fixtures/calibration/`."""
    return sorted(path.stem for path in _folder().glob("*.jsonl"))


def take_in_shipped(name: str, *, by: User) -> FixtureSet:
    """The version of a shipped set as its file is now; raises `Unknown` with the names that are there."""
    if name not in shipped():
        there = ", ".join(shipped()) or "none"
        raise Unknown(f"There is no set {name!r} in fixtures/calibration. There are: {there}.")
    path = _folder() / f"{name}.jsonl"
    return take_in(path.read_text(encoding="utf-8"), name=name, by=by, source=path.name)


def find(reference: str) -> FixtureSet:
    """A set by its public id, its name (the newest version) or name@version; raises `Unknown`."""
    reference = clean_text(reference).text
    name, at, version = reference.partition("@")
    found = FixtureSet.objects.filter(public_id=reference) or FixtureSet.objects.filter(name=name)
    if at:
        # Any other text than a version names none: never the newest in its place.
        numbered = version.isascii() and version.isdecimal() and len(version) < 10
        found = found.filter(version=int(version)) if numbered else found.none()
    if (one := found.order_by("-version").first()) is None:
        raise Unknown(f"There is no set of fixtures {reference!r}. Import it first, or name one of the list.")
    return one


def fixtures_of(kept: FixtureSet) -> tuple[Fixture, ...]:
    """The fixtures of a set in the order of its file."""
    return tuple(fixture_of(line) for line in kept.rows.values_list("line", flat=True))


def fixture_of(line: str) -> Fixture:
    """A fixture from a stored line, which was checked when it came in."""
    row = json.loads(line)
    return Fixture(row["id"], Kind(row["kind"]), row)


def export(kept: FixtureSet) -> str:
    """The set as JSON lines; importing them gives a set with the same digest."""
    return fixtures.export(fixtures_of(kept))


def masked(kept: FixtureSet) -> int:
    """How many texts of the set lost a credential, here or before it came."""
    rows = kept.rows.filter(line__contains=REDACTED).values_list("line", flat=True)
    return sum(masking.hidden(fixture_of(line)) for line in rows)


def kinds(kept: FixtureSet) -> dict[str, int]:
    """How many fixtures there are of each kind."""
    return dict(Counter(kept.rows.values_list("kind", flat=True)))


def flags(read: Sequence[Fixture]) -> Flags:
    """Duplicates, near-duplicates, pairs across a split and labels that contradict each other."""
    found = likeness.alike(read, stems)
    near = found.pairs
    asked = [each.asked for each in read]
    return Flags(
        tuple(pair for pair in near if asked[pair.first] == asked[pair.second]),
        tuple(pair for pair in near if asked[pair.first] != asked[pair.second]),
        tuple(likeness.across(read, near)),
        tuple(likeness.contradicting(read, near)),
        found.unlisted,
        tuple(found.families.tolist()),
    )


def relabel(kept: FixtureSet, fixture_id: str, *, label: Any, reason: str, by: User) -> FixtureRow:
    """Give a fixture another label: its `expect`, or the `label` of a generic row; the reason is kept with it.

    The set gets a new digest; what was measured of the fixture stays, because the judge never saw the label.
    Raises `Unknown` and `Invalid`.
    """
    require(Role.MEMBER, by=by)
    if not reason.strip():
        raise Invalid("A label needs a reason: say in a sentence why it is right.")
    reason = masking.text(reason)
    with transaction.atomic():
        held = FixtureSet.objects.select_for_update().get(pk=kept.pk)
        row = held.rows.filter(fixture_id=fixture_id).first()
        if row is None:
            raise Unknown(f"The set {held} has no fixture {fixture_id!r}.")
        changed = _relabelled(fixture_of(row.line), label, reason)
        previous, before = fixture_of(row.line).expect, held.digest
        others = held.rows.exclude(pk=row.pk).values_list("digest", flat=True)
        held.digest = fixtures.set_digest([*others, changed.digest])
        held.save(update_fields=["digest"])
        row.line, row.digest, row.title = changed.line, changed.digest, changed.title[:MOST_TITLE]
        row.save(update_fields=["line", "digest", "title"])
        LabelChange.objects.create(
            row=row,
            by=by,
            previous=json.dumps(previous, ensure_ascii=False),
            label=json.dumps(changed.expect, ensure_ascii=False),
            reason=reason,
            set_before=before,
            set_after=held.digest,
        )
    return row


def history(kept: FixtureSet) -> QuerySet[LabelChange]:
    """Every change of a label in this set, the oldest first."""
    return LabelChange.objects.filter(row__set=kept).select_related("row", "by")


def _relabelled(fixture: Fixture, label: Any, reason: str) -> Fixture:
    field = "label" if fixture.kind is Kind.GENERIC else "expect"
    try:
        return fixture_lines.fixture_of({**fixture.row, field: label, "reason": reason})
    except Unreadable as fault:
        said = "; ".join(f"{each.field} {each.said}" for each in fault.faults)
        raise Invalid(f"The label of {fixture.id} cannot be that: {said}.") from fault


def _row(kept: FixtureSet, place: int, fixture: Fixture) -> FixtureRow:
    return FixtureRow(
        set=kept,
        position=place,
        fixture_id=fixture.id,
        kind=fixture.kind.value,
        title=fixture.title[:MOST_TITLE],
        digest=fixture.digest,
        asked=fixture.asked,
        line=fixture.line,
    )


def _folder() -> Path:
    return Path(settings.FIXTURES_DIR) / "calibration"


def newest() -> Iterable[FixtureSet]:
    """All sets, the newest first."""
    return FixtureSet.objects.select_related("by").order_by("-id")
