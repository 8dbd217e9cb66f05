"""Several arms, several metrics: which of them may be called different when many are looked at.

Success is the primary family, one hypothesis an arm; all other metrics are a second one. Every p holds at any time, so
Holm's steps over them may be taken after every case, and what they once reject they reject for ever.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from arena.evidence.statistics import betting
from arena.evidence.statistics.verdicts import Verdict, Word, turned

Name = TypeVar("Name")
PRIMARY = "success"


@dataclass(frozen=True, slots=True)
class Corrected:
    """The word after Holm's steps, and after how many cases of the common order it was reached.

    `p` and `p_same` are adjusted, over all looks so far.
    """

    word: Word
    at: int | None
    p: float
    p_same: float


def holm(chances: Mapping[Name, float]) -> dict[Name, float]:
    """p adjusted by Holm's steps: a hypothesis is rejected at a level where its adjusted p is at most that level."""
    adjusted: dict[Name, float] = {}
    largest = 0.0
    for place, name in enumerate(sorted(chances, key=lambda one: chances[one])):
        largest = max(largest, min(1.0, (len(chances) - place) * chances[name]))
        adjusted[name] = largest
    return {name: adjusted[name] for name in chances}


def corrected(family: Mapping[Name, Verdict], order: Sequence[str]) -> dict[Name, Corrected]:
    """The words of one family, looked at after each case of `order`, which every member has closed.

    The first word that outlives the correction stands. Differences and equalities are corrected apart, each at the
    level of the verdicts.
    """
    paths = {name: _Path.of(member, order) for name, member in family.items()}
    words: dict[Name, tuple[Word, int]] = {}
    differ: dict[Name, float] = dict.fromkeys(family, 1.0)
    same: dict[Name, float] = dict.fromkeys(family, 1.0)
    for look in range(len(order)):
        differ = holm({name: path.differs[look] for name, path in paths.items()})
        same = holm({name: path.same[look] for name, path in paths.items()})
        for name, member in family.items():
            if name not in words and differ[name] <= member.level:
                words[name] = (paths[name].leans[look], look + 1)
            elif name not in words and same[name] <= member.level:
                words[name] = (Word.SAME, look + 1)
    undecided: tuple[Word, int | None] = (Word.INCONCLUSIVE, None)
    return {name: Corrected(*words.get(name, undecided), differ[name], same[name]) for name in family}


def families(metrics: Sequence[str]) -> dict[str, list[str]]:
    """The primary family and the second one; a family without a metric is left away."""
    parts = {
        "primary": [metric for metric in metrics if metric == PRIMARY],
        "second": [metric for metric in metrics if metric != PRIMARY],
    }
    return {name: members for name, members in parts.items() if members}


def screened(wealths: Mapping[Name, float], *, level: float = betting.LEVEL) -> list[Name]:
    """e-BH over many cells: at most `level` of the named ones are false on average, however they depend on each other.

    `wealths` are those of now, of one common look; the largest so far would promise too much.
    """
    ranked = sorted(wealths, key=lambda one: -wealths[one])
    kept = [place for place, name in enumerate(ranked, 1) if place * wealths[name] >= len(ranked) / level]
    return ranked[: max(kept, default=0)]


@dataclass(frozen=True, slots=True)
class _Path:
    """After each case of the order: p of a difference, p of equality, and where the strongest evidence leans."""

    differs: list[float]
    same: list[float]
    leans: list[Word]

    @classmethod
    def of(cls, member: Verdict, order: Sequence[str]) -> _Path:
        known = dict(zip(member.series.cases, member.series.values, strict=True))
        values = np.array([known[case] for case in order if case in known])
        # A case without a number is no look: it leaves everything as it was, 0 before the first one.
        seen = np.cumsum([case in known for case in order])
        apart, above, below = (betting.log_wealth(values, mean) for mean in (0.0, member.margin, -member.margin))
        differs, same = np.append(0.0, apart), np.append(0.0, np.minimum(above, below))
        sums = np.append(0.0, np.cumsum(values))
        leans = [sums[int(differs[: count + 1].argmax())] > 0 for count in seen]
        return cls(
            [math.exp(-differs[: count + 1].max()) for count in seen],
            [math.exp(-same[: count + 1].max()) for count in seen],
            [turned(Word.BETTER if ahead else Word.WORSE, member.direction) for ahead in leans],
        )
