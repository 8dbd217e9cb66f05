"""All three thresholds at once: the near-best set holds a best combination of the population."""

from __future__ import annotations

import numpy as np

from policy.calibration.near import JOINT_LEVEL, near_best
from policy.calibration.region import best, region
from policy.calibration.sweep import Axes, agreement
from tests.prove.figures import at_least, at_most, draws
from tests.prove.triples import TRIPLES

AXES = Axes.even()
FULL = 400


def kept(level: float, number: int, n: int) -> int:
    """In how many draws of all three populations a best combination is kept."""
    hits = 0
    for place, population in enumerate(TRIPLES):
        rng = np.random.default_rng(place + n)
        optimal = population.agreement >= population.agreement.max() - 1e-12
        for _ in range(number):
            rows = population.drawn(n, rng)
            agreed = agreement(rows, AXES)
            chosen = region(best(agreed), prefer=(50, 50, 35)).deepest
            hits += bool(near_best(rows, AXES, chosen, level=level, agreed=agreed)[optimal].any())
    return hits


def test_it_is_kept_at_the_level_that_pays_for_choosing_among_a_million() -> None:
    for n in (120, 400):
        number = draws(FULL // 2)
        at_least(f"near-best set holds the optimum, n = {n}", kept(JOINT_LEVEL, number, n), 3 * number, 0.95)


def test_the_level_of_a_single_threshold_is_too_bold_for_three() -> None:
    number = draws(FULL // 2)
    at_most("naive near-best set at level .05, n = 400", kept(0.05, number, 400), 3 * number, 0.90)
