"""Are the stated probabilities true: bins of equal mass, their error beside what chance alone would show."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from policy.judges.quality.intervals import DRAWS, SEED, Figure, quantile, rate, samples, unknown

MOST_BINS = 10
LEAST_ROWS = 15

Pair = tuple[float, bool]


@dataclass(frozen=True, slots=True)
class Bin:
    """Answers with similar probabilities: their mean, and the share of them that came true with its interval."""

    stated: float
    true: Figure

    def to_json(self) -> dict[str, Any]:
        return {"stated": round(self.stated, 4), "true": self.true.to_json()}


def bins(pairs: Sequence[Pair]) -> list[Bin]:
    """The reliability diagram: one entry a bin, from low to high."""
    return [Bin(_mean([p for p, _ in group]), rate([y for _, y in group])) for group in _groups(pairs)]


def brier(pairs: Sequence[Pair]) -> float | None:
    """Mean squared distance of the probability from what happened."""
    return _mean([(p - y) ** 2 for p, y in pairs]) if pairs else None


def error(pairs: Sequence[Pair], *, seed: int = SEED) -> dict[str, Any]:
    """The calibration error as root mean square without its bias, with an interval from shifted resamples.

    `plug_in` is the usual expected calibration error; it is never 0, so `chance` says what a judge whose numbers are
    true would show with as many answers: mean and 95th percentile.
    """
    if len(pairs) < 2:
        return {**unknown(len(pairs)).to_json(), "plug_in": None, "chance": None}
    squared = _squared(pairs)
    drawn = [_squared(sample) for sample in samples(pairs, seed=seed)]
    shift = squared - _mean(drawn)
    moved = sorted(value + shift for value in drawn)
    low, high = (quantile(moved, share) for share in (0.025, 0.975))
    figure = Figure(_root(squared), _root(low or 0.0), _root(high or 0.0), len(pairs))
    return {**figure.to_json(), "plug_in": round(_plug_in(pairs), 4), "chance": _chance(pairs, seed=seed)}


def _chance(pairs: Sequence[Pair], *, seed: int) -> dict[str, float]:
    source = random.Random(seed)
    drawn = sorted(_plug_in([(p, source.random() < p) for p, _ in pairs]) for _ in range(DRAWS))
    return {"mean": round(_mean(drawn), 4), "p95": round(quantile(drawn, 0.95) or 0.0, 4)}


def _groups(pairs: Sequence[Pair]) -> list[list[Pair]]:
    """Bins of equal mass, fewer where one would hold under `LEAST_ROWS`; equal probabilities stay together."""
    ordered = sorted(pairs)
    count = max(1, min(MOST_BINS, len(ordered) // LEAST_ROWS))
    groups: list[list[Pair]] = []
    for index, pair in enumerate(ordered):
        due = index * count // len(ordered) >= len(groups)
        if not groups or (due and pair[0] != groups[-1][-1][0]):
            groups.append([])
        groups[-1].append(pair)
    return groups


def _plug_in(pairs: Sequence[Pair]) -> float:
    return sum(len(group) * abs(_gap(group)) for group in _groups(pairs)) / len(pairs)


def _squared(pairs: Sequence[Pair]) -> float:
    return sum(len(group) * (_gap(group) ** 2 - _noise(group)) for group in _groups(pairs)) / len(pairs)


def _gap(group: Sequence[Pair]) -> float:
    return _mean([p - y for p, y in group])


def _noise(group: Sequence[Pair]) -> float:
    share = _mean([float(y) for _, y in group])
    return share * (1 - share) / (len(group) - 1) if len(group) > 1 else 0.0


def _root(value: float) -> float:
    return math.sqrt(max(0.0, value))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
