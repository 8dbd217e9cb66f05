"""The cases as cards: filtered by kind and words, broken files among them."""

from __future__ import annotations

from collections import Counter
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
FIRST_LOOK = 12
"""Cards that fit on one screen; the rest comes when asked for, or found."""


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

    `kept` is the chosen case where its card is not shown; `elsewhere` counts what other kinds hold of a search;
    `matching` counts what the filter lets through, of which `shown` are on the page.
    """

    kinds: tuple[Kind, ...]
    kind: str
    search: str
    cards: tuple[Card, ...]
    broken: tuple[BrokenCase, ...]
    total: int
    matching: int
    kept: str
    elsewhere: int

    @property
    def shown(self) -> int:
        return len(self.cards) + len(self.broken)


def shelf(books: Library, *, kind: str, search: str, chosen: str, whole: bool) -> Shelf:
    """The cards for a filter, the first twelve unless the whole is asked for; an unknown kind is no filter."""
    kinds = _kinds(books)
    kind = kind if kind in {each.key for each in kinds} else ""
    counts = history.counts_by_case()
    words = search.casefold().split()
    found = [case for case in in_order(books.cases) if _holds(_text(case), words)]
    cards = [case for case in found if kind in ("", case.kind)]
    amiss = [file for file in books.broken if _holds(f"{file.id} {file.file}", words)]
    broken = amiss if kind in ("", BROKEN) else []
    shown = cards if whole else _first_look(cards, broken, chosen)
    hidden = {case.id for case in books.cases} - {case.id for case in shown}
    return Shelf(
        kinds=kinds,
        kind=kind,
        search=search,
        cards=tuple(Card(case, _runs(counts.get(case.id, 0)), case.id == chosen) for case in shown),
        broken=tuple(broken),
        total=len(books.cases) + len(books.broken),
        matching=len(cards) + len(broken),
        kept=chosen if chosen in hidden else "",
        elsewhere=len(found) + len(amiss) - len(cards) - len(broken),
    )


def in_order(cases: Sequence[Case]) -> list[Case]:
    """The four that one begins with, then one of each kind in turn, by title."""
    kinds = get_args(CaseKind)
    first = [case for wanted in BEGIN_WITH for case in cases if case.id == wanted]
    rest = sorted((case for case in cases if case.id not in BEGIN_WITH), key=lambda case: case.title.casefold())
    turns: Counter[str] = Counter()
    places: dict[str, tuple[int, int]] = {}
    for case in rest:
        places[case.id] = turns[case.kind], kinds.index(case.kind)
        turns[case.kind] += 1
    return [*first, *sorted(rest, key=lambda case: places[case.id])]


def _first_look(cards: list[Case], broken: Sequence[BrokenCase], chosen: str) -> list[Case]:
    """As many as fit beside the broken ones, which are never hidden; the chosen card takes the last place."""
    room = max(FIRST_LOOK - len(broken), 0)
    shown = cards[:room]
    late = [case for case in cards[room:] if case.id == chosen]
    return [*shown[: len(shown) - len(late)], *late]


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
