"""Combinations plane by plane: for small resamples, and for axes with more cuts than memory has room for.

One plane of missingInformation by taskMatch is kept. The restriction cut walks upwards: a row that falls below it
is no longer denied and adds its weight to the quadrant in which it is allowed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from policy.calibration.cuts import Cuts
from policy.calibration.region import Cell, Mask, Region, region
from policy.calibration.sweep import ALLOW, ASK, DENY, Axes, Rows

Plane = npt.NDArray[np.int32]
Weights = npt.NDArray[np.int64]

DENSE_CELLS = 101**3 * 8
MOST_CUTS = 1_001
# From so many rows a level on, a histogram of the plane is cheaper than a quadrant per row.
BY_ROW = 24


@dataclass(slots=True)
class Walk:
    """Rows of an assessment by the place at which the restriction cut lets go of them."""

    rows: Rows
    axes: Axes
    _violates: npt.NDArray[np.int32] = field(init=False)
    _missing: npt.NDArray[np.int32] = field(init=False)
    _matches: npt.NDArray[np.int32] = field(init=False)
    _levels: tuple[list[int], ...] = field(init=False)

    def __post_init__(self) -> None:
        rows, axes = self.rows, self.axes
        self._violates = axes.restriction.reached(rows.violates)
        self._missing = axes.missing.reached(rows.missing)
        self._matches = axes.match.reached(rows.matches)
        moving = np.flatnonzero((rows.labels == ALLOW) | (rows.labels == ASK))
        order = moving[np.argsort(self._violates[moving], kind="stable")]
        bounds = np.searchsorted(self._violates[order], np.arange(axes.shape[0] + 1))
        self._levels = tuple(order[low:high].tolist() for low, high in pairwise(bounds))

    def planes(self, weights: Weights) -> Iterator[tuple[int, Plane, bool]]:
        """Per restriction cut: agreement that no other cut changes, the rest as a plane, whether the plane moved.

        The plane is the same array every time: read it before going on.
        """
        labels, sizes = self.rows.labels, self.axes.shape
        plane = np.zeros(sizes[1:], dtype=np.int32)
        gains = weights * (labels == ALLOW) - weights * (labels == ASK)
        signed = gains.tolist()
        stopped = weights * (labels == DENY) - weights * (labels == ASK)
        held = np.bincount(self._violates, weights=stopped, minlength=sizes[0] + 1)[::-1].cumsum()[::-1][1:]
        fixed = (held + (weights * (labels == ASK)).sum()).astype(np.int64).tolist()
        missing, matches = self._missing.tolist(), self._matches.tolist()
        for place, level in enumerate(self._levels):
            rows = [row for row in level if signed[row]]
            if len(rows) > BY_ROW:
                self._add_together(plane, rows, gains)
            else:
                for row in rows:
                    plane[missing[row] :, : matches[row]] += signed[row]
            yield fixed[place], plane, bool(rows)

    def _add_together(self, plane: Plane, rows: list[int], gains: Weights) -> None:
        height, width = plane.shape
        flat = self._missing[rows] * np.int64(width + 1) + self._matches[rows]
        histogram = np.bincount(flat, weights=gains[rows], minlength=(height + 1) * (width + 1))
        counted = histogram.astype(np.int32).reshape(height + 1, width + 1)[:-1]
        backwards = counted.cumsum(axis=0, dtype=np.int32)[:, ::-1].cumsum(axis=1, dtype=np.int32)
        plane += backwards[:, ::-1][:, 1:]


@dataclass(frozen=True, slots=True)
class Best:
    """The best agreement on all combinations of the axes, and where it is reached.

    `region` is None where the box around the best combinations is too large to look at; `first` is one of them.
    """

    axes: Axes
    agreed: int
    combinations: int
    ranges: tuple[tuple[int, int], ...]
    first: Cell
    region: Region | None


def fine_axes(rows: Rows, most: int = MOST_CUTS) -> Axes:
    """All break-points where they are few enough, all thresholds with three decimals elsewhere."""
    return Axes(*(_fine(values, most) for values in (rows.violates, rows.missing, rows.matches)))


def best(rows: Rows, axes: Axes, *, prefer: Cell) -> Best:
    """Every combination of the axes, exactly, in memory for a plane of them and for the box of the best ones."""
    walk, weights = Walk(rows, axes), np.ones(len(rows), dtype=np.int64)
    top, found = -1, list[tuple[int, int, int, int, int]]()
    count, last = 0, (0, 0, 0, 0, 0)
    highest = 0
    for place, (fixed, plane, moved) in enumerate(walk.planes(weights)):
        if moved or not place:
            highest = int(plane.max())
            last = _extent(plane == highest)
        if fixed + highest > top:
            top, found, count = fixed + highest, [], 0
        if fixed + highest == top:
            count += last[0]
            found.append((place, *last[1:]))
    ends = np.array(found)
    ranges = (
        (int(ends[0, 0]), int(ends[-1, 0])),
        (int(ends[:, 1].min()), int(ends[:, 2].max())),
        (int(ends[:, 3].min()), int(ends[:, 4].max())),
    )
    inside = _inside(walk, weights, top, ranges)
    first = (ranges[0][0], *_first(walk, weights, top, ranges[0][0]))
    whole = None if inside is None else _placed(inside, axes, ranges, prefer)
    return Best(axes, top, count, ranges, first, whole)


def _fine(values: npt.NDArray[np.float64], most: int) -> Cuts:
    cuts = Cuts.between(values)
    return cuts if len(cuts) <= most else Cuts.even(1_000)


def _extent(mask: Mask) -> tuple[int, int, int, int, int]:
    """How many cells, and their first and last place on both axes."""
    down, across = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return int(np.count_nonzero(mask)), int(down[0]), int(down[-1]), int(across[0]), int(across[-1])


def _inside(walk: Walk, weights: Weights, top: int, ranges: tuple[tuple[int, int], ...]) -> Mask | None:
    """The box around the best combinations, marked; None where it is too large."""
    sides = tuple(last - first + 1 for first, last in ranges)
    if math.prod(sides) > DENSE_CELLS:
        return None
    box = np.zeros(sides, dtype=np.bool_)
    (low, high), (down, bottom), (left, right) = ranges
    for place, (fixed, plane, _) in enumerate(walk.planes(weights)):
        if low <= place <= high:
            box[place - low] = plane[down : bottom + 1, left : right + 1] == top - fixed
    return box


def _first(walk: Walk, weights: Weights, top: int, level: int) -> tuple[int, int]:
    for place, (fixed, plane, _) in enumerate(walk.planes(weights)):
        if place == level:
            row, column = np.argwhere(plane == top - fixed)[0]
            return int(row), int(column)
    raise AssertionError("the level was found on the first walk")


def _placed(inside: Mask, axes: Axes, ranges: tuple[tuple[int, int], ...], prefer: Cell) -> Region:
    """The region of the box, with its places counted on the whole axes."""
    begin = tuple(first for first, _ in ranges)
    crossed = tuple(side == size for side, size in zip(inside.shape, axes.shape, strict=True))
    within = region(inside, prefer=tuple(at - low for at, low in zip(prefer, begin, strict=True)), crossed=crossed)
    return Region(
        size=within.size,
        pieces=within.pieces,
        ranges=ranges,
        deepest=tuple(at + low for at, low in zip(within.deepest, begin, strict=True)),
        depth=within.depth,
    )
