"""Any rule over any thresholds, exactly: the engine decides each case once per cell of that case's own values.

A decision on one case can change only where a threshold passes one of its measured values. Between them it holds for
a whole box of the grid, so each case adds a few boxes, and one cumulative sum gives the figure for every combination.
Caps and ties are the engine's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt

from policy.calibration.cuts import Cuts, Floats

Weigh = Callable[[tuple[float, ...]], float]


@dataclass(slots=True)
class Case:
    """One measured case: per axis the values that its threshold is compared with, and what it is worth at thresholds.

    `weigh` gets one threshold per axis and calls the engine: 1 and 0 for right and wrong, or any other figure. A
    comparison may be `value >= threshold` or `value < threshold`. It is called once per cell, when first needed;
    `known` holds the figures of all cells where they are there already.
    """

    values: tuple[Sequence[float], ...]
    weigh: Weigh
    known: Floats | None = None

    @property
    def points(self) -> list[Floats]:
        """Per axis the values that split it, rising; the interval up to a value holds the value."""
        return [np.unique(np.asarray(values, dtype=np.float64)) for values in self.values]

    @property
    def worth(self) -> Floats:
        """What the case is worth in each of its cells."""
        if self.known is None:
            ends = [_ends(points) for points in self.points]
            figures = [self.weigh(tuple(map(float, at))) for at in product(*ends)]
            self.known = np.array(figures, dtype=np.float64).reshape([len(axis) for axis in ends])
        return self.known

    def on(self, axes: Sequence[Cuts]) -> Floats:
        """What the case is worth at every combination of the axes."""
        places = [np.searchsorted(points, cuts.values) for points, cuts in zip(self.points, axes, strict=True)]
        grid: Floats = self.worth[np.ix_(*places)]
        return grid

    def at(self, thresholds: Sequence[float]) -> float:
        """What the case is worth at one combination, by its own cells."""
        places = tuple(
            int(np.searchsorted(points, value)) for points, value in zip(self.points, thresholds, strict=True)
        )
        return float(self.worth[places])

    def along(self, axis: int, at: Sequence[float]) -> Case:
        """The same case as one threshold sees it, the others at the values given."""
        places: list[int | slice] = [
            int(np.searchsorted(points, value)) for points, value in zip(self.points, at, strict=True)
        ]
        places[axis] = slice(None)
        fixed = tuple(at)

        def weigh(one: tuple[float, ...]) -> float:
            return self.weigh((*fixed[:axis], one[0], *fixed[axis + 1 :]))

        return Case((self.values[axis],), weigh, self.worth[tuple(places)])


def summed(cases: Iterable[Case], axes: Sequence[Cuts]) -> Floats:
    """The sum of what all cases are worth, for every combination of the axes."""
    edges = np.zeros(tuple(len(cuts) + 1 for cuts in axes))
    for case in cases:
        steps = case.worth
        for axis in range(steps.ndim):
            steps = np.diff(steps, axis=axis, prepend=0.0)
        starts = [_starts(points, cuts) for points, cuts in zip(case.points, axes, strict=True)]
        np.add.at(edges, np.ix_(*starts), steps)
    for axis in range(edges.ndim):
        np.cumsum(edges, axis=axis, out=edges)
    whole: Floats = edges[tuple(slice(-1) for _ in axes)]
    return whole


def identified(figures: npt.NDArray[np.generic], axis: int) -> bool:
    """Whether moving this threshold changes the figure anywhere; if not, this set says nothing about it."""
    return bool(np.any(figures != np.take(figures, [0], axis=axis)))


def _ends(points: Floats) -> Floats:
    """A threshold of each interval: its upper end."""
    return points if len(points) and points[-1] >= 1.0 else np.append(points, 1.0)


def _starts(points: Floats, cuts: Cuts) -> npt.NDArray[np.int64]:
    """The place of the first cut in each interval, or of the first one after it."""
    return np.append(0, cuts.reached(points))[: len(_ends(points))].astype(np.int64)
