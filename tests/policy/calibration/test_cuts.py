"""Which cuts a value reaches: compared as floats, never as rounded numbers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy.calibration.cuts import Cuts
from tests.policy.calibration.drawn import AWKWARD, VALUES


@given(st.lists(VALUES, min_size=1, max_size=50), st.sampled_from([19, 20, 100, 1000]))
def test_a_value_reaches_the_cuts_that_it_is_not_below(values: list[float], steps: int) -> None:
    cuts, measured = Cuts.even(steps), np.array(values)
    assert cuts.reached(measured).tolist() == [int((value >= cuts.values).sum()) for value in measured]


@pytest.mark.parametrize("value", AWKWARD)
def test_awkward_values_are_placed_as_the_comparison_places_them(value: float) -> None:
    cuts = Cuts.even()
    assert cuts.reached(np.array([value]))[0] == sum(value >= cut / 100 for cut in range(101))


@given(st.lists(VALUES, min_size=1, max_size=20), st.floats(0, 1))
def test_every_threshold_decides_as_one_of_the_break_points(values: list[float], threshold: float) -> None:
    measured = np.array(values)
    cuts = Cuts.between(measured)
    assert any(np.array_equal(measured >= threshold, measured >= cut) for cut in cuts.values)


@pytest.mark.parametrize("values", [[], [0.5, 0.5], [0.5, 0.4], [-0.1], [0.5, 1.1], [[0.1]]])
def test_a_grid_must_rise_within_its_bounds(values: list[float]) -> None:
    with pytest.raises(ValueError, match="rise"):
        Cuts.of(values)
