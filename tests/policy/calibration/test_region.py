"""Regions: pieces, projections, the deepest cell."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from policy.calibration.region import best, region


def test_the_deepest_cell_is_in_the_largest_piece() -> None:
    inside = np.zeros((20, 20), dtype=bool)
    inside[1:6, 1:6] = inside[10:19, 9:20] = True
    found = region(inside, prefer=(0, 0))
    assert (found.size, found.pieces, found.deepest) == (124, 2, (14, 13))
    assert found.ranges == ((1, 18), (1, 19))


def test_cells_that_touch_at_a_corner_are_one_piece() -> None:
    assert region(np.eye(4, dtype=bool), prefer=(0, 0)).pieces == 1


def test_a_plateau_at_the_edge_has_its_middle_inside() -> None:
    inside = np.zeros(101, dtype=bool)
    inside[80:] = True
    assert region(inside, prefer=(50,)).deepest == (90,)


def test_an_axis_that_decides_nothing_keeps_its_preferred_value() -> None:
    inside = np.zeros((101, 101), dtype=bool)
    inside[30:51] = True
    assert region(inside, prefer=(50, 35)).deepest == (40, 35)


def test_an_empty_set_has_no_region() -> None:
    with pytest.raises(ValueError, match="empty"):
        region(np.zeros((3, 3), dtype=bool), prefer=(0, 0))


@given(arrays.arrays(np.int8, (5, 6, 4), elements=st.integers(0, 2)), st.tuples(*[st.integers(0, 3)] * 3))
def test_the_deepest_cell_is_as_far_from_the_outside_as_it_says(values: np.ndarray, prefer: tuple[int, ...]) -> None:
    inside = best(values)
    found = region(inside, prefer=prefer)
    assert inside[found.deepest]
    outside = np.argwhere(~inside)
    if len(outside):
        assert found.depth <= np.abs(outside - np.array(found.deepest)).max(axis=1).min()
