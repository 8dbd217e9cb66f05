"""How many pairs a comparison needs, told before it starts: for one look at the end, and for any time.

A forecast is a range: the length of a single experiment is random, whatever its average.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from arena.evidence.statistics import betting

Z_LEVEL = 1.959963984540054  # two-sided 5 %
Z_POWER = 0.8416212335729143  # 80 %
Z_HALF = 1.2815515655446004  # 80 % where both sides have to hold
QUANTILES = (0.1, 0.5, 0.8, 0.9)
MOST_DISCORDANT = 6_000


@dataclass(frozen=True, slots=True)
class Plan:
    """Pairs needed for a difference (B minus A) at a share of discordant pairs, both from 0 to 1.

    `fixed` is for one look with 80 % power; `any_time` says by how many pairs so large a share of experiments is done,
    None where that lies beyond what was computed.
    """

    difference: float
    discordant: float
    fixed: int
    any_time: dict[float, int | None]

    def to_json(self) -> dict[str, Any]:
        return {
            "difference": self.difference,
            "discordant": self.discordant,
            "fixed_80_percent_power": self.fixed,
            "any_time_done_by": {f"{share:g}": pairs for share, pairs in self.any_time.items()},
        }


def plan(difference: float, discordant: float, *, quantiles: Sequence[float] = QUANTILES) -> Plan:
    """Pairs until the word is better or worse, with one repeat a case, for a true difference that is not 0."""
    if not 0 < abs(difference) <= discordant <= 1:
        raise ValueError(
            f"a difference of {difference} with {discordant} discordant cannot be: "
            "it is not 0 and at most the share of discordant pairs, which is at most 1"
        )
    ends = {share: done_by(abs(difference), discordant, share) for share in quantiles}
    return Plan(difference, discordant, fixed_pairs(difference, discordant), ends)


def fixed_pairs(difference: float, discordant: float) -> int:
    """Pairs for one look at the end with 80 % power at 5 %."""
    spread = math.sqrt(discordant - difference * difference)
    return math.ceil((Z_LEVEL * math.sqrt(discordant) + Z_POWER * spread) ** 2 / (difference * difference))


def done_by(difference: float, discordant: float, share: float) -> int | None:
    """The number of pairs by which so large a share of experiments has come to better or worse: exact."""
    from scipy import stats

    chances = stopping((discordant + difference) / (2 * discordant))
    numbers = np.arange(1, len(chances) + 1)
    if chances.sum() < share:
        return None

    def done(pairs: int) -> bool:
        return float(chances @ stats.binom.sf(numbers - 1, pairs, discordant)) >= share

    return _smallest(done)


@lru_cache(maxsize=64)
def stopping(wins: float, *, level: float = betting.LEVEL, most: int = MOST_DISCORDANT) -> betting.Floats:
    """The chance that evidence is reached with the 1st, 2nd, ... discordant pair, of which B wins a share `wins`.

    A recursion over how many B has won; who has reached the evidence leaves.
    """
    bar = -math.log(level)
    alive, ended = np.ones(1), np.zeros(most)
    for decided in range(1, most + 1):
        alive = np.append(alive * (1 - wins), 0.0) + np.append(0.0, alive * wins)
        won = np.arange(decided + 1)
        out = betting.log_wealth_of_signs(won, decided - won) >= bar
        ended[decided - 1] = alive[out].sum()
        alive[out] = 0.0
        if alive.sum() < 1e-9:
            break
    return ended


def pairs_for_no_difference(discordant: float, margin: float) -> tuple[int, int]:
    """Pairs for "no difference within the margin" at a true difference of 0: for one look with 80 % power, any time.

    The first are the usual two one-sided tests; the second is the number at which a comparison that stands level is
    narrow enough.
    """
    if not (0 < discordant <= 1 and 0 < margin < 1):
        raise ValueError(f"a margin of {margin} at {discordant} discordant: both lie between 0 and 1")
    usual = math.ceil((Z_LEVEL + Z_HALF) ** 2 * discordant / (margin * margin))
    bar = -math.log(betting.LEVEL)

    def narrow(pairs: int) -> bool:
        level = [pairs * discordant / 2, pairs * (1 - discordant), pairs * discordant / 2]
        return float(betting.log_wealth_of_counts([-1, 0, 1], level, margin)) >= bar

    return usual, _smallest(narrow)


def _smallest(enough: Callable[[int], bool]) -> int:
    """The smallest number from 1 that is enough, where every larger one is, too."""
    low, high = 0, 16
    while not enough(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
