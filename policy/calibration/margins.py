"""How far the thresholds must move before the decision on one case flips."""

from __future__ import annotations

import numpy as np

from policy.calibration.cuts import Floats
from policy.calibration.sweep import Rows


def margins(rows: Rows, *, restriction: float, missing: float, match: float) -> Floats:
    """Per row the smallest change, made to all three thresholds at once, that flips its decision (Chebyshev).

    Infinite where the needed threshold lies outside [0, 1]. A change that just reaches the break-point counts.
    """
    raised = _within(restriction, rows.violates, up=True)
    lowered = _within(restriction, rows.violates, up=False)
    asks_missing, asks_match = rows.missing >= missing, rows.matches < match
    to_ask = np.minimum(_within(missing, rows.missing, up=False), _within(match, rows.matches, up=True))
    to_allow = np.maximum(
        np.where(asks_missing, _within(missing, rows.missing, up=True), 0.0),
        np.where(asks_match, _within(match, rows.matches, up=False), 0.0),
    )
    denied = rows.violates >= restriction
    open_margin = np.minimum(lowered, np.where(asks_missing | asks_match, to_allow, to_ask))
    return np.where(denied, raised, open_margin)


def _within(cut: float, measured: Floats, *, up: bool) -> Floats:
    """The distance from a cut to a measured value, infinite where no threshold in [0, 1] lies beyond it."""
    distance = measured - cut if up else cut - measured
    impossible = (measured >= 1.0) if up else np.zeros(len(measured), dtype=bool)
    return np.where(impossible, np.inf, distance)
