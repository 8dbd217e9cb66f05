"""Boxes on a grid give what deciding every case at every combination gives."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from policy.calibration.boxes import Case, identified, summed
from policy.calibration.cuts import Cuts
from tests.policy.calibration.drawn import VALUES

AXES = [Cuts.of([0.0, 0.29, 0.3, 0.93, 1.0]), Cuts.even(10), Cuts.of([0.5])]
TABLES = st.lists(st.tuples(*[st.lists(VALUES, max_size=3)] * 3, st.integers(0, 2**16)), max_size=6)


def case(a: list[float], b: list[float], c: list[float], seed: int) -> Case:
    """An arbitrary rule: any figure for any set of reached values."""

    def weigh(at: tuple[float, ...]) -> float:
        reached = tuple(tuple(value >= cut for value in values) for values, cut in zip((a, b, c), at, strict=True))
        return float(hash((seed, reached)) % 5 - 1)

    return Case((a, b, c), weigh)


@given(TABLES)
def test_the_sum_is_exact_at_every_combination(tables: list[tuple[list[float], list[float], list[float], int]]) -> None:
    drawn = [case(*table) for table in tables]
    found = summed(drawn, AXES)
    for place in np.ndindex(*found.shape):
        at = tuple(float(cuts.values[each]) for cuts, each in zip(AXES, place, strict=True))
        assert found[place] == sum(each.weigh(at) for each in drawn)


def test_a_threshold_without_effect_is_not_identified() -> None:
    found = summed([Case(([0.4], [0.7]), lambda at: float(at[1] <= 0.7))], [Cuts.even(10), Cuts.even(10)])
    assert not identified(found, 0)
    assert identified(found, 1)
