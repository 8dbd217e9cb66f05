"""How an arm gets its menu: the whole one, or what a selection of the judge leaves of it; `controls` makes the rest."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from arena.catalogs.catalog import Catalog
from arena.catalogs.menus import Menu
from policy.engine.routing import TopK
from policy.engine.selection import Candidate, Category, Selection
from policy.engine.selectors import SelectorResult

Role = Literal["given", "selected", "expanded", "always", "prerequisite", "ranked", "drawn", "needed", "joined"]


@dataclass(frozen=True, slots=True)
class MenuEntry:
    """A tool that a lane may see, why, and the judge's probability where it gave one."""

    id: str
    role: Role
    probability: float | None = None

    def to_json(self) -> dict[str, Any]:
        return {"id": self.id, "role": self.role, "probability": self.probability}


def full(menu: Menu) -> tuple[MenuEntry, ...]:
    """The whole menu of the run: what the arms `full` and `shadow` see."""
    return tuple(MenuEntry(tool_id, "given") for tool_id in menu.ids)


def candidates(menu: Menu, forbids: Iterable[str]) -> list[Candidate]:
    """The menu as a judge may see it; a tool that the case forbids is marked and never leaves the host."""
    restricted = set(forbids)
    return [Candidate(tool.id, (tool.category,), tool.description, tool.id in restricted) for tool in menu.tools]


def categories(menu: Menu, catalog: Catalog) -> list[Category]:
    present = {tool.category for tool in menu.tools}
    return [Category(each.id, each.description) for each in catalog.categories if each.id in present]


def selected(
    selection: SelectorResult, catalog: Catalog, menu: Menu, forbids: Iterable[str]
) -> tuple[tuple[MenuEntry, ...], tuple[str, ...]]:
    """The selected menu in catalog order, and the prerequisites that block it (then the whole menu is withheld)."""
    if isinstance(selection, TopK):
        entries, blocked = _routed(selection), selection.bundle.blocked_ids
    else:
        assert isinstance(selection, Selection)
        entries, blocked = _picked(selection, catalog, set(menu.ids) - set(forbids))
    return tuple(entries[tool_id] for tool_id in catalog.ids if tool_id in entries), blocked


def _picked(
    selection: Selection, catalog: Catalog, available: Collection[str]
) -> tuple[dict[str, MenuEntry], tuple[str, ...]]:
    entries: dict[str, MenuEntry] = {}
    for picks, role in ((selection.selected, "selected"), (selection.expand, "expanded")):
        for pick in picks:
            entries.setdefault(pick.id, MenuEntry(pick.id, role, pick.probability))  # type: ignore[arg-type]
    for tool_id in selection.always_allow:
        entries.setdefault(tool_id, MenuEntry(tool_id, "always"))
    joining, blocked = catalog.with_prerequisites(entries, available=available)
    return entries | {tool_id: MenuEntry(tool_id, "prerequisite") for tool_id in joining}, blocked


def _routed(selection: TopK) -> dict[str, MenuEntry]:
    entries = {routed.id: MenuEntry(routed.id, "selected", routed.probability) for routed in selection.selected}
    return entries | {name: MenuEntry(name, "prerequisite") for name in selection.bundle.prerequisite_ids}


def from_json(rows: Iterable[Mapping[str, Any]]) -> tuple[MenuEntry, ...]:
    return tuple(MenuEntry(row["id"], row["role"], row["probability"]) for row in rows)
