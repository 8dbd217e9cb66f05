"""Whether a judge answers as it did when its thresholds were chosen: recorded accuracy against a new sample.

The recorded accuracy is an estimate, too, so both samples count (one-sided Fisher exact test at 2.5 %).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

LEVEL = 0.025
DROP = 0.10
POWER = 0.80


class Drift(StrEnum):
    STABLE = "stable"
    DRIFTED = "drifted"
    UNKNOWN = "not enough data"


@dataclass(frozen=True, slots=True)
class DriftCheck:
    """`p` is the chance of so bad a new sample without drift; `power` the chance to see a drop of `drop`."""

    verdict: Drift
    p: float
    power: float
    drop: float


def check(recorded: tuple[int, int], fresh: tuple[int, int], *, drop: float = DROP) -> DriftCheck:
    """Compare (right, rows) of the passport with (right, rows) measured now; a drop that is seen needs no power."""
    p = _chance(recorded, fresh[0], fresh[1])
    power = seen(recorded, fresh[1], drop=drop)
    if p <= LEVEL:
        return DriftCheck(Drift.DRIFTED, p, power, drop)
    return DriftCheck(Drift.STABLE if power >= POWER else Drift.UNKNOWN, p, power, drop)


def seen(recorded: tuple[int, int], rows: int, *, drop: float = DROP) -> float:
    """The chance that so many new rows show a drop of `drop` below the recorded accuracy."""
    from scipy import stats

    right, size = recorded
    if not size or not rows:
        return 0.0
    worse = max(right / size - drop, 0.0)
    found = np.arange(rows + 1)
    alarms = stats.hypergeom.cdf(found, size + rows, right + found, rows) <= LEVEL
    return float(stats.binom.pmf(found[alarms], rows, worse).sum())


def rows_for(recorded: tuple[int, int], *, drop: float = DROP, most: int = 5_000) -> int | None:
    """The fewest new rows that would show such a drop with a power of 80 %; None where even `most` do not."""
    low, high = 0, 16
    while seen(recorded, high, drop=drop) < POWER:
        low, high = high, high * 2
        if high > most:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if seen(recorded, middle, drop=drop) >= POWER else (middle, high)
    return high


def _chance(recorded: tuple[int, int], right: int, rows: int) -> float:
    """P(at most `right` of the new rows are right | both samples have one accuracy): the hypergeometric tail."""
    from scipy import stats

    before, size = recorded
    return float(stats.hypergeom.cdf(right, size + rows, before + right, rows))
