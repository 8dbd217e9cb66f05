"""The menu of size N for a case: what the case needs, then seeded distractors, the hard ones first.

One linear order per case, catalog and seed is cut off at N, so the menu of 8 contains the menu of 3. A tool
comes after its prerequisites in that order: no cut leaves a tool in a menu that it could never be used in.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from arena.cases.case import Case
from arena.catalogs.catalog import Catalog
from arena.catalogs.tool import Tool

STEM_CHARS = 5
"""Letters of a word that count when a task is compared with a description: `orders` is `ordering`."""


@dataclass(frozen=True, slots=True)
class Menu:
    """Tools in catalog order; `requested` is the size asked for, `size` the real one, `needed` are no distractors."""

    tools: tuple[Tool, ...]
    needed: frozenset[str]
    requested: int
    seed: int

    @property
    def size(self) -> int:
        return len(self.tools)

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(tool.id for tool in self.tools)


def menu_for(case: Case, catalog: Catalog, size: int, seed: int = 0) -> Menu:
    """The menu of `size` tools, more where the case needs more, all where the catalog holds fewer.

    Forbidden tools are hard distractors here, for the lane with the full menu; whoever asks a judge takes them out.
    """
    needed = _needed(case, catalog)
    order = list(_closed(_ranked(case, catalog, needed, seed), catalog, needed))
    chosen = needed | set(order[: max(size - len(needed), 0)])
    return Menu(tuple(tool for tool in catalog.tools if tool.id in chosen), needed, size, seed)


def recall_at_menu(case: Case, catalog: Catalog, menu_ids: Collection[str]) -> bool | None:
    """Whether one acceptable set is complete in the menu, prerequisites included; None where the case needs no tool."""
    if not case.acceptable:
        return None
    return any(_with_prerequisites(catalog, tools) <= set(menu_ids) for tools in case.acceptable)


def _needed(case: Case, catalog: Catalog) -> frozenset[str]:
    return _with_prerequisites(catalog, case.acceptable_ids)


def _with_prerequisites(catalog: Catalog, ids: Collection[str]) -> frozenset[str]:
    joining, _ = catalog.with_prerequisites(ids)
    return frozenset(ids) | set(joining)


def _ranked(case: Case, catalog: Catalog, needed: frozenset[str], seed: int) -> list[str]:
    """Every tool that is not needed: forbidden ones, then the hardest; equally hard ones in seeded order."""
    hardness = _like_the_task(case, catalog) if not needed else _like_the_needed(catalog, needed)

    def key(tool: Tool) -> tuple[bool, float, str]:
        shuffled = hashlib.sha256(f"{seed} {case.id} {tool.id}".encode()).hexdigest()
        return tool.id not in case.forbids, -hardness[tool.id], shuffled

    return [tool.id for tool in sorted(catalog.tools, key=key) if tool.id not in needed]


def _closed(ranked: Iterable[str], catalog: Catalog, present: frozenset[str]) -> Iterable[str]:
    seen = set(present)

    def visit(tool_id: str) -> Iterable[str]:
        if tool_id not in seen:
            seen.add(tool_id)
            for prerequisite in catalog.tool(tool_id).prerequisites:
                yield from visit(prerequisite)
            yield tool_id

    for tool_id in ranked:
        yield from visit(tool_id)


def _like_the_needed(catalog: Catalog, needed: frozenset[str]) -> Mapping[str, float]:
    """2 for the category of a needed tool, 1 for an argument of the same name and type."""
    wanted = [tool for tool in catalog.tools if tool.id in needed]
    categories = {tool.category for tool in wanted}
    arguments = {argument for tool in wanted for argument in _arguments(tool)}
    return {
        tool.id: 2.0 * (tool.category in categories) + 1.0 * bool(_arguments(tool) & arguments)
        for tool in catalog.tools
    }


def _arguments(tool: Tool) -> set[tuple[str, str]]:
    return {(name, str(rule.get("type"))) for name, rule in tool.properties.items()}


def _like_the_task(case: Case, catalog: Catalog) -> Mapping[str, float]:
    """Shared word stems of task and tool; a stem that many tools have counts less."""
    stems = {tool.id: _stems(f"{tool.id} {tool.description}") for tool in catalog.tools}
    task = _stems(case.task)
    spread = {stem: sum(stem in words for words in stems.values()) for stem in task}
    return {tool_id: sum(1 / spread[stem] for stem in words & task) for tool_id, words in stems.items()}


def _stems(text: str) -> set[str]:
    return {word[:STEM_CHARS] for word in re.findall(r"[^\W\d_]{3,}", text.lower())}
