"""Figures with their 95 % interval: Wilson for rates, seeded resamples of cases for everything else."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

Item = TypeVar("Item")

Z = 1.959964
DRAWS = 1_000
SEED = 20_250


@dataclass(frozen=True, slots=True)
class Figure:
    """A value with the ends of its interval and the number of cases behind it; None where there is nothing to count."""

    value: float | None
    low: float | None
    high: float | None
    n: int

    def to_json(self) -> dict[str, Any]:
        ends = {name: _rounded(getattr(self, name)) for name in ("value", "low", "high")}
        return {**ends, "n": self.n}


def unknown(n: int = 0) -> Figure:
    return Figure(None, None, None, n)


def rate(found: Sequence[bool]) -> Figure:
    """A share with Wilson's interval."""
    n = len(found)
    if not n:
        return unknown()
    share, z2 = sum(found) / n, Z * Z
    middle, scale = share + z2 / (2 * n), 1 + z2 / n
    half = Z * math.sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    return Figure(share, max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale), n)


def resampled(items: Sequence[Item], of: Callable[[Sequence[Item]], float | None], *, seed: int = SEED) -> Figure:
    """A figure of the items with its percentile interval; draws in which it has no value are left out."""
    value = of(items) if items else None
    if value is None:
        return unknown(len(items))
    drawn = sorted(found for sample in samples(items, seed=seed) if (found := of(sample)) is not None)
    return Figure(value, quantile(drawn, 0.025), quantile(drawn, 0.975), len(items))


def samples(items: Sequence[Item], *, seed: int, draws: int = DRAWS) -> list[list[Item]]:
    """Resamples with replacement, each as large as the original."""
    source = random.Random(seed)
    return [source.choices(items, k=len(items)) for _ in range(draws)]


def quantile(ordered: Sequence[float], share: float) -> float | None:
    """The value at a share of an ordered list, between neighbours where it falls between; None for none."""
    if not ordered:
        return None
    place = share * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
