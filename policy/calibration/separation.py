"""Which thresholds this sample cannot tell from the best one, with the other thresholds held where they are.

The best of a step function has no regular bootstrap. So each candidate meets the best one on the rows between them,
the only ones that the two decide differently, with an exact binomial test (statistics, range that cannot be separated).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from policy.calibration.cuts import Cuts, Floats
from policy.calibration.region import best, region

LEVEL = 0.05
NODES = 128


@dataclass(frozen=True, slots=True)
class Axis:
    """Rows as one threshold sees them: what a row costs where it reaches the cut, and what where it does not.

    Without costs a right decision costs 0 and a wrong one 1.
    """

    scores: Floats
    reached_cost: Floats
    below_cost: Floats

    def gains(self) -> Floats:
        """What stopping a row saves; negative for rows that should pass, 0 for rows that do not care."""
        return self.below_cost - self.reached_cost


@dataclass(frozen=True, slots=True)
class Separation:
    """`chosen` is the middle of the best plateau; no value from `first` to `last` can be told from it.

    The claim holds with at least 95 % for the true optimum on this axis.
    """

    chosen: float
    first: float
    last: float

    @property
    def width(self) -> float:
        return self.last - self.first


def separate(axis: Axis, cuts: Cuts, *, prefer: float, level: float = LEVEL) -> Separation:
    """The range of cuts that the sample does not separate from the best one nearest to `prefer`."""
    totals = _totals(axis, cuts)
    near = int(np.argmin(np.abs(cuts.values - prefer)))
    chosen = near if np.ptp(totals) == 0 else region(best(-totals), prefer=(near,)).deepest[0]
    kept = np.flatnonzero(_kept(axis, cuts, chosen, level))
    return Separation(float(cuts.values[chosen]), float(cuts.values[kept[0]]), float(cuts.values[kept[-1]]))


def _totals(axis: Axis, cuts: Cuts) -> Floats:
    """The cost of all rows at each cut, rounded so that equal sums are equal."""
    gains = np.bincount(cuts.reached(axis.scores), weights=axis.gains(), minlength=len(cuts) + 1)
    saved = gains[::-1].cumsum()[::-1][1:]
    whole: Floats = np.round(axis.below_cost.sum() - saved, 9)
    return whole


def _kept(axis: Axis, cuts: Cuts, chosen: int, level: float) -> npt.NDArray[np.bool_]:
    gains = axis.gains()
    matter = gains != 0
    reached, gains = cuts.reached(axis.scores)[matter], gains[matter]
    if all(len(np.unique(side)) <= 1 for side in (gains[gains > 0], gains[gains < 0])):
        return _kept_by_counts(reached, gains, len(cuts), chosen, level)
    kept: npt.NDArray[np.bool_] = _wealth(reached, gains / np.abs(gains).max(), len(cuts), chosen) < -np.log(level)
    return kept


def _kept_by_counts(
    reached: npt.NDArray[np.int32], gains: Floats, size: int, chosen: int, level: float
) -> npt.NDArray[np.bool_]:
    """One price for a needless stop and one for a wrong pass: rows between two cuts are coins of a known bias.

    Where only one price occurs the other is unknown and taken to be equal.
    """
    from scipy import special

    stop, go = gains.max(initial=0.0), -gains.min(initial=0.0)
    indifferent = go / (stop + go) if stop > 0 and go > 0 else 0.5
    unsafe = _between(reached[gains > 0], size, chosen)
    rows = unsafe + _between(reached[gains < 0], size, chosen)
    below = special.bdtr(unsafe, rows, indifferent)
    above = special.bdtrc(unsafe - 1, rows, indifferent)
    places = np.arange(size)
    chance = np.where(places < chosen, below, above)
    kept: npt.NDArray[np.bool_] = (chance > level) | (places == chosen)
    return kept


def _between(reached: npt.NDArray[np.int32], size: int, chosen: int) -> npt.NDArray[np.int64]:
    """For each cut the rows that it and the chosen one decide differently."""
    reach = np.bincount(reached, minlength=size + 1)[::-1].cumsum()[::-1][1:]
    between: npt.NDArray[np.int64] = np.abs(reach - reach[chosen])
    return between


def _wealth(reached: npt.NDArray[np.int32], savings: Floats, size: int, chosen: int) -> Floats:
    """For each cut the log wealth of a bet, spread over all stakes, against "this one is as good as the chosen one".

    Wealth of 20 or more is evidence at 5 % (Ville). Above the chosen cut it saves what it stops, below what it lets go.
    """
    from scipy import special

    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    stakes = (nodes + 1) / 2
    places = np.arange(size)
    above, below = (_sums(np.log1p(np.outer(sign * savings, stakes)), reached, size) for sign in (1, -1))
    logs = np.where((places < chosen)[:, None], below[chosen] - below[places], above[places] - above[chosen])
    wealth: Floats = special.logsumexp(logs, b=weights / 2, axis=1)
    return wealth


def _sums(logs: Floats, reached: npt.NDArray[np.int32], size: int) -> Floats:
    """Sums over the rows that reach at most so many cuts."""
    counted = np.zeros((size + 1, logs.shape[1]))
    np.add.at(counted, reached, logs)
    return counted.cumsum(axis=0)
