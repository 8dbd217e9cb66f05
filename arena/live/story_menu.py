"""What a lane sees: one cell per tool of the run's menu, and in words why each tool is there or is not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from arena.catalogs.catalog import Catalog
from arena.catalogs.tool import Tool
from arena.live import figures
from arena.live.story_events import LaneLog
from arena.models import Arm

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
    lane: LaneLog,
    tools: Sequence[Tool],
    catalog: Catalog,
    selection: Mapping[str, Any] | None,
    *,
    ended: bool,
) -> MenuStory:
    """`tools` is the whole menu of the run. A shadow lane sees everything; what the judge would pick stands beside it.

    Before the menus are laid out, a lane with the full menu is known already, the selected one is not.
    """
    entries = lane.menu
    if entries is None and lane.arm != Arm.SELECTED and not ended:
        entries = tuple({"id": tool.id, "role": "given", "probability": None} for tool in tools)
    roles: dict[str, Role] = {} if entries is None else {entry["id"]: entry["role"] for entry in entries}
    dropped = _dropped(selection, roles) if selection and lane.arm == Arm.SELECTED else ()
    return MenuStory(
        title=_title(len(tools), entries, ended=ended),
        sentence=_sentence(len(tools), entries),
        groups=tuple(_groups(tools, catalog, roles, "open" if entries is None and not ended else "off")),
        counted=len(tools) > MAX_CELLS,
        rows=_would(selection) if lane.arm == Arm.SHADOW else tuple(_rows(entries or ())),
        dropped=dropped,
        nearest=next((each for each in dropped if each.probability), None),
        words=_words(lane, entries, ended=ended),
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


def _title(size: int, entries: Sequence[Any] | None, *, ended: bool) -> str:
    if entries is None:
        return "Got no menu" if ended else f"Will see some of {figures.plural(size, 'tool')}"
    return f"Sees {len(entries) or 'none'} of {figures.plural(size, 'tool')}"


def _sentence(size: int, entries: Sequence[Mapping[str, Any]] | None) -> str:
    if entries is None:
        return "not known before the judge answers"
    counts = [(word, sum(entry["role"] == role for entry in entries)) for role, word in _ROWS]
    parts = ", ".join(f"{number} {word}" for word, number in counts if number)
    return f"{len(entries)} of {figures.plural(size, 'tool')}" + (f": {parts}" if parts else "")


def _words(lane: LaneLog, entries: Sequence[Any] | None, *, ended: bool) -> str:
    if entries is None:
        return "The run ended before its menu was laid out." if ended else "Known once the judge has answered."
    if lane.state == "withheld":
        return "The menu is withheld; the agent was not started."
    return "" if lane.arm == Arm.SELECTED else "Every tool of the menu, in catalog order."


def _rows(entries: Sequence[Mapping[str, Any]]) -> Iterable[Row]:
    for role, word in _ROWS:
        tools = tuple(_named(entry) for entry in entries if entry["role"] == role)
        if tools:
            yield Row(role, word, tools)


def _would(selection: Mapping[str, Any] | None) -> tuple[Row, ...]:
    chosen = [*selection["selected"], *selection["expand"]] if selection else []
    return (Row("off", "would select", tuple(_named(entry) for entry in chosen)),) if chosen else ()


def _named(entry: Mapping[str, Any]) -> Named:
    probability = entry.get("probability")
    shown = "" if probability is None else figures.probability(probability)
    return Named(entry["id"], shown, entry.get("reason", ""))


def _dropped(selection: Mapping[str, Any], roles: Mapping[str, Role]) -> tuple[Named, ...]:
    """Dropped tools, the nearest miss first, those that no question offered last."""
    rows = [row for row in selection["dropped"] if row["id"] not in roles]
    rows.sort(key=lambda row: -1 if row["probability"] is None else row["probability"], reverse=True)
    return tuple(_named(row) for row in rows)
