"""Cases that hold the thresholds where they are: without one of them the best set would be another one."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from policy.calibration.region import Mask
from policy.calibration.sweep import ALLOW, ASK, DENY, Axes, Counts, Rows

Sums = npt.NDArray[np.int32]


def constrains(rows: Rows, axes: Axes, agreed: Counts) -> npt.NDArray[np.bool_]:
    """Per row whether the set of best combinations changes when the row is dropped; `agreed` is the sweep of all rows.

    That is so where it is right in a part of the set only, or right in all of it and wrong in one just below the best.
    """
    top = int(agreed.max())
    best, second = agreed == top, agreed == top - 1
    places = axes.restriction.reached(rows.violates), axes.missing.reached(rows.missing)
    matches = axes.match.reached(rows.matches)
    right = _right_in(best, rows, *places, matches)
    size = int(np.count_nonzero(best))
    runner_up = _right_in(second, rows, *places, matches)
    part = (right > 0) & (right < size)
    changed: npt.NDArray[np.bool_] = part | ((right == size) & (runner_up < np.count_nonzero(second)))
    return changed


def _right_in(
    mask: Mask,
    rows: Rows,
    violates: npt.NDArray[np.int32],
    missing: npt.NDArray[np.int32],
    matches: npt.NDArray[np.int32],
) -> npt.NDArray[np.int64]:
    """In how many cells of the mask each row is decided as labelled: sums over boxes, from one table of sums."""
    sums = _summed(mask)
    total = sums[0, 0, -1]
    not_denied = sums[violates, 0, -1]
    allowed = sums[violates, missing, matches]
    counts = np.zeros(len(rows), dtype=np.int64)
    counts = np.where(rows.labels == DENY, total - not_denied, counts)
    counts = np.where(rows.labels == ASK, not_denied - allowed, counts)
    return np.where(rows.labels == ALLOW, allowed, counts)


def _summed(mask: Mask) -> Sums:
    """Cells of the mask from place r and m on, and before place t: `sums[r, m, t]`."""
    sums = np.zeros(tuple(side + 1 for side in mask.shape), dtype=np.int32)
    sums[:-1, :-1, 1:] = mask
    np.cumsum(sums, axis=2, out=sums)
    for place in range(mask.shape[1] - 1, -1, -1):
        sums[:, place] += sums[:, place + 1]
    for place in range(mask.shape[0] - 1, -1, -1):
        sums[place] += sums[place + 1]
    return sums
