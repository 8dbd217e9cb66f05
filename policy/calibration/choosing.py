"""Choosing the three thresholds of an assessment on weighted rows, fast enough for a thousand resamples."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from policy.calibration.cuts import Cuts, Floats
from policy.calibration.stream import Plane, Walk
from policy.calibration.sweep import ALLOW, ASK, Axes, Rows, decided
from policy.calibration.unseen import Right, Weights

MOST_CUTS = 128


@dataclass(slots=True)
class AssessmentChoice:
    """Rows of an assessment; the best combination nearest to the preferred one is chosen.

    The axes hold only what the rows can tell apart, so that a resample of a small set is a small sweep; each cut lies
    in the middle between two measured values.
    """

    rows: Rows
    prefer: tuple[float, float, float]
    axes: Axes = field(init=False)
    _walk: Walk = field(init=False)
    _away: tuple[Floats, Floats] = field(init=False)

    def __post_init__(self) -> None:
        rows = self.rows
        moving = (rows.labels == ALLOW) | (rows.labels == ASK)
        self.axes = Axes(
            _told_apart(rows.violates), _told_apart(rows.missing[moving]), _told_apart(rows.matches[moving])
        )
        self._walk = Walk(rows, self.axes)
        away = [
            np.abs(cuts.values - wanted)
            for cuts, wanted in zip(
                (self.axes.restriction, self.axes.missing, self.axes.match), self.prefer, strict=True
            )
        ]
        self._away = away[0], np.maximum(away[1][:, None], away[2])

    @property
    def strata(self) -> npt.NDArray[np.int8]:
        return self.rows.labels

    def right(self, weights: Weights) -> Right:
        """Which rows the combination chosen on each line of weights decides as labelled."""
        return np.stack([self._right(each) for each in weights])

    def chosen(self, weights: Weights) -> tuple[float, float, float]:
        """The best combination on these weights (one per row), of several the nearest to the preferred one."""
        top, level, plane = self._best(weights)
        assert plane is not None
        row, column = np.unravel_index(np.argmin(np.where(plane == top, self._away[1], np.inf)), plane.shape)
        cuts = self.axes.restriction.values[level], self.axes.missing.values[row], self.axes.match.values[column]
        return float(cuts[0]), float(cuts[1]), float(cuts[2])

    def _right(self, weights: Weights) -> Right:
        restriction, missing, match = self.chosen(weights)
        same: Right = decided(self.rows, restriction=restriction, missing=missing, match=match) == self.rows.labels
        return same

    def _best(self, weights: Weights) -> tuple[int, int, Plane | None]:
        """The value of the plane, the restriction's place and the plane of the chosen combination."""
        top, kept, nearest = -1, None, np.inf
        highest, level, value, distance = 0, 0, 0, np.inf
        for place, (fixed, plane, moved) in enumerate(self._walk.planes(weights)):
            if moved or not place:
                highest, distance = int(plane.max()), np.nan
            if fixed + highest < top:
                continue
            if np.isnan(distance):
                distance = float(self._away[1][plane == highest].min())
            away = max(float(self._away[0][place]), distance)
            if fixed + highest > top or away < nearest:
                kept = plane.copy()
                top, nearest, level, value = fixed + highest, away, place, highest
        return value, level, kept


def _told_apart(measured: Floats) -> Cuts:
    """One cut between each two neighbours, the first below all of them and the last at 1."""
    values = np.unique(measured)
    if len(values) >= MOST_CUTS:
        return Cuts.even()
    ends = np.unique(np.append(values, 1.0))
    begins = np.append(0.0, ends[:-1])
    middle = (begins + ends) / 2
    return Cuts.of(np.unique(np.where(middle > begins, middle, ends)))
