"""Combinations that this sample cannot tell from the chosen one, all three thresholds moving at once.

Every combination meets the chosen one on the rows that the two decide differently. The chosen one was the best of a
million, which is paid for by a far smaller level than for one threshold alone (statistics, joint near-best set).
"""

from __future__ import annotations

import numpy as np

from policy.calibration.region import Cell, Mask
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


def _kept(wins: Counts, losses: Counts, level: float) -> Mask:
    """Whether P(Bin(wins + losses, 1/2) >= wins) is above the level: one look-up in a table of the least wins."""
    from scipy import stats

    between = wins + losses
    most = int(between.max())
    # `isf` gives the smallest k with P(Bin > k) <= level; so many wins and one more are too many for chance.
    allowed = np.asarray(stats.binom.isf(level, np.arange(most + 1), 0.5)).astype(np.int64)
    kept: Mask = wins <= allowed[between]
    return kept
