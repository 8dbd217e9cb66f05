"""The combinations that do best: how many, where, in how many pieces, and the one that lies deepest inside."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import ndimage

Mask = npt.NDArray[np.bool_]
Cell = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Region:
    """A set of cells of a grid, as places on each axis.

    `ranges` are projections, first and last place per axis: not every point within all of them belongs to the set.
    `deepest` is the cell of the largest piece that is furthest from the outside, `depth` its distance in cells.
    """

    size: int
    pieces: int
    ranges: tuple[tuple[int, int], ...]
    deepest: Cell
    depth: int


def region(inside: Mask, *, prefer: Cell) -> Region:
    """What there is to say about a set of cells; ties of depth go to the cell nearest to `prefer`.

    The edge of the grid is no outside: a threshold cannot leave [0, 1]. Raises `ValueError` for an empty set.
    """
    size = int(np.count_nonzero(inside))
    if not size:
        raise ValueError("an empty set of combinations has no region")
    whole = np.ones((3,) * inside.ndim, dtype=np.int8)
    pieces, found = ndimage.label(inside, structure=whole)
    largest = int(np.argmax(np.bincount(pieces.ravel())[1:])) + 1
    deepest, depth = _deepest(pieces == largest, prefer)
    return Region(size, int(found), tuple(_range(inside, axis) for axis in range(inside.ndim)), deepest, depth)


def best(values: npt.NDArray[np.generic]) -> Mask:
    """The cells that reach the maximum."""
    reached: Mask = values == values.max()
    return reached


def _range(inside: Mask, axis: int) -> tuple[int, int]:
    others = tuple(other for other in range(inside.ndim) if other != axis)
    places = np.flatnonzero(inside.any(axis=others))
    return int(places[0]), int(places[-1])


def _deepest(piece: Mask, prefer: Cell) -> tuple[Cell, int]:
    if piece.all():
        distance = np.ones(piece.shape, dtype=np.int32) * max(piece.shape)
    else:
        distance = ndimage.distance_transform_cdt(piece, metric="chessboard")
    cells = np.argwhere(distance == distance.max())
    nearest = cells[np.argmin(np.abs(cells - np.asarray(prefer)).max(axis=1))]
    return tuple(int(place) for place in nearest), int(distance.max())
