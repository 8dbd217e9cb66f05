"""What a lane sees: one cell per tool of the run's menu, and in words why each tool is there or is not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from arena.catalogs.catalog import Catalog
from arena.catalogs.tool import Tool
from arena.live import figures

Role = Literal["given", "selected", "expanded", "always", "prerequisite", "off", "open"]
MAX_CELLS = 120
_ROWS: tuple[tuple[Role, str], ...] = (
    ("selected", "selected"),
    ("expanded", "expanded"),
    ("always", "always allowed"),
    ("prerequisite", "prerequisite"),
)


@dataclass(frozen=True, slots=True)
class Cell:
    tool: str
    role: Role


@dataclass(frozen=True, slots=True)
class Group:
    """The cells of one category; `seen` of `size` are visible to the lane."""

    title: str
    cells: tuple[Cell, ...]
    seen: int


@dataclass(frozen=True, slots=True)
class Named:
    """A tool with the judge's probability (empty where none was given) and the reason where it was dropped."""

    id: str
    probability: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    role: Role
    word: str
    tools: tuple[Named, ...]


@dataclass(frozen=True, slots=True)
class MenuStory:
    """`sentence` is what the strip says to a reader who does not see it; `counted` replaces cells of a long menu."""

    title: str
    sentence: str
    groups: tuple[Group, ...]
    counted: bool
    rows: tuple[Row, ...]
    dropped: tuple[Named, ...]
    nearest: Named | None
    words: str


def tell(
    tools: Sequence[Tool],
    catalog: Catalog,
    entries: Sequence[Mapping[str, Any]] | None,
    selection: Mapping[str, Any] | None,
    *,
    withheld: bool = False,
) -> MenuStory:
    """`tools` is the whole menu of the run, `entries` what the lane may see (None: not known yet)."""
    roles: dict[str, Role] = {} if entries is None else {entry["id"]: entry["role"] for entry in entries}
    blank: Role = "open" if entries is None else "off"
    groups = tuple(_groups(tools, catalog, roles, blank))
    given = bool(roles) and all(role == "given" for role in roles.values())
    dropped = _dropped(selection, roles) if selection and not given else ()
    return MenuStory(
        title=_title(len(tools), entries),
        sentence=_sentence(len(tools), entries),
        groups=groups,
        counted=len(tools) > MAX_CELLS,
        rows=tuple(_rows(entries or ())),
        dropped=dropped,
        nearest=next((each for each in dropped if each.probability), None),
        words=_words(entries, given=given, withheld=withheld),
    )


def preview(tools: Sequence[Tool], catalog: Catalog, *, known: bool) -> tuple[Group, ...]:
    """The strip before a run: all cells filled for a lane that sees everything, dotted where the judge decides."""
    roles: dict[str, Role] = {tool.id: "given" for tool in tools} if known else {}
    return tuple(_groups(tools, catalog, roles, "open"))


def _groups(tools: Sequence[Tool], catalog: Catalog, roles: Mapping[str, Role], blank: Role) -> Iterable[Group]:
    for category in catalog.categories:
        cells = tuple(Cell(tool.id, roles.get(tool.id, blank)) for tool in tools if tool.category == category.id)
        if cells:
            yield Group(category.title, cells, sum(cell.tool in roles for cell in cells))


def _title(size: int, entries: Sequence[Any] | None) -> str:
    if entries is None:
        return f"Will see some of {figures.plural(size, 'tool')}"
    return f"Sees {len(entries) or 'none'} of {figures.plural(size, 'tool')}"


def _sentence(size: int, entries: Sequence[Mapping[str, Any]] | None) -> str:
    if entries is None:
        return "not known before the judge answers"
    counts = [(word, sum(entry["role"] == role for entry in entries)) for role, word in _ROWS]
    parts = ", ".join(f"{number} {word}" for word, number in counts if number)
    return f"{len(entries)} of {figures.plural(size, 'tool')}" + (f": {parts}" if parts else "")


def _words(entries: Sequence[Any] | None, *, given: bool, withheld: bool) -> str:
    if entries is None:
        return "Known once the judge has answered."
    if withheld:
        return "The menu is withheld; the agent was not started."
    return "Every tool of the menu, in catalog order." if given else ""


def _rows(entries: Sequence[Mapping[str, Any]]) -> Iterable[Row]:
    for role, word in _ROWS:
        tools = tuple(_named(entry) for entry in entries if entry["role"] == role)
        if tools:
            yield Row(role, word, tools)


def _named(entry: Mapping[str, Any]) -> Named:
    probability = entry.get("probability")
    shown = "" if probability is None else figures.probability(probability)
    return Named(entry["id"], shown, entry.get("reason", ""))


def _dropped(selection: Mapping[str, Any], roles: Mapping[str, Role]) -> tuple[Named, ...]:
    """Dropped tools, the nearest miss first, those that no question offered last."""
    rows = [row for row in selection["dropped"] if row["id"] not in roles]
    rows.sort(key=lambda row: -1 if row["probability"] is None else row["probability"], reverse=True)
    return tuple(_named(row) for row in rows)
