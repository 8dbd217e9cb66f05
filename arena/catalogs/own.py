"""A catalog of the user's own: what a stranger lists, with what the person says of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self, get_args

from arena.catalogs.catalog import Catalog, Category
from arena.catalogs.listed import Listed, Listing, ListingFault
from arena.catalogs.tool import COST_OF_EFFECT, Tool, ToolEffect
from arena.worlds import storable

EFFECTS: tuple[ToolEffect, ...] = get_args(ToolEffect)
MAX_ID_CHARS = 64
MAX_CATEGORIES = 60
NAME = re.compile(r"[a-z][a-z0-9-]{0,30}")
CATEGORY_ID = re.compile(r"[a-z][a-z0-9_]{0,40}")
NO_DESCRIPTION = "No description is given."


@dataclass(frozen=True, slots=True)
class Mark:
    """What a person says of one tool. `left_out` keeps it away from every run."""

    effect: ToolEffect
    category: str
    prerequisites: tuple[str, ...] = ()
    left_out: bool = False

    def to_json(self) -> dict[str, Any]:
        return {
            "effect": self.effect,
            "category": self.category,
            "prerequisites": list(self.prerequisites),
            "left_out": self.left_out,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        return cls(data["effect"], data["category"], tuple(data["prerequisites"]), bool(data["left_out"]))


@dataclass(frozen=True, slots=True)
class Marks:
    """The marks by tool name and the categories that they use."""

    tools: Mapping[str, Mark]
    categories: tuple[Category, ...] = field(default=())

    def to_json(self) -> dict[str, Any]:
        return {
            "tools": {name: mark.to_json() for name, mark in self.tools.items()},
            "categories": [each.to_json() for each in self.categories],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        tools = {name: Mark.from_json(mark) for name, mark in data["tools"].items()}
        return cls(tools, tuple(Category(**each) for each in data["categories"]))


def filled(name: str, listing: Listing, marks: Marks | None = None) -> Marks:
    """The marks that are there, and a proposal for every tool that has none; what is listed no more goes."""
    main = Category(name.replace("-", "_"), name, f"The tools of {name}.")
    categories = marks.categories if marks and marks.categories else (main,)
    known = {each.id for each in categories}
    first = categories[0].id
    tools: dict[str, Mark] = {}
    for each in listing:
        mark = marks.tools.get(each.name) if marks else None
        if mark is None or mark.category not in known:
            effect = mark.effect if mark else each.proposal[0]
            mark = Mark(effect, first, mark.prerequisites if mark else (), bool(mark and mark.left_out))
        names = {other.name for other in listing}
        kept = tuple(needed for needed in mark.prerequisites if needed in names)
        tools[each.name] = Mark(mark.effect, mark.category, kept, mark.left_out)
    return Marks(tools, categories)


def catalog(name: str, listing: Listing, marks: Marks, *, of_server: bool) -> Catalog:
    """The catalog that runs may use; raises ListingFault for marks that do not fit together.

    The ids are safe for every provider: `files.read_file` becomes `files__read_file`. A tool of a server says in
    `origin` what it is really called.
    """
    _check(listing, marks)
    offered = [each for each in listing if not marks.tools[each.name].left_out]
    if not offered:
        raise ListingFault(name, "tools", "has every tool left out", "keep at least one")
    ids = _ids(name, offered)
    used = {marks.tools[each.name].category for each in offered}
    return Catalog(
        tools=tuple(_tool(name, each, marks.tools[each.name], ids, of_server) for each in offered),
        categories=tuple(each for each in marks.categories if each.id in used),
    )


def said(listed: Listed) -> str:
    """What a judge and an agent read of a tool."""
    return listed.description or NO_DESCRIPTION


def _tool(name: str, listed: Listed, mark: Mark, ids: Mapping[str, str], of_server: bool) -> Tool:
    return Tool(
        id=ids[listed.name],
        category=mark.category,
        description=said(listed),
        schema=listed.schema,
        effect=mark.effect,
        cost_units=COST_OF_EFFECT[mark.effect],
        prerequisites=tuple(ids[needed] for needed in mark.prerequisites),
        origin=f"{name}.{listed.name}" if of_server else "",
        foreign=True,
    )


def _ids(name: str, offered: list[Listed]) -> dict[str, str]:
    """A safe id for each name, each once: letters, digits and underscores, at most 64."""
    ids: dict[str, str] = {}
    for each in offered:
        plain = re.sub(r"[^a-z0-9]+", "_", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", each.name).lower()).strip("_")
        wanted = f"{name.replace('-', '_')}__{plain or 'tool'}"[:MAX_ID_CHARS]
        found, number = wanted, 2
        while found in ids.values():
            found, number = f"{wanted[: MAX_ID_CHARS - 4]}_{number}", number + 1
        ids[each.name] = found
    return ids


def _check(listing: Listing, marks: Marks) -> None:
    known = {each.id for each in marks.categories}
    for each in marks.categories:
        if not CATEGORY_ID.fullmatch(each.id):
            raise ListingFault(f"Category {each.id[:40]!r}", "id", "is not like read_files", "use small letters and _")
        if not each.title.strip() or not each.description.strip():
            raise ListingFault(f"Category {each.id}", "description", "is empty", "say what its tools are for")
        if unstorable := storable.problem([each.title, each.description]):
            raise ListingFault(f"Category {each.id}", "description", unstorable, "take that out")
    if len(known) != len(marks.categories) or len(known) > MAX_CATEGORIES:
        raise ListingFault("The categories", "id", "are too many, or one is there twice", "rename or remove one")
    for listed in listing:
        mark, item = marks.tools.get(listed.name), f"Tool {listed.name[:60]}"
        if mark is None:
            raise ListingFault(item, "effect", "is not marked", "say what the tool does")
        if mark.category not in known:
            raise ListingFault(item, "category", f"{mark.category[:40]!r} does not exist", "choose one of the list")
        if mark.effect not in EFFECTS:
            raise ListingFault(item, "effect", f"{mark.effect[:40]!r} is none", f"use {', '.join(EFFECTS)}")
        for needed in mark.prerequisites if not mark.left_out else ():
            other = marks.tools.get(needed)
            if other is None or other.left_out:
                raise ListingFault(item, "prerequisites", f"“{needed[:60]}” is not offered", "take it out")
        if listed.name in _reachable(marks, listed.name):
            raise ListingFault(item, "prerequisites", "lead back to the tool itself", "take one out")


def _reachable(marks: Marks, name: str) -> set[str]:
    found: set[str] = set()
    left = list(marks.tools[name].prerequisites)
    while left:
        each = left.pop()
        if each not in found and each in marks.tools:
            found.add(each)
            left += marks.tools[each].prerequisites
    return found
