"""Any rule over any thresholds, exactly: the engine decides each case once per cell of that case's own values.

A decision on one case can change only where a threshold passes one of its measured values. Between them it holds for
a whole box of the grid, so each case adds a few boxes, and one cumulative sum gives the figure for every combination.
Caps and ties are the engine's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise, product

import numpy as np
import numpy.typing as npt

from policy.calibration.cuts import Cuts, Floats

Weigh = Callable[[tuple[float, ...]], float]


@dataclass(frozen=True, slots=True)
class Case:
    """One measured case: per axis the values that its threshold is compared with, and what it is worth at thresholds.

    `weigh` gets one threshold per axis and calls the engine: 1 and 0 for right and wrong, or any other figure. A
    comparison may be `value >= threshold` or `value < threshold`.
    """

    values: tuple[Sequence[float], ...]
    weigh: Weigh


def summed(cases: Iterable[Case], axes: Sequence[Cuts]) -> Floats:
    """The sum of what all cases are worth, for every combination of the axes."""
    edges = np.zeros(tuple(len(cuts) + 1 for cuts in axes))
    for case in cases:
        spans = [_spans(values, cuts) for values, cuts in zip(case.values, axes, strict=True)]
        for cell in product(*spans):
            thresholds = tuple(float(cuts.values[low]) for cuts, (low, _) in zip(axes, cell, strict=True))
            if worth := case.weigh(thresholds):
                _add(edges, cell, worth)
    for axis in range(edges.ndim):
        np.cumsum(edges, axis=axis, out=edges)
    whole: Floats = edges[tuple(slice(-1) for _ in axes)]
    return whole


def identified(figures: npt.NDArray[np.generic], axis: int) -> bool:
    """Whether moving this threshold changes the figure anywhere; if not, this set says nothing about it."""
    return bool(np.any(figures != np.take(figures, [0], axis=axis)))


def _spans(values: Sequence[float], cuts: Cuts) -> list[tuple[int, int]]:
    """The places of the cuts that treat these values alike: from the first place to before the last."""
    reached = cuts.reached(np.unique(np.asarray(values, dtype=np.float64)))
    ends = [0, *reached.tolist(), len(cuts)]
    return [(low, high) for low, high in pairwise(ends) if low < high]


def _add(edges: Floats, cell: tuple[tuple[int, int], ...], worth: float) -> None:
    for corner in product((0, 1), repeat=len(cell)):
        place = tuple(span[side] for span, side in zip(cell, corner, strict=True))
        edges[place] += -worth if sum(corner) % 2 else worth
