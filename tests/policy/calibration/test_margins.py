"""A margin is the smallest move of all three thresholds that flips a case."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from policy.calibration.margins import margins
from policy.calibration.sweep import Rows, decided
from tests.policy.calibration.drawn import ROWS, seeded

HAIR = 1e-9


def flips(rows: Rows, row: int, at: tuple[float, float, float], move: float) -> bool:
    """Whether some move of each threshold by at most so much changes the decision; the corners and 0 are enough."""
    one = rows.taken(np.array([row]))
    before = decided(one, restriction=at[0], missing=at[1], match=at[2])[0]
    steps = np.clip(np.array(np.meshgrid(*[[cut - move, cut, cut + move] for cut in at])).reshape(3, -1).T, 0, 1)
    return any(decided(one, restriction=r, missing=m, match=t)[0] != before for r, m, t in steps)


@given(ROWS, st.tuples(*[st.floats(0, 1)] * 3))
def test_no_smaller_move_flips_and_this_one_does(rows: Rows, at: tuple[float, float, float]) -> None:
    found = margins(rows, restriction=at[0], missing=at[1], match=at[2])
    for row, margin in enumerate(found):
        if np.isinf(margin):
            assert not flips(rows, row, at, 1.0)
        else:
            assert flips(rows, row, at, margin + HAIR)
            assert margin <= HAIR or not flips(rows, row, at, margin - HAIR)


def test_a_call_that_certainly_violates_is_denied_at_every_threshold() -> None:
    rows = Rows(np.array([1.0]), np.array([0.2]), np.array([0.9]), np.array([0], dtype=np.int8))
    assert np.isinf(margins(rows, restriction=0.5, missing=0.5, match=0.35))[0]


def test_an_ask_by_both_questions_needs_both_to_move() -> None:
    rows = Rows(np.array([0.1]), np.array([0.6]), np.array([0.2]), np.array([1], dtype=np.int8))
    assert margins(rows, restriction=0.9, missing=0.5, match=0.35)[0] == np.float64(0.35) - 0.2


def test_margins_of_a_whole_set_are_never_negative() -> None:
    assert margins(seeded(500), restriction=0.5, missing=0.5, match=0.35).min() >= 0
