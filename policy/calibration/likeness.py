"""Duplicates and near-duplicates of a set: rows that count as one family, and that must not lie across a split."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from policy.calibration.fixtures import Fixture, Kind

NEAR = 0.5
# Rows at a time: some 40 MB for ten thousand.
BLOCK = 500
Words = Callable[[str], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two rows by their places; `share` is the Jaccard similarity of their words, 1 where the same is asked."""

    first: int
    second: int
    share: float


def pairs(fixtures: Sequence[Fixture], words: Words, *, least: float = NEAR) -> list[Pair]:
    """Every two rows of one kind whose words overlap by at least `least`, in the order of the rows.

    `words` cuts a text into stemmed words.
    """
    found = dict.fromkeys(_same(fixtures), 1.0)
    for one, other, share in _near([frozenset(words(said(each))) for each in fixtures], least):
        if fixtures[one].kind is fixtures[other].kind:
            found.setdefault((one, other), share)
    return [Pair(one, other, share) for (one, other), share in sorted(found.items())]


def across(fixtures: Sequence[Fixture], near: Sequence[Pair]) -> list[Pair]:
    """Those of the pairs whose rows lie in different splits: a figure on one side would know the other."""
    return [pair for pair in near if fixtures[pair.first].split != fixtures[pair.second].split]


def contradicting(fixtures: Sequence[Fixture], near: Sequence[Pair]) -> list[Pair]:
    """Those that ask the very same and have different labels: one of the two is wrong."""
    # A digest a row, not a pair: a thousand rows of one wording are half a million pairs.
    asked = [each.asked for each in fixtures]
    return [
        pair
        for pair in near
        if asked[pair.first] == asked[pair.second] and fixtures[pair.first].expect != fixtures[pair.second].expect
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


def _near(held: Sequence[frozenset[str]], least: float) -> Iterator[tuple[int, int, float]]:
    """Words that two rows share are counted for a block of rows against all later ones at once."""
    places = {word: place for place, word in enumerate(dict.fromkeys(chain.from_iterable(held)))}
    sizes = np.array([len(each) for each in held], dtype=np.int64)
    columns = np.fromiter((places[word] for each in held for word in each), dtype=np.int64, count=int(sizes.sum()))
    starts = np.concatenate([[0], np.cumsum(sizes)])
    uses = sparse.csr_array((np.ones(len(columns), dtype=np.int32), columns, starts), shape=(len(held), len(places)))
    for begin in range(0, len(held), BLOCK):
        block = uses[begin : begin + BLOCK]
        both = (block @ uses[begin:].T).toarray().astype(np.int64)
        either = sizes[begin : begin + BLOCK, None] + sizes[None, begin:] - both
        share = np.divide(both, either, out=np.zeros(both.shape), where=either > 0)
        ones, others = np.nonzero(np.triu(share >= least, k=1) & (both > 0))
        for one, other in zip(ones.tolist(), others.tolist(), strict=True):
            yield begin + one, begin + other, float(share[one, other])
