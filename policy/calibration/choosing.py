"""Choosing the three thresholds of an assessment on weighted rows, fast enough for a thousand resamples."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from policy.calibration.cuts import Cuts, Floats
from policy.calibration.sweep import ALLOW, ASK, DENY, Axes, Rows
from policy.calibration.unseen import Right, Weights

MOST_CUTS = 128


@dataclass(slots=True)
class AssessmentChoice:
    """Rows of an assessment; the best combination nearest to the preferred one is chosen.

    The axes hold only what the rows can tell apart, so that a resample of a small set is a small sweep.
    """

    rows: Rows
    prefer: tuple[float, float, float]
    axes: Axes = field(init=False)
    _flat: npt.NDArray[np.int64] = field(init=False)
    _violates: npt.NDArray[np.int32] = field(init=False)
    _distance: Floats = field(init=False)

    def __post_init__(self) -> None:
        rows = self.rows
        self.axes = Axes(_told_apart(rows.violates), _told_apart(rows.missing), _told_apart(rows.matches))
        sides = [size + 1 for size in self.axes.shape]
        self._violates = self.axes.restriction.reached(rows.violates)
        places = self._violates, self.axes.missing.reached(rows.missing), self.axes.match.reached(rows.matches)
        self._flat = np.ravel_multi_index(places, sides).astype(np.int64)
        away = [np.abs(cuts.values - wanted) for cuts, wanted in zip(self._cuts(), self.prefer, strict=True)]
        self._distance = np.maximum(np.maximum(away[0][:, None, None], away[1][:, None]), away[2])

    @property
    def strata(self) -> npt.NDArray[np.int8]:
        return self.rows.labels

    def right(self, weights: Weights) -> Right:
        """Which rows the combination chosen on these weights decides as labelled."""
        agreement = self._agreement(weights)
        top = np.flatnonzero(agreement == agreement.max())
        chosen = np.unravel_index(top[np.argmin(self._distance.ravel()[top])], agreement.shape)
        r, m, t = (cuts.values[place] for cuts, place in zip(self._cuts(), chosen, strict=True))
        rows = self.rows
        asked = (rows.missing >= m) | (rows.matches < t)
        decided = np.where(rows.violates >= r, DENY, np.where(asked, ASK, ALLOW))
        same: Right = decided == rows.labels
        return same

    def _agreement(self, weights: Weights) -> npt.NDArray[np.int64]:
        labels, sides = self.rows.labels, [size + 1 for size in self.axes.shape]
        signed = weights * (labels == ALLOW) - weights * (labels == ASK)
        counted = np.bincount(self._flat, weights=signed, minlength=int(np.prod(sides))).reshape(sides)
        counted = counted.cumsum(axis=0).cumsum(axis=1)[:-1, :-1, ::-1].cumsum(axis=2)[..., ::-1][..., 1:]
        stopped = weights * (labels == DENY) - weights * (labels == ASK)
        denied = np.bincount(self._violates, weights=stopped, minlength=sides[0])[::-1].cumsum()[::-1][1:]
        return np.rint(denied[:, None, None] + counted).astype(np.int64)

    def _cuts(self) -> tuple[Cuts, Cuts, Cuts]:
        return self.axes.restriction, self.axes.missing, self.axes.match


def _told_apart(measured: Floats) -> Cuts:
    cuts = Cuts.between(measured)
    return cuts if len(cuts) <= MOST_CUTS else Cuts.even()
