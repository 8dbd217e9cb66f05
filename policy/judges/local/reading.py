"""A state as the judge reads it: what is asked, in whole and in clauses, and how close other texts come to it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from policy.judges.local import text
from policy.judges.local.bm25 import bm25, overlap

_ID_PREFIX = re.compile(r"^([A-Za-z][\w.\-]*):\s+(?=\S)")


class Comparer(Protocol):
    """Gives every passage its highest cosine with any of the queries."""

    def best_cosines(self, queries: Sequence[str], passages: Sequence[str], *, deadline: float) -> list[float]: ...


@dataclass(frozen=True, slots=True)
class Offer:
    """One text held against the state: what its vector is made of, and the words that may be met."""

    passage: str
    words: str

    @classmethod
    def option(cls, label: str, description: str | None) -> Offer:
        """A label of a choice; the label alone speaks where there is no description."""
        spoken = " ".join(text.words(label))
        return cls(passage=description or spoken or label, words=f"{label} {description or ''}")

    @classmethod
    def line(cls, line: str) -> Offer:
        """A line of a criterion; an id in front (`read_file: ...`) is for the words, not for the vector."""
        return cls(passage=_ID_PREFIX.sub("", line), words=line)


@dataclass(frozen=True, slots=True)
class Match:
    """How close one offer comes: cosine (0 without vectors), BM25 within its question, share of words met."""

    cosine: float
    bm25: float
    overlap: float

    def features(self) -> Mapping[str, float]:
        return {"cosine": self.cosine, "bm25": self.bm25, "overlap": self.overlap}


@dataclass(frozen=True, slots=True)
class Reading:
    """One state, ready to be compared; `comparer` is None where only words can be compared."""

    asked: tuple[str, ...]
    units: tuple[str, ...]
    comparer: Comparer | None
    deadline: float

    @classmethod
    def of(cls, state: Mapping[str, Any] | str, *, comparer: Comparer | None, deadline: float) -> Reading:
        asked = text.asked_text(state)
        return cls(asked=tuple(asked), units=text.units(asked), comparer=comparer, deadline=deadline)

    def cosines(self, passages: Sequence[str]) -> list[float]:
        if self.comparer is None:
            return [0.0] * len(passages)
        return self.comparer.best_cosines(self.units, passages, deadline=self.deadline)

    def matches(self, offers: Sequence[Offer]) -> list[Match]:
        """One match per offer, each by the best of the state's clauses."""
        documents = [text.stems(offer.words) for offer in offers]
        queries = [text.stems(unit) for unit in self.units]
        by_query = [bm25(query, documents) for query in queries]
        return [
            Match(
                cosine=cosine,
                bm25=max((scores[index] for scores in by_query), default=0.0),
                overlap=max((overlap(query, documents[index]) for query in queries), default=0.0),
            )
            for index, cosine in enumerate(self.cosines([offer.passage for offer in offers]))
        ]
