"""The arena's cases as examples for the policy lab: the task, a menu for it, and a call that would be wrong."""

from __future__ import annotations

from collections.abc import Sequence

from arena import arms
from arena.cases.case import Case
from arena.catalogs.catalog import Catalog
from arena.catalogs.menus import menu_for
from arena.errors import ArenaError
from arena.library import Library, library
from policy.lab.examples import Call, Example, Title

MENU_SIZE = 20
FIRST = {"call": "nothing-goes-yet"}
"""A restriction, and a call that breaks it."""
FIRST_ELSEWHERE = "refund"


class Cases:
    """The cases that can be loaded now; none while the fixtures are broken, which the start page tells."""

    def first(self, function: str) -> str:
        return FIRST.get(function, FIRST_ELSEWHERE)

    def titles(self) -> Sequence[Title]:
        return [Title(case.id, case.title, bool(case.wrong.calls)) for case in _ordered(_library())]

    def find(self, example: str) -> Example | None:
        books = _library()
        case = next((each for each in _ordered(books) if each.id == example), None)
        return None if books is None or case is None else _example(case, books.catalog)


def _library() -> Library | None:
    try:
        return library()
    except ArenaError:
        return None


def _ordered(books: Library | None) -> list[Case]:
    """Cases with a restriction first: there a call can be denied."""
    return sorted(books.cases, key=lambda case: (not case.restrictions, case.title)) if books else []


def _example(case: Case, catalog: Catalog) -> Example:
    menu = menu_for(case, catalog, MENU_SIZE, seed=1)
    return Example(
        id=case.id,
        title=case.title,
        task=case.task,
        restrictions=case.restrictions,
        candidates=tuple(arms.candidates(menu, case.forbids)),
        categories=tuple(arms.categories(menu, catalog)),
        call=_call(case, catalog),
    )


def _call(case: Case, catalog: Catalog) -> Call | None:
    """The last call of the result that the checks refuse: the one that does the damage."""
    if not case.wrong.calls:
        return None
    planned = case.wrong.calls[-1]
    schema = next((tool.schema for tool in catalog.tools if tool.id == planned.tool), None)
    return Call(planned.tool, planned.arguments, schema)
