"""One page of the history after the other, by keys: as fast on the hundredth page as on the first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Prefetch, Q, QuerySet

from arena.errors import Invalid
from arena.listing.models import RunTag
from arena.listing.wanted import Wanted
from arena.models import Lane, Run

MAX_PAGE = 200


@dataclass(frozen=True, slots=True)
class Page:
    """Runs in the wanted order. `before` asks for the page after this one, `after` for the one ahead of it."""

    runs: Sequence[Run]
    before: int | None
    after: int | None


def page(wanted: Wanted, *, before: int | None = None, after: int | None = None, limit: int = 50) -> Page:
    """The first page, the one that follows the run `before`, or the one that ends ahead of the run `after`.

    Both are numbers of runs. Raises `Invalid` for a limit out of range and for two marks at once.
    """
    if not 1 <= limit <= MAX_PAGE:
        raise Invalid(f"The limit is {limit}; it must be from 1 to {MAX_PAGE}.")
    if before is not None and after is not None:
        raise Invalid("A page follows one mark; leave out `before` or `after`.")
    rows, backwards = wanted.rows(), after is not None
    mark = after if backwards else before
    if mark is not None:
        rows = rows.filter(_beyond(wanted.sort, mark, backwards=backwards))
    found = list(_whole(rows.order_by(*_order(wanted.sort, backwards=backwards)))[: limit + 1])
    more, shown = len(found) > limit, found[:limit]
    if backwards:
        shown.reverse()
    if not shown:
        return Page([], None, None)
    ahead = more if backwards else before is not None and _any(wanted, shown[0].pk, backwards=True)
    behind = _any(wanted, shown[-1].pk, backwards=False) if backwards else more
    return Page(shown, shown[-1].pk if behind else None, shown[0].pk if ahead else None)


def _order(sort: str, *, backwards: bool) -> tuple[str, ...]:
    order = {"newest": ("-pk",), "oldest": ("pk",), "case": ("case_title", "-pk")}[sort]
    return tuple(key[1:] if key.startswith("-") else f"-{key}" for key in order) if backwards else order


def _beyond(sort: str, mark: int, *, backwards: bool) -> Q:
    """What comes after the run `mark` in this order, or before it; a run that is gone keeps its place by number."""
    if sort != "case":
        rising = (sort == "oldest") != backwards
        return Q(pk__gt=mark) if rising else Q(pk__lt=mark)
    title = Run.objects.filter(pk=mark).values_list("case_title", flat=True).first()
    if title is None:
        raise Invalid(f"The run {mark} that this page should follow is gone. Open the list without it.")
    if backwards:
        return Q(case_title__lt=title) | Q(case_title=title, pk__gt=mark)
    return Q(case_title__gt=title) | Q(case_title=title, pk__lt=mark)


def _any(wanted: Wanted, mark: int, *, backwards: bool) -> bool:
    return wanted.rows().filter(_beyond(wanted.sort, mark, backwards=backwards)).exists()


def _whole(rows: QuerySet[Run]) -> QuerySet[Run]:
    lanes = Prefetch("lanes", Lane.objects.order_by("position"))
    rows = rows.select_related("by", "continues", "continued_by")
    return rows.prefetch_related(lanes, Prefetch("tags", RunTag.objects.order_by("tag")))
