"""Small tables of right and wrong, case by combination: what separates, and what holds on unseen cases.

For the kinds that the engine decides case by case (selection, skills, routes) as `sweep` is for assessments.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product

import numpy as np
import numpy.typing as npt

from policy.calibration.boxes import Case
from policy.calibration.cuts import Cuts, Floats
from policy.calibration.region import best, region
from policy.calibration.separation import LEVEL, Separation
from policy.calibration.unseen import Right, Weights

# As many combinations as a thousand resamples of a few hundred cases can be chosen from within seconds.
MOST_CUTS = {1: 1_024, 2: 101, 3: 26}


def table(cases: Sequence[Case], axes: Sequence[Cuts]) -> Right:
    """Per case whether each combination decides it as labelled: an axis for cases, then one per threshold."""
    return np.stack([case.on(axes) > 0.5 for case in cases])


def coarse(cases: Sequence[Case], names: int) -> list[Cuts]:
    """Axes for resampling: the break-points where they are few, even steps else."""
    most = MOST_CUTS[names]
    found = [Cuts.between(np.concatenate([np.asarray(case.values[axis]) for case in cases])) for axis in range(names)]
    return [cuts if len(cuts) <= most else Cuts.even(min(most - 1, 100)) for cuts in found]


@dataclass(slots=True)
class TableChoice:
    """Choosing the best combination of a table on weighted cases, of several the nearest to the preferred one."""

    right_at: Right
    axes: Sequence[Cuts]
    prefer: Sequence[float]
    groups: npt.NDArray[np.int8]
    _flat: npt.NDArray[np.float32] = field(init=False)
    _away: Floats = field(init=False)

    def __post_init__(self) -> None:
        self._flat = self.right_at.reshape(len(self.right_at), -1).astype(np.float32)
        away = [np.abs(cuts.values - wanted) for cuts, wanted in zip(self.axes, self.prefer, strict=True)]
        self._away = np.array([max(cell) for cell in product(*away)])

    @property
    def strata(self) -> npt.NDArray[np.int8]:
        return self.groups

    def right(self, weights: Weights) -> Right:
        agreed = np.rint(weights.astype(np.float32) @ self._flat)
        top = agreed == agreed.max(axis=1, keepdims=True)
        chosen = np.argmin(np.where(top, self._away, np.inf), axis=1)
        decided: Right = self._flat[:, chosen].T > 0.5
        return decided


def separate_table(right_at: Right, cuts: Cuts, *, prefer: float, level: float = LEVEL) -> Separation:
    """The range of one threshold that these cases do not separate from the best one: rows cases, columns cuts."""
    from scipy import stats

    agreed = right_at.sum(axis=0)
    near = int(np.argmin(np.abs(cuts.values - prefer)))
    chosen = near if np.ptp(agreed) == 0 else region(best(agreed), prefer=(near,)).deepest[0]
    reference = right_at[:, chosen, None]
    wins, losses = (reference & ~right_at).sum(axis=0), (~reference & right_at).sum(axis=0)
    kept = np.flatnonzero(stats.binom.sf(wins - 1, wins + losses, 0.5) > level)
    return Separation(float(cuts.values[chosen]), float(cuts.values[kept[0]]), float(cuts.values[kept[-1]]))


def table_sides(right_at: Right, cuts: Cuts) -> tuple[Floats, Floats]:
    """Where cases turn wrong as the threshold rises, and where others turn right: the two sides of the threshold."""
    falls, rises = right_at[:, 0] & ~right_at[:, -1], ~right_at[:, 0] & right_at[:, -1]
    last_right = right_at.shape[1] - 1 - np.argmax(right_at[:, ::-1], axis=1)
    last_wrong = right_at.shape[1] - 1 - np.argmax(~right_at[:, ::-1], axis=1)
    return cuts.values[last_right[falls]], cuts.values[last_wrong[rises]]
