"""What finance asks: the total of B over the total of A, with Fieller's interval: one look, no heavy tails."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from arena.evidence.statistics.pairs import CaseRecord, prefix


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums over the case means of pairs in which both lanes have the number, in the metric's unit.

    `low` and `high` are None with a `reason`. `missing` pairs are in no sum. `a` and `b` are the means of each case.
    """

    cases: tuple[str, ...]
    a: tuple[float, ...]
    b: tuple[float, ...]
    missing: int
    ratio: float | None
    low: float | None
    high: float | None
    reason: str = ""

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "method": "Fieller, t over cases, 95 %", "looks": "one"}


def totals(started: Sequence[CaseRecord], *, confidence: float = 0.95) -> Totals:
    """Over the closed prefix, as everything else."""
    cases, ours, theirs, missing = [], [], [], 0
    for record in prefix(started):
        known = [(pair.a, pair.b) for pair in record.pairs if pair.void is None]
        both = [(a, b) for a, b in known if a is not None and b is not None]
        missing += len(record.pairs) - len(both)
        if both:
            cases.append(record.case)
            ours.append(math.fsum(a for a, _ in both) / len(both))
            theirs.append(math.fsum(b for _, b in both) / len(both))
    low, high, reason = fieller(ours, theirs, confidence=confidence)
    whole = math.fsum(ours)
    return Totals(
        cases=tuple(cases),
        a=tuple(ours),
        b=tuple(theirs),
        missing=missing,
        ratio=math.fsum(theirs) / whole if whole else None,
        low=low,
        high=high,
        reason=reason,
    )


def fieller(
    a: Sequence[float], b: Sequence[float], *, confidence: float = 0.95
) -> tuple[float | None, float | None, str]:
    """All q with |mean(b - q a)| <= t sd(b - q a) / sqrt(n): low, high, and the reason where there are none."""
    from scipy import stats

    n = len(a)
    if n < 2:
        return None, None, "fewer than two cases have both numbers"
    mean_a, mean_b = math.fsum(a) / n, math.fsum(b) / n
    rate = float(stats.t.ppf((1 + confidence) / 2, n - 1)) ** 2 / n / (n - 1)
    square = mean_a**2 - rate * math.fsum((one - mean_a) ** 2 for one in a)
    middle = mean_a * mean_b - rate * math.fsum((x - mean_a) * (y - mean_b) for x, y in zip(a, b, strict=True))
    rest = mean_b**2 - rate * math.fsum((one - mean_b) ** 2 for one in b)
    if square <= 0:
        return None, None, "the baseline's total is not surely above 0"
    root = math.sqrt(max(0.0, middle * middle - square * rest))
    return (middle - root) / square, (middle + root) / square, ""
