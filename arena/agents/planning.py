"""Which tool of the menu serves a clause, with which arguments, and what must be called before it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.agents import arguments, entities, words
from arena.agents.arguments import Filled, Known
from arena.agents.clauses import Clause, Role
from arena.agents.lexical import Menu
from arena.agents.memory import kind_of
from arena.agents.restrictions import Ban
from arena.catalogs.tool import Tool

MIN_SCORE = 0.14
"""Below this a clause gets no tool."""
MIN_REPORT_SCORE = 0.4
"""A clause that only wants something told is usually served by the results so far."""
NEAR_THE_BEST = 0.6
"""The next tool is tried when its score has this share of the best one's."""
QUESTION_DISCOUNT = 0.6
"""A question is rarely a wish for a change, so changing tools count less for it."""
MAX_DEPTH = 2
"""How many look-ups may come before a call to find its arguments."""

Scored = tuple[Tool, float]


@dataclass(frozen=True, slots=True)
class Call:
    """A call that is ready to be made."""

    tool: Tool
    filled: Filled


def ranking(menu: Menu, clause: Clause, *, german: bool) -> list[Scored]:
    """The tools of the menu for a clause, best first, by words alone."""
    concepts = words.concepts(entities.blanked(clause.text), german=german)
    scored = [(tool, _discounted(tool, score, clause)) for tool, score in menu.rank(concepts)]
    return sorted(scored, key=lambda pair: -pair[1])


def candidates(ranked: Sequence[Scored], clause: Clause, *, begun: bool) -> list[Tool]:
    """Those near enough to the best one; none when the best is too weak."""
    floor = MIN_REPORT_SCORE if clause.role is Role.REPORT and begun else MIN_SCORE
    best = ranked[0][1] if ranked else 0.0
    return [tool for tool, score in ranked if best >= floor and score >= max(best * NEAR_THE_BEST, floor)]


def path_to(tool: Tool, known: Known, menu: Menu, ban: Ban, *, depth: int = 0) -> Call:
    """The next call on the way to `tool`: a declared prerequisite, a look-up of a missing argument, or the tool.

    A call that is not complete means that the way is barred: its missing arguments or its ambiguity say by what.
    """
    for name in tool.prerequisites:
        before = next((each for each in menu.tools if each.id == name), None)
        if before is not None and not known.memory.called(before) and depth < MAX_DEPTH:
            call = path_to(before, known, menu, ban, depth=depth + 1)
            if call.filled.complete:
                return call
    filled = arguments.fill(tool, known)
    if not filled.missing or filled.ambiguity or depth >= MAX_DEPTH:
        return Call(tool, filled)
    lookup = _lookup(filled.missing, tool, known, menu, depth)
    return lookup or Call(tool, filled)


def _lookup(missing: Sequence[str], tool: Tool, known: Known, menu: Menu, depth: int) -> Call | None:
    """A reading tool about the thing that is missing, not called before, that can be called now."""
    wanted = frozenset[str]().union(*(kind_of(name) for name in missing))
    ranked = ranking(menu, known.clause, german=known.german)
    for other, _ in ranked:
        about = set(words.content_words(other.id))
        if other.effect == "observe" and other.id != tool.id and wanted & about and not known.memory.called(other):
            call = path_to(other, known, menu, Ban(), depth=depth + 1)
            if call.filled.complete and call.filled.arguments and not set(missing) & set(other.required):
                return call
    return None


def _discounted(tool: Tool, score: float, clause: Clause) -> float:
    return round(score * QUESTION_DISCOUNT, 6) if clause.asks and tool.effect != "observe" else score
