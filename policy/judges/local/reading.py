"""A state as the judge reads it: what is asked, in whole and in clauses, and how close other texts come to it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Protocol

from policy.judges.local import text, verbs
from policy.judges.local.bm25 import bm25, letter_overlap, overlap
from policy.judges.local.calls import Call
from policy.judges.local.vectors import Centres

_ID_PREFIX = re.compile(r"^([A-Za-z][\w.\-]*):\s+(?=\S)")


class Comparer(Protocol):
    """Compares passages with queries by meaning; see `Vectors.nearness`."""

    def nearness(
        self,
        queries: Sequence[str],
        passages: Sequence[str],
        *,
        centre: Centres,
        deadline: float,
        named: Sequence[str] = (),
    ) -> list[list[float]]: ...


@dataclass(frozen=True, slots=True)
class Offer:
    """One text held against the state: what its vectors are made of, and the words that may be met.

    `named` is the passage with its name in plain words in front, where it has one.
    """

    passage: str
    named: str
    words: str

    @classmethod
    def option(cls, label: str, description: str | None) -> list[Offer]:
        """A label of a choice, one offer per line of its description; the label alone speaks where it has none."""
        told = lines(description or "")
        if not told:
            alone = " ".join(text.words(label)) or label
            return [cls(passage=alone, named=alone, words=f"{label} {alone}")]
        return [cls(passage=line, named=_named(label, line), words=f"{label} {line}") for line in told]

    @classmethod
    def line(cls, line: str) -> Offer:
        """A line of a criterion; an id in front (`read_file: ...`) is its name."""
        passage = _ID_PREFIX.sub("", line)
        found = _ID_PREFIX.match(line)
        return cls(passage=passage, named=_named(found[1], passage) if found else passage, words=line)


def _named(name: str, passage: str) -> str:
    return f"{' '.join(text.words(name))}: {passage}"


def lines(criterion: str) -> list[str]:
    """The lines of a criterion that say something."""
    return [line.strip() for line in criterion.splitlines() if line.strip()]


def names_member(line: str) -> bool:
    """Whether a line of a criterion has the form `id: description`."""
    return bool(_ID_PREFIX.match(line))


@dataclass(frozen=True, slots=True)
class Match:
    """How close one offer comes: nearness to the best clause and to the whole (0 without vectors), words met.

    `agreement` says whether it looks or does as a clause wants, `deed` whether it does the very kind of thing: 1, -1,
    or 0 where a verb is unknown.
    """

    near: float
    whole: float
    bm25: float
    overlap: float
    letters: float
    agreement: float
    deed: float

    def features(self) -> Mapping[str, float]:
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @classmethod
    def best(cls, matches: Sequence[Match]) -> Match:
        """Several lines score by their best one, measure by measure."""
        return cls(*(max(getattr(match, field.name) for match in matches) for field in fields(cls)))


@dataclass(frozen=True, slots=True)
class Reading:
    """One state, ready to be compared; `comparer` is None where only words can be compared."""

    wholes: tuple[str, ...]
    clauses: tuple[str, ...]
    comparer: Comparer | None
    centre: Centres
    deadline: float
    call: Call | None = None

    @classmethod
    def of(
        cls, state: Mapping[str, Any] | str, *, comparer: Comparer | None, centre: Centres, deadline: float
    ) -> Reading:
        wholes = text.asked(state)
        return cls(wholes, text.clauses(wholes), comparer, centre, deadline, Call.of(state))

    def matches(self, offers: Sequence[Offer]) -> list[Match]:
        """One match per offer, each by the best of the state's wholes and clauses."""
        documents = [text.stems(offer.words) for offer in offers]
        queries = [text.stems(unit) for unit in (*self.wholes, *self.clauses)]
        by_query = [bm25(query, documents) for query in queries]
        said = " ".join(self.wholes)
        wanted = [verbs.of_clause(unit) for unit in self.clauses or self.wholes]
        offered = [verbs.of_offer(offer.words) for offer in offers]
        return [
            Match(
                near=near,
                whole=whole,
                bm25=max((scores[index] for scores in by_query), default=0.0),
                overlap=max((overlap(query, documents[index]) for query in queries), default=0.0),
                letters=letter_overlap(said, offers[index].words),
                agreement=verbs.agreement(wanted, offered[index]),
                deed=verbs.same_deed(wanted, offered[index]),
            )
            for index, (near, whole) in enumerate(self._nearness(offers))
        ]

    def best(self, offers: Sequence[Offer]) -> Match:
        """The match of several lines that are one criterion."""
        return Match.best(self.matches(offers))

    def _nearness(self, offers: Sequence[Offer]) -> list[tuple[float, float]]:
        """Per passage: to the best of wholes and clauses, and to the best whole."""
        if self.comparer is None:
            return [(0.0, 0.0)] * len(offers)
        wholes = list(dict.fromkeys(text.plain(whole) for whole in self.wholes))
        parts = text.merged(self.clauses, text.MAX_VECTORS - len(wholes))
        queries = list(dict.fromkeys([*wholes, *(text.plain(part) for part in parts)]))
        passages, named = [offer.passage for offer in offers], [offer.named for offer in offers]
        rows = self.comparer.nearness(queries, passages, named=named, centre=self.centre, deadline=self.deadline)
        return [(max(row), max(row[: len(wholes)])) for row in rows]
