"""Combinations that this sample cannot tell from the chosen one, all thresholds of a kind moving at once.

Every combination meets the chosen one on the rows that the two decide differently. The chosen one was the best of
thousands or of a million, which is paid for by a far smaller level than for one threshold alone (statistics, joint
near-best set).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from policy.calibration.boxes import Case, summed
from policy.calibration.cuts import Cuts
from policy.calibration.region import Cell, Mask
from policy.calibration.separation import LEVEL
from policy.calibration.sweep import Axes, Counts, Rows, agreement, decided

JOINT_LEVEL = 0.002


def near_best(
    rows: Rows, axes: Axes, chosen: Cell, *, level: float = JOINT_LEVEL, agreed: Counts | None = None
) -> Mask:
    """The cells that are kept beside the chosen one; `agreed` saves the first of two sweeps where it is there."""
    score = agreement(rows, axes) if agreed is None else agreed
    r, m, t = chosen
    cuts = axes.restriction.values[r], axes.missing.values[m], axes.match.values[t]
    right = decided(rows, restriction=cuts[0], missing=cuts[1], match=cuts[2]) == rows.labels
    shared = agreement(rows.taken(right), axes)
    wins, losses = int(np.count_nonzero(right)) - shared, score - shared
    return _kept(wins, losses, level)


def near_best_cases(
    cases: Sequence[Case],
    axes: Sequence[Cuts],
    chosen: Cell,
    *,
    level: float | None = None,
    agreed: npt.NDArray[np.floating] | None = None,
) -> Mask:
    """The same for kinds that are decided case by case; the level is `level_of` so many thresholds, unless given.

    Of a single threshold it is the whole range from the first value that is kept to the last, as that was simulated.
    """
    score = summed(cases, axes) if agreed is None else agreed
    at = [float(cuts.values[place]) for cuts, place in zip(axes, chosen, strict=True)]
    right = [case for case in cases if case.at(at) > 0.5]
    shared = np.rint(summed(right, axes)).astype(np.int64)
    losses = np.rint(score).astype(np.int64) - shared
    kept = _kept(len(right) - shared, losses, level_of(len(axes)) if level is None else level)
    if kept.ndim == 1:
        places = np.flatnonzero(kept)
        kept[places[0] : places[-1] + 1] = True
    return kept


def level_of(thresholds: int) -> float:
    """A single threshold was chosen among a hundred values only, which its own range allows for already."""
    return LEVEL if thresholds == 1 else JOINT_LEVEL


def extent(cuts: Cuts, kept: Mask, axis: int) -> tuple[float, float]:
    """The lowest and the highest value of one threshold in a set of combinations."""
    places = np.flatnonzero(kept.any(axis=tuple(other for other in range(kept.ndim) if other != axis)))
    return float(cuts.values[places[0]]), float(cuts.values[places[-1]])


def _kept(wins: npt.NDArray[np.integer], losses: npt.NDArray[np.integer], level: float) -> Mask:
    """Whether P(Bin(wins + losses, 1/2) >= wins) is above the level: one look-up in a table of the least wins."""
    from scipy import stats

    between = wins + losses
    most = int(between.max())
    # `isf` gives the smallest k with P(Bin > k) <= level; so many wins and one more are too many for chance.
    allowed = np.asarray(stats.binom.isf(level, np.arange(most + 1), 0.5)).astype(np.int64)
    kept: Mask = wins <= allowed[between]
    return kept
