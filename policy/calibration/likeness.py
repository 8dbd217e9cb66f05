"""Duplicates and near-duplicates of a set: rows that count as one family, and that must not lie across a split."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np
import numpy.typing as npt

from policy.calibration.fixtures import Fixture, Kind

NEAR = 0.5
Words = Callable[[str], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two rows by their places; `share` is the Jaccard similarity of their words, 1 where the same is asked."""

    first: int
    second: int
    share: float


def pairs(fixtures: Sequence[Fixture], words: Words, *, least: float = NEAR) -> list[Pair]:
    """Every two rows of one kind whose words overlap by at least `least`, in the order of the rows.

    `words` cuts a text into stemmed words. Only rows that share one of their rarer words are compared.
    """
    held = [frozenset(words(said(each))) for each in fixtures]
    found = dict.fromkeys(_same(fixtures), 1.0)
    for one, other in _candidates(fixtures, held, least):
        share = len(held[one] & held[other]) / len(held[one] | held[other])
        if share >= least:
            found.setdefault((one, other), share)
    return [Pair(one, other, share) for (one, other), share in sorted(found.items())]


def across(fixtures: Sequence[Fixture], near: Sequence[Pair]) -> list[Pair]:
    """Those of the pairs whose rows lie in different splits: a figure on one side would know the other."""
    return [pair for pair in near if fixtures[pair.first].split != fixtures[pair.second].split]


def contradicting(fixtures: Sequence[Fixture], near: Sequence[Pair]) -> list[Pair]:
    """Those that ask the very same and have different labels: one of the two is wrong."""
    return [
        pair
        for pair in near
        if fixtures[pair.first].asked == fixtures[pair.second].asked
        and fixtures[pair.first].expect != fixtures[pair.second].expect
    ]


def families(fixtures: Sequence[Fixture], near: Sequence[Pair]) -> npt.NDArray[np.int64]:
    """A number per row: rows of one named family and near-duplicates, however far apart the chain, have the same."""
    parent = list(range(len(fixtures)))

    def root(place: int) -> int:
        while parent[place] != place:
            parent[place] = parent[parent[place]]
            place = parent[place]
        return place

    first_of: dict[str, int] = {}
    for place, fixture in enumerate(fixtures):
        if fixture.family is not None:
            parent[root(place)] = root(first_of.setdefault(fixture.family, place))
    for pair in near:
        parent[root(pair.second)] = root(pair.first)
    return np.array([root(place) for place in range(len(fixtures))], dtype=np.int64)


def said(fixture: Fixture) -> str:
    """The words that make a row: its task, and for a call its tool, arguments and restrictions."""
    row = fixture.row
    if fixture.kind is Kind.ASSESSMENT:
        parts: tuple[Any, ...] = (
            row["task"],
            row.get("step"),
            row["toolId"],
            row["arguments"],
            row.get("restrictions"),
        )
        return " ".join(_texts(parts))
    if fixture.kind is Kind.GENERIC:
        return " ".join(_texts(row.get("state", "")))
    return " ".join(_texts((row["task"], row.get("step"))))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield str(key)
            yield from _texts(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)
    elif value is not None:
        yield str(value)


def _same(fixtures: Sequence[Fixture]) -> Iterator[tuple[int, int]]:
    """Rows that ask the same, each with the first of them; logged probabilities ask nothing."""
    first: dict[str, int] = {}
    for place, fixture in enumerate(fixtures):
        if fixture.asks and first.setdefault(fixture.asked, place) != place:
            yield first[fixture.asked], place


def _candidates(fixtures: Sequence[Fixture], held: Sequence[frozenset[str]], least: float) -> Iterator[tuple[int, int]]:
    """Two sets that overlap so much share a word among the rarest of each (prefix filter)."""
    frequency = Counter(word for each in held for word in each)
    begins: dict[tuple[Kind, str], list[int]] = defaultdict(list)
    for place, each in enumerate(held):
        rare = sorted(each, key=lambda word: (frequency[word], word))
        met: set[int] = set()
        for word in rare[: len(rare) - ceil(least * len(rare)) + 1]:
            met.update(begins[fixtures[place].kind, word])
            begins[fixtures[place].kind, word].append(place)
        yield from ((other, place) for other in sorted(met))
