"""What somebody wants to see of the history: read from an address, written back into one, turned into rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Self
from urllib.parse import urlencode

from django.conf import settings
from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from arena.annotations.models import Assignment
from arena.errors import Invalid, among
from arena.models import Arm, Lane, Run, RunState

MAX_TEXT = 200
SORTS = ("newest", "oldest", "case")
ANNOTATED = ("none", "some", "full")
ARCHIVED = ("with", "only")
_LISTS: Mapping[str, tuple[str, ...]] = {
    "state": tuple(RunState.values),
    "arm": tuple(Arm.values),
    "annotated": ANNOTATED,
    "archived": ARCHIVED,
    "sort": SORTS,
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """The filters and the order of the list; an empty text is no filter. Days are in UTC, both included."""

    q: str = ""
    state: str = ""
    case: str = ""
    arm: str = ""
    agent: str = ""
    judge: str = ""
    tag: str = ""
    annotated: str = ""
    since: str = ""
    until: str = ""
    archived: str = ""
    sort: str = "newest"

    @classmethod
    def read(cls, data: Mapping[str, str]) -> Self:
        """From an address; raises `Invalid` that names the field and what it may be."""
        given = {field.name: data.get(field.name, "").strip() for field in fields(cls)}
        for name, value in given.items():
            if len(value) > MAX_TEXT:
                raise Invalid(f"The filter {name!r} has {len(value):,} characters; up to {MAX_TEXT} are looked for.")
        for name, allowed in _LISTS.items():
            if given[name] and given[name] not in allowed:
                raise Invalid(among(name, given[name], list(allowed)))
        for name in ("since", "until"):
            _day(name, given[name])
        return cls(**{**given, "sort": given["sort"] or SORTS[0]})

    @property
    def filters(self) -> dict[str, str]:
        """What is set, by name; without the order."""
        return {name: value for name, value in self._set().items() if name != "sort"}

    def query(self, **changes: str) -> str:
        """The address of this list with some fields changed; what stands at its default is left out."""
        return urlencode(replace(self, **changes)._set())

    def _set(self) -> dict[str, str]:
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in values.items() if value and not (name == "sort" and value == SORTS[0])}

    def rows(self) -> QuerySet[Run]:
        """The runs that fit, in no order."""
        # PostgreSQL refuses to look for a NUL; nothing has one.
        if any("\x00" in value for value in self._set().values()):
            return Run.objects.none()
        rows = Run.objects.filter(archived_at__isnull=self.archived != "only") if self.archived != "with" else None
        rows = Run.objects.all() if rows is None else rows
        plain = {"state": self.state, "case_id": self.case, "setup__agent": self.agent, "setup__judge": self.judge}
        rows = rows.filter(**{name: value for name, value in plain.items() if value})
        if self.arm:
            rows = rows.filter(Exists(Lane.objects.filter(run=OuterRef("pk"), arm=self.arm)))
        if self.tag:
            rows = rows.filter(tags__tag=self.tag)
        if self.since:
            rows = rows.filter(created_at__gte=_day("since", self.since))
        if self.until:
            rows = rows.filter(created_at__lt=_day("until", self.until) + timedelta(days=1))
        return _annotated(_named(rows, self.q), self.annotated)


def _day(name: str, text: str) -> datetime:
    """Midnight in UTC at the beginning of a day; of no day, the first one there is."""
    if not text:
        return datetime.min.replace(tzinfo=UTC)
    try:
        day = date.fromisoformat(text)
        if not 1970 <= day.year <= 9998:
            raise ValueError
    except ValueError as wrong:
        raise Invalid(f"The filter {name!r} is {text[:20]!r}; it must be a day such as 2026-12-01.") from wrong
    return datetime.combine(day, time(), tzinfo=UTC)


def _named(rows: QuerySet[Run], q: str) -> QuerySet[Run]:
    """Every word must stand in the title, case, id or a tag of a run; `131` and `#131` are its number, too."""
    for word in q.split()[:8]:
        hit = Q(case_title__icontains=word) | Q(case_id__icontains=word) | Q(public_id=word.lower())
        hit |= Q(pk__in=Run.objects.filter(tags__tag__icontains=word).values("pk"))
        number = word.removeprefix("#")
        if number.isascii() and number.isdigit() and len(number) < 19:
            hit |= Q(pk=int(number))
        rows = rows.filter(hit)
    return rows


def _annotated(rows: QuerySet[Run], wanted: str) -> QuerySet[Run]:
    if not wanted:
        return rows
    submitted = Assignment.objects.filter(submitted_at__isnull=False)
    if wanted == "full":
        counts = submitted.order_by().values("run").annotate(raters=Count("pk"))
        return rows.filter(pk__in=counts.filter(raters__gte=settings.RATERS_PER_RUN).values("run"))
    some = Exists(submitted.filter(run=OuterRef("pk")))
    return rows.filter(some if wanted == "some" else ~some)
