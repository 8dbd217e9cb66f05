"""Example states for the lab. Judging knows no cases: whoever has some registers a source when the site starts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from policy.engine.selection import Candidate, Category


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call to assess; `schema` is the tool's JSON Schema."""

    tool: str
    arguments: Mapping[str, Any]
    schema: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Example:
    """A state with a menu of tools and, where there is one, a call that somebody might make in it."""

    id: str
    title: str
    task: str
    restrictions: tuple[str, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    categories: tuple[Category, ...] = ()
    call: Call | None = None


@dataclass(frozen=True, slots=True)
class Title:
    """One line of the list; the example itself is made only when it is chosen."""

    id: str
    title: str
    has_call: bool


class Source(Protocol):
    """Where examples come from; `first` is the id of the one that opens a function of the lab."""

    def first(self, function: str) -> str: ...

    def titles(self) -> Sequence[Title]: ...

    def find(self, example: str) -> Example | None: ...


_sources: list[Source] = []


def register(source: Source) -> None:
    """Offer the examples of this source; the first one registered opens the lab."""
    if source not in _sources:
        _sources.append(source)


def titles(*, with_call: bool = False) -> list[Title]:
    """Every example in order; `with_call` leaves out those without a call."""
    return [title for source in _sources for title in source.titles() if title.has_call or not with_call]


def find(example: str) -> Example | None:
    """The example of this id, None where there is none."""
    return next((found for source in _sources if (found := source.find(example)) is not None), None)


def first(function: str) -> str:
    """The id of the example that opens this function; empty where nobody has registered any."""
    return _sources[0].first(function) if _sources else ""
