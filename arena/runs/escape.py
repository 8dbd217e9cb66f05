"""The way out of a small menu: the tool `find_tool` searches the rest of the run's menu, and what it finds joins.

Offered where the setup says so and the lane does not see everything anyway. It is no tool of a catalog and touches no
world; it finds by shared words, so that a model need not know a name. What the case forbids is never found.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from arena import arms
from arena.catalogs.tool import FIND_TOOL as NAME
from arena.catalogs.tool import Tool
from arena.models import Arm, Lane
from arena.runs.inputs import Inputs
from policy.judges import ranking

MOST_FOUND = 3
"""Tools of one search, their prerequisites on top: with every one that joins the menu loses some of its point."""
FIND_TOOL = Tool(
    id=NAME,
    category="",
    description=(
        "Finds tools that are not in this menu. Say in a few words what has to be done; up to three tools that fit "
        "join the menu and can be called from the next step on. Use it only where no tool of the menu fits."
    ),
    schema={
        "type": "object",
        "properties": {"query": {"type": "string", "description": "What has to be done, in a few words."}},
        "required": ["query"],
        "additionalProperties": False,
    },
    effect="observe",
)


class Escape:
    """The search of one lane. `entries` is its menu as the page tells it; it grows by what was found."""

    def __init__(self, given: Inputs, entries: Iterable[arms.MenuEntry]) -> None:
        self._given = given
        self.entries = list(entries)

    @property
    def of(self) -> int:
        return self._given.menu.size

    def search(self, query: str) -> tuple[Tool, ...]:
        """The tools that join: the nearest to the query, and what they need; none where none is near."""
        catalog, present = self._given.catalog, {entry.id for entry in self.entries}
        available = set(self._given.menu.ids) - set(self._given.case.forbids)
        rest = [tool for tool in self._given.menu.tools if tool.id in available - present]
        scores = ranking.by_words(query, [f"{tool.id.replace('_', ' ')}: {tool.description}" for tool in rest])
        near = [tool for score, tool in sorted(zip(scores, rest, strict=True), key=lambda pair: -pair[0]) if score > 0]
        found: list[str] = []
        for tool in near:
            needed, blocked = catalog.with_prerequisites([tool.id], available=available)
            if not blocked:
                found += [name for name in (tool.id, *needed) if name not in present and name not in found]
            if sum(name in {each.id for each in near} for name in found) >= MOST_FOUND:
                break
        self.entries += [arms.MenuEntry(name, "joined") for name in found]
        return tuple(catalog.tool(name) for name in found)


def offered(lane: Lane, given: Inputs) -> bool:
    """Whether this lane gets the search: the setup wants it, and there is something that the lane does not see."""
    return given.setup.find_tool and not Arm(lane.arm).sees_everything


def told(found: Iterable[Tool]) -> dict[str, Any]:
    """What the agent reads of a search."""
    rows = [{"name": tool.id, "description": tool.description} for tool in found]
    return {"joined": rows, "note": "They are in the menu now." if rows else "Nothing in the catalog comes near that."}
