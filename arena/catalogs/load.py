"""The built-in catalog from `fixtures/tools/<category>.toml`, checked so that a broken entry names itself."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

import arena.worlds.tools  # noqa: F401  registers every handler
from arena.catalogs import schemas
from arena.catalogs.catalog import Catalog, Category
from arena.catalogs.tool import COST_OF_EFFECT, Tool, ToolEffect
from arena.worlds import handlers
from arena.worlds.load import FixtureError, read_toml

MAX_TOOLS = 254
RESERVED = frozenset({"needs_clarification", "__none__"})
ID = re.compile(r"[a-z][a-z0-9_]{0,63}")
_EFFECTS: tuple[str, ...] = get_args(ToolEffect)
_CATEGORY_FIELDS = {"id": str, "title": str, "description": str, "order": int}
_TOOL_FIELDS = {
    "id": str,
    "description": str,
    "effect": str,
    "cost_units": int,
    "prerequisites": list,
    "schema": dict,
}
_WRITE = {
    str: "write text in quotes",
    int: "write a whole number",
    list: "write a list",
    dict: "write a table",
}
_OPTIONAL = {"order", "cost_units", "prerequisites", "schema"}


def load(folder: Path) -> Catalog:
    """Every category file of the folder, by `order`, then by file name; raises FixtureError."""
    paths = sorted(folder.glob("*.toml"))
    if not paths:
        raise FixtureError(folder.name, "folder", "it holds no category file", "add one TOML file per category")
    parts = sorted((_part(path) for path in paths), key=lambda part: (part[0], part[1].id))
    owners = {tool.id: category.id for _, category, tools in parts for tool in tools}
    catalog = Catalog(
        tools=tuple(tool for _, _, tools in parts for tool in tools),
        categories=tuple(category for _, category, _ in parts),
    )
    _check_together(catalog, owners)
    return catalog


def _part(path: Path) -> tuple[int, Category, list[Tool]]:
    data = read_toml(path)
    _check_fields(path.name, "file", data, {"category": dict, "tool": list})
    head = data["category"]
    _check_fields(path.name, "category", head, _CATEGORY_FIELDS)
    category = Category(id=head["id"], title=head["title"], description=head["description"])
    if category.id != path.stem:
        raise FixtureError(path.name, "category.id", f"{category.id!r} is not the file's name", f"write {path.stem!r}")
    if not all(isinstance(entry, dict) for entry in data["tool"]):
        raise FixtureError(path.name, "tool", "an entry is no table", "write each tool under [[tool]]")
    tools = [_tool(path.name, category.id, number, entry) for number, entry in enumerate(data["tool"], start=1)]
    return head.get("order", 0), category, tools


def _tool(file: str, category: str, number: int, entry: dict[str, Any]) -> Tool:
    name = str(entry.get("id", number))
    where = f"tool {name}"
    _check_fields(file, where, entry, _TOOL_FIELDS)
    if not ID.fullmatch(name) or name in RESERVED:
        raise FixtureError(file, f"{where}, id", "the id is reserved or not like read_file", "choose another id")
    if entry["effect"] not in _EFFECTS:
        cause = f"{entry['effect']!r} is no effect"
        raise FixtureError(file, f"{where}, effect", cause, f"use one of {', '.join(_EFFECTS)}")
    if entry.get("cost_units", 1) < 0:
        raise FixtureError(file, f"{where}, cost_units", "it is negative", "write 0 or more")
    if handlers.find(name) is None:
        raise FixtureError(file, f"{where}, id", "no handler carries it out", "register one with @handler")
    try:
        schema = schemas.closed(entry.get("schema", {}))
    except schemas.SchemaError as error:
        raise FixtureError(file, f"{where}, {error.field}", error.cause, error.mend) from None
    return Tool(
        id=name,
        category=category,
        description=entry["description"],
        schema=schema,
        effect=entry["effect"],
        cost_units=entry.get("cost_units", COST_OF_EFFECT[entry["effect"]]),
        prerequisites=tuple(entry.get("prerequisites", ())),
    )


def _check_fields(file: str, where: str, data: dict[str, Any], fields: Mapping[str, type]) -> None:
    for name in data:
        if name not in fields:
            raise FixtureError(file, f"{where}, {name}", "this field is unknown", f"use {', '.join(fields)}")
    for name, kind in fields.items():
        value: Any = data.get(name)
        if value is None and name in _OPTIONAL:
            continue
        if type(value) is not kind or (kind is not int and not value and name not in _OPTIONAL):
            raise FixtureError(file, f"{where}, {name}", "it is missing, empty or of the wrong type", _WRITE[kind])


def _check_together(catalog: Catalog, owners: Mapping[str, str]) -> None:
    if len(catalog.tools) > MAX_TOOLS:
        raise FixtureError("tools", "tool", f"there are {len(catalog.tools)} tools", f"keep at most {MAX_TOOLS}")
    for tool_id, count in Counter(catalog.ids).items():
        if count > 1:
            raise FixtureError(f"{owners[tool_id]}.toml", f"tool {tool_id}, id", "it is used twice", "rename one")
    for tool in catalog.tools:
        for prerequisite in tool.prerequisites:
            if prerequisite not in owners:
                cause = f"{prerequisite!r} is no tool of the catalog"
                raise FixtureError(f"{tool.category}.toml", _prerequisites(tool), cause, "name a known tool")
    for tool in catalog.tools:
        if tool.id in _reachable(catalog, tool):
            cause = "the tool needs itself in a circle"
            raise FixtureError(f"{tool.category}.toml", _prerequisites(tool), cause, "remove one edge of the circle")


def _prerequisites(tool: Tool) -> str:
    return f"tool {tool.id}, prerequisites"


def _reachable(catalog: Catalog, tool: Tool) -> set[str]:
    found: set[str] = set()
    open_ids = list(tool.prerequisites)
    while open_ids:
        tool_id = open_ids.pop()
        if tool_id not in found:
            found.add(tool_id)
            open_ids.extend(catalog.tool(tool_id).prerequisites)
    return found
