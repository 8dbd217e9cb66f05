"""Whether stated probabilities come true: bins, their chance level, and a calibration error with an interval.

The plain error is never shown alone: a perfect judge has one, too, and the fewer the rows the larger.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from policy.calibration.cuts import Floats

Truth = npt.NDArray[np.bool_]

BINS = 10
LEAST = 15
DRAWS = 1_000
SEED = 20_260


@dataclass(frozen=True, slots=True)
class Bin:
    """Rows of like probability: the stated mean, the observed rate with its exact interval, and what chance allows.

    `expected` holds the 2.5 and 97.5 % points of the rate if the stated probabilities were true.
    """

    rows: int
    stated: float
    observed: float
    low: float
    high: float
    expected: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Reliability:
    """`error` is the root of the debiased squared error with its interval; `plain` the usual mean distance.

    `chance` and `chance_high` are the mean and the 95th percentile of `plain` for a judge whose statements are true.
    """

    rows: int
    bins: tuple[Bin, ...]
    error: float
    low: float
    high: float
    plain: float
    chance: float
    chance_high: float
    draws: int
    seed: int

    @property
    def miscalibrated(self) -> bool:
        """Further off than 95 of 100 judges whose statements are true."""
        return self.plain > self.chance_high


def reliability(stated: Floats, true: Truth, *, draws: int = DRAWS, seed: int = SEED) -> Reliability:
    """Compare stated probabilities with what was true; raises `ValueError` for fewer rows than two bins hold."""
    if len(stated) < 2 * LEAST:
        raise ValueError(f"{len(stated)} rows are too few for a calibration error; {2 * LEAST} are the least")
    order = np.argsort(stated, kind="stable")
    p, y = stated[order], true[order].astype(np.float64)
    edges = _edges(p)
    rng = np.random.Generator(np.random.PCG64(seed))
    sizes, means = np.diff(np.append(edges, len(p))), np.add.reduceat(p, edges)
    rates = np.stack([np.add.reduceat((rng.random(len(p)) < p).astype(np.float64), edges) for _ in range(draws)])
    rates /= sizes
    by_chance = _plain(sizes, means / sizes, rates)
    error, low, high = _debiased(p, y, edges, rng, draws)
    return Reliability(
        rows=len(p),
        bins=_bins(p, y, edges, rates),
        error=error,
        low=low,
        high=high,
        plain=float(_plain(sizes, means / sizes, np.add.reduceat(y, edges) / sizes)),
        chance=float(by_chance.mean()),
        chance_high=float(np.quantile(by_chance, 0.95)),
        draws=draws,
        seed=seed,
    )


def _edges(p: Floats) -> npt.NDArray[np.int64]:
    """Where bins of about equal mass begin; equal values stay together, no bin holds fewer than fifteen rows."""
    number = max(min(BINS, len(p) // LEAST), 1)
    wanted = np.arange(1, number) * len(p) // number
    starts = [0]
    for place in wanted:
        begin = int(np.searchsorted(p, p[place], side="left"))
        if begin - starts[-1] >= LEAST and len(p) - begin >= LEAST:
            starts.append(begin)
    return np.array(starts, dtype=np.int64)


def _plain(sizes: npt.NDArray[np.int64], stated: Floats, observed: Floats) -> Floats:
    distance: Floats = (np.abs(observed - stated) * sizes).sum(axis=-1) / sizes.sum()
    return distance


def _bins(p: Floats, y: Floats, edges: npt.NDArray[np.int64], worlds: Floats) -> tuple[Bin, ...]:
    from scipy import stats

    ends = np.append(edges[1:], len(p))
    bounds = np.quantile(worlds, [0.025, 0.975], axis=0)
    found = []
    for number, (begin, end) in enumerate(zip(edges, ends, strict=True)):
        rows, hits = int(end - begin), int(y[begin:end].sum())
        low = float(stats.beta.ppf(0.025, hits, rows - hits + 1)) if hits else 0.0
        high = float(stats.beta.ppf(0.975, hits + 1, rows - hits)) if hits < rows else 1.0
        expected = float(bounds[0, number]), float(bounds[1, number])
        found.append(Bin(rows, float(p[begin:end].mean()), hits / rows, low, high, expected))
    return tuple(found)


def _debiased(
    p: Floats, y: Floats, edges: npt.NDArray[np.int64], rng: np.random.Generator, draws: int
) -> tuple[float, float, float]:
    """The root of the debiased squared error; its interval from row resamples, shifted so that their mean is it."""
    member = np.repeat(np.arange(len(edges)), np.diff(np.append(edges, len(p))))
    value = _squared(p, y, member, len(edges))
    drawn = np.empty(draws)
    for number in range(draws):
        picked = rng.integers(0, len(p), len(p))
        drawn[number] = _squared(p[picked], y[picked], member[picked], len(edges))
    ends = np.quantile(drawn - drawn.mean() + value, [0.025, 0.975])
    error, low, high = np.sqrt(np.clip([value, ends[0], ends[1]], 0.0, None))
    return float(error), float(low), float(high)


def _squared(p: Floats, y: Floats, member: npt.NDArray[np.int64], number: int) -> float:
    """Squared distance of rate and statement over the bins, less what chance adds; bins of one row add nothing."""
    sizes = np.bincount(member, minlength=number)
    held = sizes > 1
    sizes = sizes[held]
    stated = np.bincount(member, weights=p, minlength=number)[held] / sizes
    observed = np.bincount(member, weights=y, minlength=number)[held] / sizes
    excess = (stated - observed) ** 2 - observed * (1 - observed) / (sizes - 1)
    return float((sizes * excess).sum() / len(p))
