"""The word of a comparison: better, worse, no difference within the margin, or inconclusive.

The first word that is reached stands: evidence counts from the look at which it was strongest, so one more case never
takes a word back. Only this decides while an experiment runs; fixed-sample figures are shown beside it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal

import numpy as np

from arena.evidence.statistics import betting
from arena.evidence.statistics.pairs import MOST_RATIO, Series, ratio

MARGIN = 0.10
RATIO_MARGIN = math.log(1.1) / math.log(MOST_RATIO)
METHOD = "mixture betting on case differences, any time"
VERSION = 1
Direction = Literal["higher", "lower"]
Scale = Literal["points", "ratio"]


class Word(StrEnum):
    BETTER = "better"
    WORSE = "worse"
    SAME = "no difference within the margin"
    INCONCLUSIVE = "inconclusive"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the cases so far say of B against A.

    `mean`, `low`, `high` and `margin` are on the scale of the series, [-1, 1]; `at` is after how many cases the word
    was reached. `low` and `high` are None where the cases are at odds with any one mean. `p` holds at any time.
    """

    word: Word
    at: int | None
    series: Series
    mean: float | None
    low: float | None
    high: float | None
    p: float
    p_same: float
    margin: float
    level: float
    direction: Direction
    scale: Scale

    @property
    def cases(self) -> int:
        return len(self.series.values)

    def to_json(self) -> dict[str, Any]:
        """All that an independent program needs to compute every figure again, and the figures."""
        return {
            "method": METHOD,
            "version": VERSION,
            "inputs": {
                **self.series.to_json(),
                "level": self.level,
                "margin": self.margin,
                "direction": self.direction,
                "scale": self.scale,
                "most_ratio": MOST_RATIO if self.scale == "ratio" else None,
                "nodes": betting.NODES,
            },
            "word": self.word.value,
            "at": self.at,
            "cases": self.cases,
            "mean": self.mean,
            "low": self.low,
            "high": self.high,
            "ratio": self.shown() if self.scale == "ratio" else None,
            "p": self.p,
            "p_same": self.p_same,
        }

    def shown(self) -> tuple[float | None, float | None, float | None]:
        """Mean, low and high as people read them: points of a hundred, or B / A."""
        change = ratio if self.scale == "ratio" else _points
        middle, low, high = (None if value is None else change(value) for value in (self.mean, self.low, self.high))
        return middle, low, high


def verdict(
    series: Series,
    *,
    margin: float | None = None,
    level: float = betting.LEVEL,
    direction: Direction = "higher",
    scale: Scale = "points",
) -> Verdict:
    """The word for B against A, with the interval that holds at any time.

    `margin` is on the scale of the series: at first 10 points, or a ratio of 1.1. `direction` says which is better.
    """
    within = margin if margin is not None else MARGIN if scale == "points" else RATIO_MARGIN
    if not 0 < within < 1:
        raise ValueError(f"a margin of {within} must lie between 0 and 1")
    values = np.array(series.values, dtype=np.float64)
    against = {mean: betting.log_wealth(values, mean) for mean in (0.0, within, -within)}
    same = np.minimum(against[within], against[-within])
    word, at = _first(values, against[0.0], same, level)
    limits = betting.interval(values, level=level)
    return Verdict(
        word=turned(word, direction),
        at=at,
        series=series,
        mean=series.mean,
        low=limits[0] if limits else None,
        high=limits[1] if limits else None,
        p=betting.chance(against[0.0]),
        p_same=betting.chance(same),
        margin=within,
        level=level,
        direction=direction,
        scale=scale,
    )


def turned(word: Word, direction: Direction) -> Word:
    """The word for a metric of which less is better, where `word` was found for more."""
    return {Word.BETTER: Word.WORSE, Word.WORSE: Word.BETTER}.get(word, word) if direction == "lower" else word


def _first(
    values: betting.Floats, differs: betting.Floats, same: betting.Floats, level: float
) -> tuple[Word, int | None]:
    """`same` is the weaker of the wealths against the margin above and below, at each look."""
    apart, together = betting.reached(differs, level), betting.reached(same, level)
    if apart is not None and (together is None or apart <= together):
        return (Word.BETTER if values[:apart].sum() > 0 else Word.WORSE), apart
    return (Word.SAME, together) if together is not None else (Word.INCONCLUSIVE, None)


def _points(value: float) -> float:
    return 100 * value
