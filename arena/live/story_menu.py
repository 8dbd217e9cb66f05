"""What a lane sees: one cell per tool of the run's menu, and in words why each tool is there or is not."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from arena.catalogs.catalog import Catalog
from arena.catalogs.tool import Tool
from arena.live import figures
from arena.live.story_events import LaneLog
from arena.models import Arm
from policy.engine.selection import DropReason

Role = Literal[
    "given", "selected", "expanded", "always", "prerequisite", "ranked", "drawn", "needed", "joined", "off", "open"
]  # fmt: skip
MAX_CELLS = 120
_ROWS: tuple[tuple[Role, str, str], ...] = (
    ("selected", "selected", "The judge picked it with enough probability."),
    ("expanded", "expanded", "The pick was uncertain, so its next best tools come along."),
    ("always", "always allowed", "The host allows it in every menu."),
    ("ranked", "ranked first", "It is among the nearest to the task, by a ranking that no judge has a part in."),
    ("drawn", "drawn", "A seeded draw has taken it; neither the task nor the judge has a part in that."),
    ("needed", "needed", "The case says that it is enough for the task, alone or with others of these."),
    ("joined", "joined", "It was not in the menu at first; the agent has found it by searching."),
    ("prerequisite", "prerequisite", "It has to be used before another tool of this menu, so it comes along."),
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
    """The tools of one role; `hint` explains its word."""

    role: Role
    word: str
    hint: str
    tools: tuple[Named, ...]


@dataclass(frozen=True, slots=True)
class MenuStory:
    """`sentence` is what the strip says to a reader who does not see it; `counted` replaces cells of a long menu.

    `would` is a shadow lane's: what the selected menu would have been; its rows and dropped tools are that menu's.
    """

    title: str
    sentence: str
    groups: tuple[Group, ...]
    counted: bool
    rows: tuple[Row, ...]
    dropped: tuple[Named, ...]
    nearest: Named | None
    words: str
    would: str = ""


def tell(
    lane: LaneLog,
    tools: Sequence[Tool],
    catalog: Catalog,
    decided: Mapping[str, Any] | None,
    *,
    limit: int,
    ended: bool,
) -> MenuStory:
    """`tools` is the whole menu of the run. A shadow lane sees everything; what the judge would pick stands beside it.

    Before the menus are laid out, a lane with the full menu is known already, the selected one is not. `limit` is
    the profile's limit of selected tools.
    """
    entries = lane.menu
    if entries is None and Arm(lane.arm).sees_everything and not ended:
        entries = tuple({"id": tool.id, "role": "given", "probability": None} for tool in tools)
    roles: dict[str, Role] = {} if entries is None else {entry["id"]: entry["role"] for entry in entries}
    shadow = lane.arm == Arm.SHADOW and decided is not None
    picked = _would(decided, catalog) if shadow and decided else tuple(entries or ())
    dropped: tuple[Named, ...] = ()
    if decided and (shadow or lane.arm == Arm.SELECTED):
        dropped = _dropped(decided["selection"], {entry["id"] for entry in picked}, limit)
    return MenuStory(
        title=_title(len(tools), entries, ended=ended),
        sentence=_sentence(len(tools), entries),
        groups=tuple(_groups(tools, catalog, roles, "open" if entries is None and not ended else "off")),
        counted=len(tools) > MAX_CELLS,
        rows=tuple(_rows(picked)),
        dropped=dropped,
        nearest=next((each for each in dropped if each.probability), None),
        words=_words(lane, entries, ended=ended),
        would=_would_words(len(tools), picked) if shadow else "",
    )


def preview(tools: Sequence[Tool], catalog: Catalog, *, seen: Collection[str] | None) -> tuple[Group, ...]:
    """The strip before a run: filled cells for what a lane is going to see, all dotted where the judge decides it."""
    roles: dict[str, Role] = {tool.id: "given" for tool in tools if tool.id in (seen or ())}
    return tuple(_groups(tools, catalog, roles, "open" if seen is None else "off"))


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
    counts = [(word, sum(entry["role"] == role for entry in entries)) for role, word, _ in _ROWS]
    parts = ", ".join(f"{number} {word}" for word, number in counts if number)
    return f"{len(entries)} of {figures.plural(size, 'tool')}" + (f": {parts}" if parts else "")


def _words(lane: LaneLog, entries: Sequence[Any] | None, *, ended: bool) -> str:
    if entries is None:
        return _UNLAID[ended, Arm(lane.arm).asks_judge]
    if lane.state == "withheld":
        return "The menu is withheld; the agent was not started."
    if Arm(lane.arm).sees_everything:
        return "Every tool of the menu, in catalog order."
    return "" if entries else "The case needs no tool, so this lane has none."


_UNLAID = {
    (False, True): "Known once the judge has answered.",
    (False, False): "Known once the menus are laid out.",
    (True, True): "The run ended before its menu was laid out.",
    (True, False): "The run ended before its menu was laid out.",
}


def _rows(entries: Sequence[Mapping[str, Any]]) -> Iterable[Row]:
    for role, word, hint in _ROWS:
        tools = tuple(_named(entry) for entry in entries if entry["role"] == role)
        if tools:
            yield Row(role, word, hint, tools)


def _would(decided: Mapping[str, Any], catalog: Catalog) -> tuple[Mapping[str, Any], ...]:
    """The entries of the menu that a selected lane would have got, in catalog order; none where it is withheld."""
    if decided["outcome"] != "selected":
        return ()
    selection = decided["selection"]
    entries: dict[str, Mapping[str, Any]] = {}
    for name, role in (("selected", "selected"), ("expand", "expanded")):
        for pick in selection.get(name, ()):
            entries.setdefault(pick["id"], {"id": pick["id"], "role": role, "probability": pick["probability"]})
    for tool_id in selection.get("always_allow", ()):
        entries.setdefault(tool_id, {"id": tool_id, "role": "always"})
    joining, _ = catalog.with_prerequisites(entries)
    entries |= {tool_id: {"id": tool_id, "role": "prerequisite"} for tool_id in joining}
    return tuple(entries[tool_id] for tool_id in catalog.ids if tool_id in entries)


def _would_words(size: int, picked: Sequence[Mapping[str, Any]]) -> str:
    if not picked:
        return "The judge would select nothing: a selected menu would be withheld."
    return f"The judge would select {_sentence(size, picked)}."


def _named(entry: Mapping[str, Any], reason: str = "") -> Named:
    probability = entry.get("probability")
    shown = "" if probability is None else figures.probability(probability)
    return Named(entry["id"], shown, reason)


def _dropped(selection: Mapping[str, Any], kept: Collection[str], limit: int) -> tuple[Named, ...]:
    """Dropped tools, the nearest miss first, those that no question offered last."""
    rows = [row for row in selection["dropped"] if row["id"] not in kept]
    rows.sort(key=lambda row: -1 if row["probability"] is None else row["probability"], reverse=True)
    capped = {DropReason.CAP.value: f"over the limit of {figures.plural(limit, 'tool')}"}
    return tuple(_named(row, capped.get(row["reason"], row["reason"])) for row in rows)
