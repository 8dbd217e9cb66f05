"""Evidence that may be looked at after every case: wealth won by betting on the differences of the cases.

Somebody bets, case after case, that the mean difference is not `mean`. While it is, the wealth is a martingale that
began at 1, so it ever reaches 20 with a chance of 5 % at most, however often one looks and whenever one stops (Ville).
Nothing is assumed about how the differences are spread, but that they lie within -1 and 1.

The stake is mixed evenly over u from -1 to 1: u > 0 wins where the differences lie above `mean`, u < 0 where below.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Literal

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
# above: the mean is higher than the one that is bet against; below: lower; both: it is another one
Side = Literal["both", "above", "below"]

LEVEL = 0.05
NODES = 128  # Gauss-Legendre nodes on each half of the stakes; any positive weights keep the promise
EDGE = 1e-9  # a mean of -1 or 1 itself cannot be bet against on one side
CLOSE = 1e-12


def log_wealth(differences: npt.ArrayLike, mean: float, *, side: Side = "both") -> Floats:
    """The log of the wealth after each difference (along the last axis), of betting against `mean` in (-1, 1)."""
    values, places = np.unique(np.asarray(differences, dtype=np.float64), return_inverse=True)
    up, down, shares = _bets(values, mean)
    sums = [np.cumsum(part[places], axis=-2) for part in _sided(up, down, side)]
    return _mixed(np.concatenate(sums, axis=-1), shares, len(sums))


def log_wealth_of_counts(values: npt.ArrayLike, counts: npt.ArrayLike, mean: float, *, side: Side = "both") -> Floats:
    """The same after all cases, where `counts[..., i]` of them had the difference `values[i]`."""
    up, down, shares = _bets(np.asarray(values, dtype=np.float64), mean)
    numbers = np.asarray(counts, dtype=np.float64)
    sums = [numbers @ part for part in _sided(up, down, side)]
    return _mixed(np.concatenate(sums, axis=-1), shares, len(sums))


def log_wealth_of_signs(wins: npt.ArrayLike, losses: npt.ArrayLike) -> Floats:
    """Against a mean of 0 where every difference is -1, 0 or 1: the closed form 2^D / ((D + 1) C(D, wins))."""
    from scipy import special

    won, lost = np.asarray(wins, dtype=np.float64), np.asarray(losses, dtype=np.float64)
    decided = won + lost
    combinations = special.gammaln(decided + 1) - special.gammaln(won + 1) - special.gammaln(lost + 1)
    logs: Floats = decided * math.log(2) - np.log(decided + 1) - combinations
    return logs


def reached(logs: Floats, level: float) -> int | None:
    """After how many cases the wealth was 1 / level for the first time; None while it never was."""
    over = np.flatnonzero(logs >= -math.log(level))
    return int(over[0]) + 1 if len(over) else None


def chance(logs: Floats) -> float:
    """A p-value that holds at any time: 1 / the largest wealth so far, at most 1."""
    return math.exp(-max(0.0, float(logs.max(initial=0.0))))


def interval(differences: npt.ArrayLike, *, level: float = LEVEL) -> tuple[float, float] | None:
    """All means that no look so far has ruled out, at `level`; None where each was ruled out at some look.

    It holds at all times at once. 0 lies outside exactly where wealth against 0 has reached 1 / level at some look:
    the interval and the word never contradict each other. Wealth is convex in the mean, and so is its largest value
    so far: what is left is one interval, and two roots find it.
    """
    from scipy import optimize

    values = np.asarray(differences, dtype=np.float64)
    if not len(values):
        return -1.0, 1.0
    bar = -math.log(level)

    def over(mean: float) -> float:
        return float(log_wealth(values, mean).max()) - bar

    low, high = -1 + EDGE, 1 - EDGE
    inside = min(max(float(values.mean()), low), high)
    if over(inside) >= 0:
        lowest = optimize.minimize_scalar(over, bounds=(low, high), method="bounded", options={"xatol": 1e-9})
        inside = float(lowest.x)
        if over(inside) >= 0:
            return None
    first, last = _end(values, bar, low, inside), _end(values, bar, high, inside)
    return -1.0 if first == low else first, 1.0 if last == high else last


def _end(values: Floats, bar: float, outside: float, inside: float) -> float:
    """The mean next to `outside` that no look rules out; `outside` itself where none does.

    Only the look that rules out most needs its root: from there the next one is asked, until it is the same look.
    """
    from scipy import optimize

    end, solved = outside, 0
    while True:
        path = log_wealth(values, end)
        look = int(path.argmax()) + 1
        if look == solved or path[look - 1] < bar:
            return end
        seen, counts = np.unique(values[:look], return_counts=True)

        def over(mean: float, seen: Floats = seen, counts: npt.NDArray[np.int64] = counts) -> float:
            return float(log_wealth_of_counts(seen, counts, mean)) - bar

        if over(end) <= 0:
            return end
        end, solved = float(optimize.brentq(over, end, inside, xtol=CLOSE)), look


def _bets(values: Floats, mean: float) -> tuple[Floats, Floats, Floats]:
    """What each stake makes of each value, as logs: upwards, downwards, and the weights of the stakes.

    Written as (1 - u) + u (1 + d) / (1 + m), equal to 1 + u (d - m) / (1 + m), which rounding cannot push below 0.
    """
    if not -1 < mean < 1:
        raise ValueError(f"a mean of {mean} cannot be bet against: it must lie between -1 and 1")
    if not (np.abs(values) <= 1).all():
        raise ValueError("a difference lies outside -1 and 1")
    stakes, shares = _stakes()
    up = np.log((1 - stakes) + stakes * ((1 + values) / (1 + mean))[..., None])
    down = np.log((1 - stakes) + stakes * ((1 - values) / (1 - mean))[..., None])
    return up, down, shares


@cache
def _stakes() -> tuple[Floats, Floats]:
    """Nodes on (0, 1) and the logs of their weights, which sum to 1."""
    places, weights = np.polynomial.legendre.leggauss(NODES)
    return (places + 1) / 2, np.log(weights / 2)


def _sided(up: Floats, down: Floats, side: Side) -> list[Floats]:
    return {"both": [up, down], "above": [up], "below": [down]}[side]


def _mixed(logs: Floats, shares: Floats, halves: int) -> Floats:
    """The log of the mean of the wealths over all stakes."""
    weighed = logs + np.tile(shares, halves) - math.log(halves)
    top = weighed.max(axis=-1, keepdims=True)
    mixed: Floats = np.log(np.exp(weighed - top).sum(axis=-1)) + top[..., 0]
    return mixed
