"""Menus that no judge has chosen: without them nobody can say that the judge is the reason for a difference.

Three controls are as large as the selected menu of the same run: the best by shared words, the best by sentence
vectors, and a seeded draw. The oracle holds just what the case needs. A tool that the case forbids is in none of them,
as it is in no selected menu.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from arena.arms import MenuEntry, Role
from arena.cases.case import Case
from arena.catalogs.catalog import Catalog
from arena.catalogs.menus import Menu
from arena.catalogs.tool import Tool
from arena.models import Arm
from policy.judges import ranking

VECTORS_WITHIN_S = 30.0
"""How long the vectors of a menu may take; those that were read before cost nothing."""


def of_size(
    arm: Arm, size: int, case: Case, menu: Menu, catalog: Catalog, *, seed: int, cache_dir: Path | None
) -> tuple[MenuEntry, ...]:
    """The menu of a control that follows the selected one's size; raises `ranking.NoRanking` without vectors.

    Smaller than `size` only where the run's menu holds fewer tools that may be used. For one order of the tools the
    menu of a smaller size is part of that of a larger one.
    """
    order = _order(arm, case, menu, seed=seed, cache_dir=cache_dir)
    role: Role = "drawn" if arm == Arm.RANDOM else "ranked"
    chosen = dict(list(_with_prerequisites(order, catalog, set(menu.ids) - set(case.forbids)))[:size])
    return tuple(MenuEntry(name, role if chosen[name] else "prerequisite") for name in catalog.ids if name in chosen)


def oracle(case: Case, menu: Menu, catalog: Catalog) -> tuple[MenuEntry, ...]:
    """The acceptable tools and their prerequisites; nothing where nothing is needed, and then the agent may say so."""
    names = [name for name in catalog.ids if name in menu.needed and name not in case.forbids]
    return tuple(MenuEntry(name, "needed" if name in case.acceptable_ids else "prerequisite") for name in names)


def _order(arm: Arm, case: Case, menu: Menu, *, seed: int, cache_dir: Path | None) -> list[str]:
    """The tools of the menu, best first; equal scores stay in catalog order."""
    if arm == Arm.RANDOM:
        return sorted(menu.ids, key=lambda name: hashlib.sha256(f"{seed} {case.id} draw {name}".encode()).hexdigest())
    passages = [_passage(tool) for tool in menu.tools]
    if arm == Arm.BM25:
        scores: Sequence[float] = ranking.by_words(case.told, passages)
    else:
        scores = ranking.by_vectors(case.told, passages, cache_dir=cache_dir, timeout_s=VECTORS_WITHIN_S)
    scored = sorted(zip(menu.ids, scores, strict=True), key=lambda pair: -pair[1])
    return [name for name, _ in scored]


def _passage(tool: Tool) -> str:
    return f"{tool.id.replace('_', ' ')}: {tool.description}"


def _with_prerequisites(order: Iterable[str], catalog: Catalog, available: set[str]) -> Iterator[tuple[str, bool]]:
    """Tools with whether they came in their own turn; a prerequisite comes right before the first that needs it.

    So no cut leaves a tool that could never be used. A tool that needs one which is not available is left out.
    """
    seen: set[str] = set()
    for name in order:
        joining, blocked = catalog.with_prerequisites([name], available=available)
        if name not in available or blocked:
            continue
        for needed in _in_turn(joining, catalog):
            if needed not in seen:
                seen.add(needed)
                yield needed, False
        if name not in seen:
            seen.add(name)
            yield name, True


def _in_turn(names: Sequence[str], catalog: Catalog) -> Iterator[str]:
    """Prerequisites of one tool, each after its own."""
    done: set[str] = set()

    def visit(name: str) -> Iterator[str]:
        if name not in done:
            done.add(name)
            for before in catalog.tool(name).prerequisites:
                yield from visit(before)
            yield name

    for name in names:
        yield from visit(name)
