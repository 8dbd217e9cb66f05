"""Filling the arguments of a tool from what is known: the case's values, the words of the task, earlier results.

Sources are tried from the surest to the weakest; the first that gives a value of the right type wins.
Nothing is invented: an argument without a source stays missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from arena.agents import literals, shapes, words
from arena.agents.choosing import narrowed
from arena.agents.clauses import Clause
from arena.agents.entities import Kind
from arena.agents.memory import Memory, Record, kind_of
from arena.agents.shapes import Argument
from arena.catalogs.tool import Tool

STRUCTURED_WEIGHT = 0.15
LOOSE_WEIGHT = 0.1
OPTION_WEIGHT = 0.05
_LOOSE_KINDS = {Kind.QUOTED, Kind.CODE, Kind.SYMBOL, Kind.NAME, Kind.NUMBER}
SPOKEN_FOR = 0.5
"""A literal that makes up this share of a known fact belongs to that fact."""


@dataclass(frozen=True, slots=True)
class Known:
    """Everything that arguments may come from at one step."""

    task: str
    clause: Clause
    values: Mapping[str, Any]
    memory: Memory
    german: bool


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """Several records fit where one is needed."""

    argument: str
    records: tuple[Record, ...]


@dataclass(frozen=True, slots=True)
class Filled:
    """Arguments as far as they could be filled. `guessed` came from loose words only."""

    arguments: Mapping[str, Any]
    missing: tuple[str, ...] = ()
    guessed: frozenset[str] = frozenset()
    ambiguity: Ambiguity | None = None

    @property
    def complete(self) -> bool:
        return not self.missing and self.ambiguity is None


class _Several(Exception):
    def __init__(self, ambiguity: Ambiguity) -> None:
        super().__init__(ambiguity.argument)
        self.ambiguity = ambiguity


@dataclass(slots=True)
class _Filling:
    """One tool being filled; a literal is used for one argument only."""

    tool: Tool
    known: Known
    used: set[Any] = field(default_factory=set)


def fill(tool: Tool, known: Known) -> Filled:
    """Arguments for one call of `tool`, required ones first."""
    filling = _Filling(tool, known)
    arguments: dict[str, Any] = {}
    missing: list[str] = []
    guessed: set[str] = set()
    for argument in shapes.arguments(tool):
        try:
            value, source = _first(filling, argument)
        except _Several as several:
            return Filled(arguments, tuple(missing), frozenset(guessed), several.ambiguity)
        if value is not None:
            arguments[argument.name] = value
            guessed |= {argument.name} if source in _LOOSE else set()
        elif argument.required:
            missing.append(argument.name)
    return Filled(_in_schema_order(tool, arguments), tuple(missing), frozenset(guessed))


def _first(filling: _Filling, argument: Argument) -> tuple[Any, Callable[..., Any] | None]:
    for source in _SURE if not argument.required else (*_SURE, *_LOOSE):
        for candidate in source(filling, argument):
            value = argument.cast(candidate)
            if value is not None and (source is _exact_value or str(candidate) not in filling.used):
                filling.used.add(str(candidate))
                return value, source
    return None, None


def _exact_value(filling: _Filling, argument: Argument) -> Iterable[Any]:
    if argument.name in filling.known.values:
        yield filling.known.values[argument.name]


def _shaped(filling: _Filling, argument: Argument) -> Iterable[Any]:
    """Literals of the clause that look like the argument's example or kind, then those of the whole task."""
    if argument.required or not argument.numeric or argument.name in filling.known.clause.whole.lower():
        yield from _free(filling, argument, literals.fitting(argument, filling.known.clause.whole))
    yield from _free(filling, argument, literals.searched(argument, filling.known.clause.whole))


def _shaped_in_task(filling: _Filling, argument: Argument) -> Iterable[Any]:
    if argument.required or argument.examples:
        yield from _free(filling, argument, literals.fitting(argument, filling.known.task))


def _free(filling: _Filling, argument: Argument, found: Iterable[str]) -> Iterable[str]:
    """Those literals that are not part of a known fact for something else."""
    facts = [str(value) for name, value in filling.known.values.items() if name != argument.name]
    for literal in found:
        if not any(literal in fact and len(literal) >= SPOKEN_FOR * len(fact) for fact in facts):
            yield literal


def _option(filling: _Filling, argument: Argument) -> Iterable[Any]:
    yield from literals.options(argument, filling.known.clause.whole, german=filling.known.german)


def _option_in_task(filling: _Filling, argument: Argument) -> Iterable[Any]:
    if argument.required:
        yield from literals.options(argument, filling.known.task, german=filling.known.german)


def _neighbour(filling: _Filling, argument: Argument) -> Iterable[Any]:
    yield from literals.beside_the_name(argument, filling.known.clause.whole, german=filling.known.german)


def _earlier(filling: _Filling, argument: Argument) -> Iterable[Any]:
    """What earlier results hold for the argument; several that the task cannot tell apart are a question."""
    if not argument.identifies and not (argument.numeric and argument.required):
        return
    holders = filling.known.memory.holders(argument.name)
    texts = (filling.known.clause.whole, filling.known.task)
    chosen = narrowed(holders, argument.name, texts, german=filling.known.german)
    if len(chosen) > 1:
        raise _Several(Ambiguity(argument.name, tuple(record for _, record in chosen)))
    yield from (value for value, _ in chosen)
    if not chosen:
        yield from filling.known.memory.given(argument.name)[:1]


def _similar_value(filling: _Filling, argument: Argument) -> Iterable[Any]:
    """Values of the case under a name that shares words with the argument's."""
    wanted = set(words.content_words(argument.name)) | kind_of(argument.name)
    for name, value in filling.known.values.items():
        if name not in filling.tool.properties and wanted & set(words.content_words(name)):
            yield value


def _sentence(filling: _Filling, argument: Argument) -> Iterable[Any]:
    yield from literals.wording(argument, filling.known.clause, filling.tool)


_SURE = (_exact_value, _shaped, _option, _neighbour, _similar_value, _earlier, _shaped_in_task, _option_in_task)
_LOOSE = (_sentence,)


def named_in(tool: Tool, text: str, *, german: bool) -> float:
    """How much of what the text names literally the tool can take: most for ids and paths, least for words."""
    used: set[str] = set()
    total = 0.0
    for argument in shapes.arguments(tool):
        plain = argument.query or argument.numeric or set(argument.kinds) <= _LOOSE_KINDS
        sources = (
            (LOOSE_WEIGHT if plain else STRUCTURED_WEIGHT, literals.fitting(argument, text)),
            (OPTION_WEIGHT, literals.options(argument, text, german=german)),
        )
        for weight, found in sources:
            value = next(
                (str(each) for each in found if str(each) not in used and argument.cast(each) is not None), None
            )
            if value is not None:
                used.add(value)
                total += weight
                break
    return total


def _in_schema_order(tool: Tool, arguments: Mapping[str, Any]) -> dict[str, Any]:
    return {name: arguments[name] for name in tool.properties if name in arguments}
