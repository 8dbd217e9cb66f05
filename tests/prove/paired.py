"""Drawn comparisons of two arms, many at once: a line is an experiment, a column the next case."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from arena.evidence.statistics import betting
from arena.evidence.statistics.betting import Floats

Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
BAR = math.log(20)
BATCH = 200


def signs(number: int, pairs: int, difference: float, discordant: float, rng: np.random.Generator) -> Ints:
    """One repeat a case: 1 where B alone passes, -1 where A alone does."""
    drawn = rng.random((number, pairs))
    wins = (discordant + difference) / 2
    found: Ints = (drawn < wins).astype(np.int64) - ((drawn >= wins) & (drawn < discordant))
    return found


def of_signs(values: Ints) -> Floats:
    """The log of the wealth against 0 after every case of every experiment."""
    return betting.log_wealth_of_signs((values > 0).cumsum(axis=1), (values < 0).cumsum(axis=1))


def against(values: Ints, mean: float) -> Floats:
    """The same against any mean: every count that occurs is worked out once."""
    wins, losses = (values > 0).cumsum(axis=1), (values < 0).cumsum(axis=1)
    pairs = values.shape[1] + 1
    looks = np.arange(1, pairs)
    codes, places = np.unique((wins * pairs + losses) * pairs + looks, return_inverse=True)
    won, lost, seen = codes // pairs**2, codes // pairs % pairs, codes % pairs
    counts = np.stack([lost, seen - won - lost, won], axis=1)
    parts = [
        betting.log_wealth_of_counts([-1, 0, 1], part, mean)
        for part in np.array_split(counts, len(counts) // 4_000 + 1)
    ]
    logs: Floats = np.concatenate(parts)[places]
    return logs


def of_means(values: Floats, mean: float = 0.0) -> Floats:
    """Against any mean, for differences that are no signs."""
    parts = np.array_split(values, len(values) // BATCH + 1)
    return np.concatenate([betting.log_wealth(part, mean) for part in parts])


def ever(logs: Floats, bar: float = BAR) -> int:
    """In how many experiments the evidence is there at some look."""
    return int((logs >= bar).any(axis=1).sum())


def first(logs: Floats, bar: float = BAR) -> Floats:
    """After how many cases it is there for the first time; infinite where it never is."""
    over = logs >= bar
    return np.where(over.any(axis=1), over.argmax(axis=1) + 1.0, np.inf)


def mcnemar_peeked(values: Ints) -> int:
    """In how many experiments the exact McNemar test is below 5 % after some pair."""
    from scipy import stats

    wins, losses = (values > 0).cumsum(axis=1), (values < 0).cumsum(axis=1)
    counts = np.arange(values.shape[1] + 1)
    chances = 2 * np.asarray(stats.binom.cdf(counts[:, None], counts[None, :], 0.5))
    return int((chances[np.minimum(wins, losses), wins + losses] <= 0.05).any(axis=1).sum())


def completion(durations: Floats, workers: int) -> Floats:
    """When each job ends: a free worker takes the next one, in order. A line is an experiment."""
    free = np.zeros((len(durations), min(workers, durations.shape[1])))
    lines, ends = np.arange(len(durations)), np.empty_like(durations)
    for job in range(durations.shape[1]):
        worker = free.argmin(axis=1)
        free[lines, worker] += durations[:, job]
        ends[:, job] = free[lines, worker]
    return ends
