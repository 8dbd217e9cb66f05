"""About how many more cases until a word is reached: many futures drawn from what the closed cases allow.

A future has its own shares of the differences seen so far, drawn around the counted ones (Beta with a uniform prior
where a case can only be won, lost or equal), and goes on until better, worse or no difference within the margin.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from arena.evidence.statistics import betting
from arena.evidence.statistics.verdicts import Verdict, Word

FUTURES = 300
SEED = 20_261
LIMIT = 2_000
LEAST_CASES = 5
GENERATOR = "numpy.random.Generator(PCG64(seed))"
ORDER = "shares of every future, then for every look the counts of its new cases, futures still open in order"


@dataclass(frozen=True, slots=True)
class Forecast:
    """More cases needed: `median` with the range from `low` (10 %) to `high` (90 %) of the futures.

    A figure is None where it lies beyond `limit`; `unlikely` where fewer than half of the futures end by then.
    """

    low: int | None
    median: int | None
    high: int | None
    ended: float
    limit: int
    futures: int
    seed: int

    @property
    def unlikely(self) -> bool:
        return self.median is None

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "generator": GENERATOR, "order": ORDER, "looks": looks(self.limit)}


def forecast(verdict: Verdict, *, limit: int = LIMIT, futures: int = FUTURES, seed: int = SEED) -> Forecast | None:
    """None where a word is reached already or fewer than five cases say anything."""
    values = np.array(verdict.series.values, dtype=np.float64)
    if verdict.word != Word.INCONCLUSIVE or len(values) < LEAST_CASES or limit < 1:
        return None
    rng = np.random.Generator(np.random.PCG64(seed))
    seen, counts, shares = _shares(values, verdict.series.ternary, futures, rng)
    ends = _play(seen, counts, shares, verdict, limit, rng)
    low, median, high = (_nearest_rank(ends, share) for share in (0.1, 0.5, 0.9))
    return Forecast(low, median, high, float((ends <= limit).mean()), limit, futures, seed)


def looks(limit: int) -> list[int]:
    """After how many more cases a future is looked at: after each at first, then in steps of 3 %, up to `limit`."""
    found = [1]
    while found[-1] < limit:
        found.append(min(limit, max(found[-1] + 1, math.ceil(1.03 * found[-1]))))
    return found


def _shares(
    values: betting.Floats, ternary: bool, futures: int, rng: np.random.Generator
) -> tuple[betting.Floats, betting.Floats, betting.Floats]:
    """The differences that can come, how often each came so far, and its share in every future."""
    if not ternary:
        seen, numbers = np.unique(values, return_counts=True)
        return seen, numbers.astype(np.float64), rng.dirichlet(numbers, size=futures)
    seen = np.array([-1.0, 0.0, 1.0])
    counts = np.array([(values == value).sum() for value in seen], dtype=np.float64)
    lost, equal, won = counts
    wins = rng.beta(won + 1, lost + 1, size=futures)
    discordant = rng.beta(won + lost + 1, equal + 1, size=futures)
    return seen, counts, np.stack([discordant * (1 - wins), 1 - discordant, discordant * wins], axis=1)


def _play(
    seen: betting.Floats,
    counts: betting.Floats,
    shares: betting.Floats,
    verdict: Verdict,
    limit: int,
    rng: np.random.Generator,
) -> betting.Floats:
    """After how many more cases each future ends; infinite where it does not within the limit."""
    bar = -math.log(verdict.level)
    ends, totals = np.full(len(shares), np.inf), np.tile(counts, (len(shares), 1))
    alive, before = np.arange(len(shares)), 0
    for look in looks(limit):
        totals[alive] += rng.multinomial(look - before, shares[alive])
        before = look
        differs, above, below = (
            betting.log_wealth_of_counts(seen, totals[alive], mean) >= bar
            for mean in (0.0, verdict.margin, -verdict.margin)
        )
        done = differs | (above & below)
        ends[alive[done]] = look
        alive = alive[~done]
        if not len(alive):
            break
    return ends


def _nearest_rank(ends: betting.Floats, share: float) -> int | None:
    end = float(np.sort(ends)[math.ceil(share * len(ends)) - 1])
    return int(end) if math.isfinite(end) else None
