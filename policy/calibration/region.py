"""The combinations that do best: how many, where, in how many pieces, and the one that lies deepest inside."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

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


def region(inside: Mask, *, prefer: Cell, crossed: tuple[bool, ...] | None = None) -> Region:
    """What there is to say about a set of cells; ties of depth go to the cell nearest to `prefer`.

    The edge of the grid is outside, so that the deepest cell of a set that ends there is its middle. Only an axis that
    the piece crosses from end to end has none: there every place does equally well. `crossed` names these axes where
    `inside` is a part of a larger grid. Raises `ValueError` for an empty set.
    """
    from scipy import ndimage

    size = int(np.count_nonzero(inside))
    if not size:
        raise ValueError("an empty set of combinations has no region")
    whole = np.ones((3,) * inside.ndim, dtype=np.int8)
    pieces, found = ndimage.label(inside, structure=whole)
    piece = pieces == int(np.argmax(np.bincount(pieces.ravel())[1:])) + 1
    ends = tuple(_range(piece, axis) == (0, side - 1) for axis, side in enumerate(inside.shape))
    through = ends if crossed is None else tuple(map(all, zip(ends, crossed, strict=True)))
    deepest, depth = _deepest(piece, prefer, through)
    return Region(size, int(found), tuple(_range(inside, axis) for axis in range(inside.ndim)), deepest, depth)


def best(values: npt.NDArray[np.generic]) -> Mask:
    """The cells that reach the maximum."""
    reached: Mask = values == values.max()
    return reached


def _range(inside: Mask, axis: int) -> tuple[int, int]:
    others = tuple(other for other in range(inside.ndim) if other != axis)
    places = np.flatnonzero(inside.any(axis=others))
    return int(places[0]), int(places[-1])


def _deepest(piece: Mask, prefer: Cell, through: tuple[bool, ...]) -> tuple[Cell, int]:
    from scipy import ndimage

    edges = [(0, 0) if free else (1, 1) for free in through]
    padded = np.pad(piece, edges)
    if padded.all():
        distance = np.full(piece.shape, max(piece.shape), dtype=np.int32)
    else:
        inner = tuple(slice(low, side - high) for (low, high), side in zip(edges, padded.shape, strict=True))
        distance = ndimage.distance_transform_cdt(padded, metric="chessboard")[inner]
    cells = np.argwhere(distance == distance.max())
    away = np.abs(cells - np.asarray(prefer))
    nearest = cells[np.lexsort((away.sum(axis=1), away.max(axis=1)))[0]]
    return tuple(int(place) for place in nearest), int(distance.max())
