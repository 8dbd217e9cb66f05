"""Duplicates and near-duplicates of a set: rows that count as one family, and that must not lie across a split."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from policy.calibration.cuts import Floats
from policy.calibration.fixtures import Fixture, Kind

NEAR = 0.5
# Rows at a time: some 40 MB for ten thousand.
BLOCK = 500
# Words of more rows than this are counted apart, and at most as many as a number has bits.
COMMON, MOST_COMMON = 100, 63
# A set in which everything is like everything has millions of pairs; nobody reads more than these.
MOST_PAIRS = 20_000
Words = Callable[[str], Sequence[str]]
Groups = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two rows by their places; `share` is the Jaccard similarity of their words, 1 where the same is asked."""

    first: int
    second: int
    share: float


@dataclass(frozen=True, slots=True)
class Alike:
    """What is like what in a set: the first `MOST_PAIRS` pairs in the order of the rows, and every family.

    `unlisted` counts the pairs beyond. `families` has a number per row: rows of one named family and near-duplicates,
    however far apart the chain, have the same.
    """

    pairs: tuple[Pair, ...]
    unlisted: int
    families: Groups


def alike(fixtures: Sequence[Fixture], words: Words, *, least: float = NEAR, most: int = MOST_PAIRS) -> Alike:
    """Every two rows of one kind whose words overlap by at least `least`, or that ask the same.

    `words` cuts a text into stemmed words.
    """
    named = {name: place for place, name in enumerate(dict.fromkeys(each.family for each in fixtures))}
    groups = np.arange(len(fixtures)) + len(named)
    for place, fixture in enumerate(fixtures):
        if fixture.family is not None:
            groups[place] = named[fixture.family]
    found, unlisted = dict.fromkeys(_same(fixtures), 1.0), 0
    if found:
        groups = _joined(groups, *np.array(list(found), dtype=np.int64).T)
    kinds = np.array([list(Kind).index(each.kind) for each in fixtures])
    for ones, others, shares in _near([frozenset(words(said(each))) for each in fixtures], kinds, least):
        groups = _joined(groups, ones, others)
        room = max(most - len(found), 0)
        for one, other, share in zip(*(each[:room].tolist() for each in (ones, others, shares)), strict=True):
            found.setdefault((one, other), share)
        unlisted += max(len(ones) - room, 0)
    listed = tuple(Pair(one, other, share) for (one, other), share in sorted(found.items()))
    return Alike(listed, unlisted, groups)


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


def _near(held: Sequence[frozenset[str]], kinds: Groups, least: float) -> Iterator[tuple[Groups, Groups, Floats]]:
    """Words that two rows share are counted for a block of rows against all later ones at once.

    The commonest words are counted by bits and only where another word is shared: they alone would compare every row
    with every other one. Rows in which they could make a pair by themselves share one more word, which is not counted.
    """
    from scipy import sparse

    uses = Counter(chain.from_iterable(held))
    common = {word: place for place, (word, many) in enumerate(uses.most_common(MOST_COMMON)) if many > COMMON}
    bits = np.array([sum(1 << common[word] for word in each & common.keys()) for each in held], dtype=np.uint64)
    sizes = np.array([len(each) for each in held], dtype=np.int64)
    mostly = np.bitwise_count(bits) >= least * sizes
    places = {word: place for place, word in enumerate(word for word in uses if word not in common)}
    lines = [[places[word] for word in each if word in places] for each in held]
    columns = np.array([*chain.from_iterable(lines), *[len(places)] * int(mostly.sum())], dtype=np.int64)
    row = np.concatenate([np.repeat(np.arange(len(held)), [len(each) for each in lines]), np.flatnonzero(mostly)])
    ones_of = np.ones(len(row), dtype=np.int32)
    rare = sparse.csr_array((ones_of, (row, columns)), shape=(len(held), len(places) + 1))
    for begin in range(0, len(held), BLOCK):
        both = (rare[begin : begin + BLOCK] @ rare[begin:].T).tocoo()
        later = both.row < both.col
        ones, others = both.row[later] + begin, both.col[later] + begin
        shared = both.data[later] - (mostly[ones] & mostly[others]) + np.bitwise_count(bits[ones] & bits[others])
        either = sizes[ones] + sizes[others] - shared
        close = (shared > 0) & (shared >= least * either) & (kinds[ones] == kinds[others])
        ones, others, shares = ones[close], others[close], shared[close] / either[close]
        order = np.lexsort((others, ones))
        yield ones[order], others[order], shares[order]


def _joined(groups: Groups, ones: Groups, others: Groups) -> Groups:
    """The groups after all these pairs have become of one; pairs that were so before cost nothing."""
    from scipy import sparse
    from scipy.sparse import csgraph

    names, place = np.unique(groups, return_inverse=True)
    left, right = place[ones], place[others]
    apart = left != right
    if not apart.any():
        return groups
    edges = sparse.coo_array((apart[apart], (left[apart], right[apart])), shape=(len(names), len(names)))
    _, part = csgraph.connected_components(edges, directed=False)
    joined: Groups = part[place].astype(np.int64)
    return joined
