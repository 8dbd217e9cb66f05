"""Rows for the tests of calibration: drawn by hypothesis or by a seed, with values that rounding gets wrong."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from policy.calibration.sweep import Rows

# Published with two decimals, these come out of a sum a hair below or above them.
AWKWARD = (0.9299999999999999, 0.29, 0.30000000000000004, 0.57, 0.5800000000000001, 0.07, 0.0, 1.0)
VALUES = st.integers(0, 100).map(lambda places: places / 100) | st.sampled_from(AWKWARD) | st.floats(0, 1)
ROW = st.tuples(VALUES, VALUES, VALUES, st.integers(0, 3))


def rows_of(drawn: list[tuple[float, float, float, int]]) -> Rows:
    violates, missing, matches = (np.array([row[place] for row in drawn], dtype=np.float64) for place in range(3))
    return Rows(violates, missing, matches, np.array([row[3] for row in drawn], dtype=np.int8))


ROWS = st.lists(ROW, min_size=1, max_size=40).map(rows_of)


def seeded(n: int, seed: int = 3, *, labels: int = 3, decimals: int = 2) -> Rows:
    rng = np.random.default_rng(seed)
    violates, missing, matches = np.round(rng.random((3, n)), decimals)
    return Rows(violates, missing, matches, rng.integers(0, labels, n).astype(np.int8))


def informed(n: int, seed: int = 3, *, sharp: float = 6) -> Rows:
    """Rows whose three values have something to do with their label."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 3, n).astype(np.int8)
    high, low = rng.beta(sharp, 2, (3, n)), rng.beta(2, sharp, (3, n))
    violates = np.where(labels == 0, high[0], low[0])
    missing = np.where(labels == 1, high[1], low[1])
    matches = np.where(labels == 2, high[2], np.where(rng.random(n) < 0.5, high[2], low[2]))
    return Rows(np.round(violates, 2), np.round(missing, 2), np.round(matches, 2), labels)
