"""The cases as cards: filtered by kind and words, broken files among them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

from arena.cases.case import Case, CaseKind
from arena.cases.load import BrokenCase
from arena.library import Library
from arena.live import figures
from arena.runs import history

BROKEN = "broken"
BEGIN_WITH = ("read", "patch", "inspect", "ambiguous")


@dataclass(frozen=True, slots=True)
class Kind:
    """One filter with the number of cards behind it."""

    key: str
    word: str
    count: int


@dataclass(frozen=True, slots=True)
class Card:
    case: Case
    runs: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Shelf:
    """What the left side of the start page shows.

    `kept` is the chosen case where the filter hides its card; `elsewhere` counts what other kinds hold of a search.
    """

    kinds: tuple[Kind, ...]
    kind: str
    search: str
    cards: tuple[Card, ...]
    broken: tuple[BrokenCase, ...]
    total: int
    kept: str
    elsewhere: int

    @property
    def shown(self) -> int:
        return len(self.cards) + len(self.broken)


def shelf(books: Library, *, kind: str, search: str, chosen: str) -> Shelf:
    """The cards for a filter; an unknown kind is no filter."""
    kinds = _kinds(books)
    kind = kind if kind in {each.key for each in kinds} else ""
    counts = history.counts_by_case()
    words = search.casefold().split()
    found = [case for case in in_order(books.cases) if _holds(_text(case), words)]
    cards = [case for case in found if kind in ("", case.kind)]
    amiss = [file for file in books.broken if _holds(f"{file.id} {file.file}", words)]
    broken = amiss if kind in ("", BROKEN) else []
    hidden = {case.id for case in books.cases} - {case.id for case in cards}
    return Shelf(
        kinds=kinds,
        kind=kind,
        search=search,
        cards=tuple(Card(case, _runs(counts.get(case.id, 0)), case.id == chosen) for case in cards),
        broken=tuple(broken),
        total=len(books.cases) + len(books.broken),
        kept=chosen if chosen in hidden else "",
        elsewhere=len(found) + len(amiss) - len(cards) - len(broken),
    )


def in_order(cases: Sequence[Case]) -> list[Case]:
    """The four that one begins with, then by kind and title."""
    kinds = get_args(CaseKind)

    def place(case: Case) -> tuple[int, int, str]:
        early = BEGIN_WITH.index(case.id) if case.id in BEGIN_WITH else len(BEGIN_WITH)
        return early, kinds.index(case.kind), case.title.casefold()

    return sorted(cases, key=place)


def _kinds(books: Library) -> tuple[Kind, ...]:
    found = [Kind(key, key.capitalize(), sum(case.kind == key for case in books.cases)) for key in get_args(CaseKind)]
    kinds = [Kind("", "All", len(books.cases) + len(books.broken)), *found]
    if books.broken:
        kinds.append(Kind(BROKEN, "Broken", len(books.broken)))
    return tuple(each for each in kinds if each.count)


def _runs(number: int) -> str:
    return figures.plural(number, "run") if number else "no run yet"


def _text(case: Case) -> str:
    return f"{case.title} {case.summary} {case.task} {case.id}"


def _holds(text: str, words: list[str]) -> bool:
    return all(word in text.casefold() for word in words)
