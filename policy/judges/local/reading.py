"""A state as the judge reads it: what is asked, in whole and in clauses, and how close other texts come to it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from policy.judges.local import text
from policy.judges.local.bm25 import bm25, letter_overlap, overlap

_ID_PREFIX = re.compile(r"^([A-Za-z][\w.\-]*):\s+(?=\S)")


class Comparer(Protocol):
    """Compares passages with queries by meaning; see `Vectors.nearness`."""

    def nearness(
        self, queries: Sequence[str], passages: Sequence[str], *, centre: Sequence[float], deadline: float
    ) -> list[list[float]]: ...


@dataclass(frozen=True, slots=True)
class Offer:
    """One text held against the state: what its vector is made of, and the words that may be met."""

    passage: str
    words: str

    @classmethod
    def option(cls, label: str, description: str | None) -> Offer:
        """A label of a choice; the label alone speaks where there is no description."""
        return cls(passage=description or " ".join(text.words(label)) or label, words=f"{label} {description or ''}")

    @classmethod
    def line(cls, line: str) -> Offer:
        """A line of a criterion; an id in front (`read_file: ...`) is for the words, not for the vector."""
        return cls(passage=_ID_PREFIX.sub("", line), words=line)


def names_member(line: str) -> bool:
    """Whether a line of a criterion has the form `id: description`."""
    return bool(_ID_PREFIX.match(line))


@dataclass(frozen=True, slots=True)
class Match:
    """How close one offer comes: nearness to the best clause and to the whole (0 without vectors), and words met."""

    near: float
    whole: float
    bm25: float
    overlap: float
    letters: float

    def features(self) -> Mapping[str, float]:
        return {name: getattr(self, name) for name in ("near", "whole", "bm25", "overlap", "letters")}


@dataclass(frozen=True, slots=True)
class Reading:
    """One state, ready to be compared; `comparer` is None where only words can be compared."""

    wholes: tuple[str, ...]
    clauses: tuple[str, ...]
    comparer: Comparer | None
    centre: Sequence[float]
    deadline: float

    @classmethod
    def of(
        cls, state: Mapping[str, Any] | str, *, comparer: Comparer | None, centre: Sequence[float], deadline: float
    ) -> Reading:
        wholes = text.asked(state)
        return cls(wholes, text.clauses(wholes), comparer, centre, deadline)

    def matches(self, offers: Sequence[Offer]) -> list[Match]:
        """One match per offer, each by the best of the state's wholes and clauses."""
        documents = [text.stems(offer.words) for offer in offers]
        queries = [text.stems(unit) for unit in (*self.wholes, *self.clauses)]
        by_query = [bm25(query, documents) for query in queries]
        said = " ".join(self.wholes)
        return [
            Match(
                near=near,
                whole=whole,
                bm25=max((scores[index] for scores in by_query), default=0.0),
                overlap=max((overlap(query, documents[index]) for query in queries), default=0.0),
                letters=letter_overlap(said, offers[index].words),
            )
            for index, (near, whole) in enumerate(self._nearness([offer.passage for offer in offers]))
        ]

    def _nearness(self, passages: Sequence[str]) -> list[tuple[float, float]]:
        """Per passage: to the best of wholes and clauses, and to the best whole."""
        if self.comparer is None:
            return [(0.0, 0.0)] * len(passages)
        wholes = list(dict.fromkeys(text.plain(whole) for whole in self.wholes))
        queries = list(dict.fromkeys([*wholes, *(text.plain(clause) for clause in self.clauses)]))
        rows = self.comparer.nearness(queries, passages, centre=self.centre, deadline=self.deadline)
        return [(max(row), max(row[: len(wholes)])) for row in rows]
