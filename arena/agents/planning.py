"""The next call on the way to a tool: what must come before it, and what may follow a search."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from arena.agents import arguments, entities, ranking, shapes, words
from arena.agents.arguments import Filled, Known
from arena.agents.clauses import Clause, Role
from arena.agents.entities import Kind
from arena.agents.memory import Memory, kind_of, records
from arena.agents.ranking import Situation
from arena.catalogs.tool import Tool

MAX_DEPTH = 2
"""How many look-ups may come before a call to find its arguments."""
MIN_BARE_SCORE = 0.35
"""A call without any argument, where there could be some, needs a better reason."""
COVERED = 0.5
"""Share of a reporting clause's words that earlier results must hold to need no call of its own."""
MIN_CONCEPTS = 2
"""A reporting clause with fewer words of content is about the results so far: `tell me its number`."""
READ_ENOUGH = 0.75
"""Share of a question's words that a search must have brought up for its hits not to be opened."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a tool, ready when its arguments are complete."""

    tool: Tool
    filled: Filled


def path_to(tool: Tool, known: Known, situation: Situation, *, depth: int = 0) -> Call:
    """The next call on the way to `tool`: a declared prerequisite, a look-up of a missing argument, or the tool.

    A call that is not complete means that the way is barred: its missing arguments or its ambiguity say by what.
    """
    for name in tool.prerequisites:
        before = next((each for each in situation.menu.tools if each.id == name), None)
        if before is not None and not known.memory.called(before) and depth < MAX_DEPTH:
            call = path_to(before, known, situation, depth=depth + 1)
            if call.filled.complete:
                return call
    filled = arguments.fill(tool, known)
    wanted = filled.missing or _named_indirectly(tool, known, filled)
    if not wanted or filled.ambiguity or depth >= MAX_DEPTH:
        return Call(tool, filled)
    return _lookup(wanted, tool, known, situation, depth) or Call(tool, filled)


def deeper(known: Known, situation: Situation) -> Call | None:
    """After a search that does not hold what the clause asks: a call that opens the record it found."""
    search = known.memory.steps[-1]
    covered = coverage(known.clause.whole, known.memory, german=known.german)
    by_id = any(argument.identifies and argument.name in search.arguments for argument in shapes.arguments(search.tool))
    if by_id or covered >= READ_ENOUGH or not ranking.only_looks(known.clause):
        return None
    for tool in situation.menu.tools:
        needs = [argument for argument in shapes.arguments(tool) if argument.required]
        if tool.effect == "observe" and len(needs) == 1 and needs[0].identifies and not known.memory.called(tool):
            filled = arguments.fill(tool, known)
            given = list(search.arguments.values())
            found = {value for value, _ in known.memory.holders(needs[0].name) if value not in given}
            if filled.complete and filled.arguments[needs[0].name] in found:
                return Call(tool, filled)
    return None


def several_left(memory: Memory) -> arguments.Ambiguity | None:
    """The records of the last result when it is a list of several."""
    found = [record for record in records(memory.steps[-1]) if "id" in record.fields] if memory.steps else []
    alike = [record for record in found if record.label == found[0].label]
    return arguments.Ambiguity("id", tuple(alike)) if len(alike) > 1 else None


def is_covered(clause: Clause, memory: Memory, *, german: bool) -> bool:
    """Whether a clause that only wants something told can be answered from what was returned already."""
    if clause.role is not Role.REPORT or not memory.steps:
        return False
    brief = len(words.concepts(clause.text, german=german)) < MIN_CONCEPTS
    return brief or coverage(clause.text, memory, german=german) >= COVERED


def coverage(text: str, memory: Memory, *, german: bool) -> float:
    """The share of a text's meanings that the results so far hold; 1 for a text without any."""
    told = " ".join(json.dumps(step.content, ensure_ascii=False) for step in memory.steps)
    known = set(words.content_words(told))
    concepts = words.concepts(text, german=german)
    held = sum(bool(known & set(concept)) for concept in concepts)
    return held / len(concepts) if concepts else 1.0


def is_bare(call: Call, clause: Clause, score: float) -> bool:
    """Whether a call would list everything although the clause hardly speaks of that."""
    weak = clause.role is not Role.ACTION or score < MIN_BARE_SCORE
    return bool(call.tool.properties) and not call.filled.arguments and weak


def _named_indirectly(tool: Tool, known: Known, filled: Filled) -> tuple[str, ...]:
    """Optional ids that are open although the clause names somebody or some address that could lead to one."""
    names = entities.of_kind(entities.find(known.clause.whole), Kind.NAME, Kind.EMAIL)
    unused = [name for name in names if name.value not in map(str, filled.arguments.values())]
    return tuple(a.name for a in shapes.arguments(tool) if unused and a.identifies and a.name not in filled.arguments)


def _lookup(missing: Sequence[str], tool: Tool, known: Known, situation: Situation, depth: int) -> Call | None:
    """A reading tool about the thing that is missing, not called before, that can be called now."""
    wanted = frozenset[str]().union(*(kind_of(name) for name in missing))
    for other, _ in ranking.ranking(known.clause, situation):
        about = set(words.content_words(other.id))
        if other.effect == "observe" and other.id != tool.id and wanted & about and not known.memory.called(other):
            call = path_to(other, known, situation, depth=depth + 1)
            ready = call.filled.complete and call.filled.arguments and not set(missing) & set(other.required)
            if ready or call.filled.ambiguity:
                return call
    return None
