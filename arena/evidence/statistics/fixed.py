"""Figures for one look at the end, shown beside the word and never deciding it: peeking breaks each of them."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from arena.evidence.statistics.pairs import Series

DRAWS = 10_000
SEED = 20_262
GENERATOR = "numpy.random.Generator(PCG64(seed))"
BOOTSTRAP_ORDER = "draw after draw, one integers(0, cases, cases) each; nearest rank at 2.5 and 97.5 %"


@dataclass(frozen=True, slots=True)
class OneLook:
    """Wins, losses and ties of cases; p of the exact sign test, which is McNemar's where a case has one repeat.

    `t` is the 95 % t interval of the mean difference, None without spread; `bootstrap` the percentile one.
    """

    wins: int
    losses: int
    ties: int
    p: float
    test: str
    t: tuple[float, float] | None
    bootstrap: tuple[float, float] | None
    draws: int
    seed: int

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "looks": "one", "generator": GENERATOR, "order": BOOTSTRAP_ORDER}


def one_look(series: Series, *, draws: int = DRAWS, seed: int = SEED) -> OneLook:
    wins, losses = sum(value > 0 for value in series.values), sum(value < 0 for value in series.values)
    return OneLook(
        wins=wins,
        losses=losses,
        ties=len(series.values) - wins - losses,
        p=exact(wins, losses),
        test="exact McNemar" if series.ternary else "sign test on case means",
        t=t_interval(series.values),
        bootstrap=bootstrap(series.values, draws=draws, seed=seed),
        draws=draws,
        seed=seed,
    )


def exact(wins: int, losses: int) -> float:
    """Two-sided binomial p of so uneven a split; 1 without any."""
    from scipy import stats

    return float(stats.binomtest(wins, wins + losses).pvalue) if wins + losses else 1.0


def t_interval(values: tuple[float, ...], *, confidence: float = 0.95) -> tuple[float, float] | None:
    """Student's interval of the mean over cases; None for fewer than two cases or where all are alike."""
    from scipy import stats

    if len(values) < 2 or len(set(values)) == 1:
        return None
    mean = math.fsum(values) / len(values)
    error = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1) / len(values))
    half = float(stats.t.ppf((1 + confidence) / 2, len(values) - 1)) * error
    return mean - half, mean + half


def bootstrap(values: tuple[float, ...], *, draws: int = DRAWS, seed: int = SEED) -> tuple[float, float] | None:
    """Percentile interval of the mean over resampled cases; it covers a few percent less than it says."""
    if len(values) < 2:
        return None
    rng = np.random.Generator(np.random.PCG64(seed))
    numbers = np.array(values)
    means = np.sort([numbers[rng.integers(0, len(numbers), len(numbers))].mean() for _ in range(draws)])
    low, high = (float(means[math.ceil(share * draws) - 1]) for share in (0.025, 0.975))
    return low, high
