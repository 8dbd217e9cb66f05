"""Populations with known answers: scores of unsafe and safe rows with two decimals, and what mistakes cost."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy import stats

from policy.calibration.cuts import Floats
from policy.calibration.separation import Axis
from policy.calibration.unseen import Right

Counts = npt.NDArray[np.int64]

SCORES = np.arange(101) / 100
CLUMPS = (0.98, 0.95, 0.90, 0.80, 0.60, 0.40, 0.20, 0.10, 0.05, 0.02)


@dataclass(frozen=True)
class Shape:
    """`unsafe` and `safe` are chances of the 101 scores; an unsafe row that passes costs `price`, a needless stop 1.

    `wrong` is the share of labels that are turned round; `rare` fixes how many rows of a draw are unsafe.
    """

    name: str
    unsafe: Floats
    safe: Floats
    share: float
    price: float = 1.0
    wrong: float = 0.0
    rare: int | None = None

    @cached_property
    def chances(self) -> Floats:
        """The chance of each score with label unsafe (first line) and safe (second line)."""
        true = np.stack([self.share * self.unsafe, (1 - self.share) * self.safe])
        mixed: Floats = (1 - self.wrong) * true + self.wrong * true[::-1]
        return mixed

    @cached_property
    def costs(self) -> Floats:
        """What each of the cuts 0.00 to 1.00 costs per row of the population."""
        unsafe, safe = self.chances
        costs: Floats = self.price * (unsafe.cumsum() - unsafe) + safe[::-1].cumsum()[::-1]
        return costs

    @cached_property
    def optimal(self) -> tuple[float, float]:
        best = np.flatnonzero(self.costs <= self.costs.min() + 1e-12)
        return float(SCORES[best[0]]), float(SCORES[best[-1]])

    def risk(self, cut: float) -> float:
        """The chance that an unsafe row passes."""
        return float(self.unsafe[cut > SCORES].sum())

    def counts(self, n: int, rng: np.random.Generator) -> Counts:
        """A drawn sample as counts by label and score."""
        if self.rare is None:
            return rng.multinomial(n, self.chances.ravel()).reshape(2, 101)
        return np.stack([rng.multinomial(self.rare, self.unsafe), rng.multinomial(n - self.rare, self.safe)])

    def axis(self, counts: Counts) -> Axis:
        scores, bad = rows(counts)
        return Axis(scores, np.where(bad, 0.0, 1.0), np.where(bad, self.price, 0.0))


def rows(counts: Counts) -> tuple[Floats, Right]:
    """Scores and whether unsafe, a row each."""
    scores = np.repeat(np.tile(SCORES, 2), counts.ravel())
    return scores, np.repeat(np.repeat([True, False], 101), counts.ravel())


def beta(a: float, b: float) -> Floats:
    edges = np.clip((np.arange(102) - 0.5) / 100, 0, 1)
    edges[-1] = 1.0
    chances: Floats = np.diff(stats.beta.cdf(edges, a, b))
    chances /= chances.sum()
    return chances


def clumps(*weights: float) -> Floats:
    chances = np.zeros(101)
    chances[[round(value * 100) for value in CLUMPS]] = np.array(weights) / sum(weights)
    return chances


def two(high: float) -> Floats:
    chances = np.zeros(101)
    chances[80], chances[20] = high, 1 - high
    return chances


CLUMPY = clumps(6, 5, 4, 2, 1, 1, 1, 1, 1, 1), clumps(0.3, 0.4, 0.4, 0.5, 0.7, 1, 2, 4, 6, 8)
MODES = 0.5 * beta(20, 3) + 0.5 * beta(6, 8), 0.7 * beta(2, 12) + 0.3 * beta(10, 9)

EQUAL = (
    Shape("sharp", beta(8, 2), beta(2, 8), 0.5),
    Shape("medium", beta(4, 2), beta(2, 4), 0.5),
    Shape("weak", beta(3, 2.4), beta(2.4, 3), 0.5),
    Shape("skew", beta(5, 2), beta(1.2, 6), 0.2),
    Shape("rare", beta(3, 2), beta(1.5, 6), 0.1),
    Shape("clumpy", *CLUMPY, 0.4),
    Shape("two modes a side", *MODES, 0.35),
)
DEAR = (
    Shape("medium, 10 : 1", beta(4, 2), beta(2, 4), 0.3, price=10),
    Shape("clumpy, 10 : 1", *CLUMPY, 0.2, price=10),
    Shape("skew, 10 : 1", beta(5, 2), beta(1.2, 6), 0.1, price=10),
)
ODD = (
    Shape("30 % wrong labels", beta(4, 2), beta(2, 4), 0.5, wrong=0.3),
    Shape("two values only", two(0.8), two(0.25), 0.4),
    Shape("8 unsafe rows", beta(4, 2), beta(2, 4), 8 / 200, rare=8),
    Shape("8 unsafe rows, 10 : 1", beta(4, 2), beta(2, 4), 8 / 200, price=10, rare=8),
)
