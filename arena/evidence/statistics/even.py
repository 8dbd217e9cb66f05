"""The ratio at which B wins as many cases as it loses: exact, at any time, and without tails."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from arena.evidence.statistics import betting
from arena.evidence.statistics.pairs import Series, ratio


@dataclass(frozen=True, slots=True)
class Even:
    """`at` is the median of the cases, `low` and `high` what the signs have not ruled out, all on the series' scale.

    An end of -1 or 1 means beyond the largest ratio; None where every point was ruled out at some look.
    """

    at: float | None
    low: float | None
    high: float | None

    def to_json(self) -> dict[str, Any]:
        shown = [None if value is None else ratio(value) for value in (self.at, self.low, self.high)]
        return {**asdict(self), "ratio": shown, "method": "mixture betting on signs, any time"}


def even(series: Series, *, level: float = betting.LEVEL) -> Even:
    """Between two values of cases the signs do not change, so every gap is looked at once, and every value itself."""
    values = np.array(series.values, dtype=np.float64)
    if not len(values):
        return Even(None, -1.0, 1.0)
    steps = np.unique(np.concatenate([[-1.0, 1.0], values]))
    bar, kept = -np.log(level), []
    for low, high in [*zip(steps, steps, strict=True), *pairwise(steps)]:
        signs = np.sign(values - (low + high) / 2)
        if _most(signs) < bar:
            kept.append((float(low), float(high)))
    middle = float(np.median(values))
    if not kept:
        return Even(middle, None, None)
    return Even(middle, min(low for low, _ in kept), max(high for _, high in kept))


def _most(signs: betting.Floats) -> float:
    return float(betting.log_wealth_of_signs((signs > 0).cumsum(), (signs < 0).cumsum()).max())
