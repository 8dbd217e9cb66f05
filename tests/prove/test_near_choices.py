"""Selections, skills and model routes: the near-best set holds a best combination of the population."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from policy.calibration.boxes import summed
from policy.calibration.cuts import Cuts
from policy.calibration.near import level_of, near_best_cases
from policy.calibration.region import best, region
from tests.prove.choices import POPULATIONS, Population
from tests.prove.figures import at_least, at_most, draws

CUTS = Cuts.even()
FULL = 200
NAIVE = 0.05


def kept(population: Population, n: int, number: int, levels: Sequence[float], seed: int) -> list[int]:
    """In how many draws a best combination of the population is kept, at each of the levels."""
    rng, hits = np.random.default_rng(seed), [0] * len(levels)
    whole = population.agreement
    optimal = whole >= whole.max() - 1e-12
    axes = [CUTS] * whole.ndim
    for _ in range(number):
        drawn = population.drawn(n, rng)
        agreed = np.rint(summed(drawn, axes))
        chosen = region(best(agreed), prefer=(50,) * whole.ndim).deepest
        for place, level in enumerate(levels):
            hits[place] += bool(near_best_cases(drawn, axes, chosen, level=level, agreed=agreed)[optimal].any())
    return hits


def test_it_is_kept_for_every_kind_and_the_level_of_one_threshold_is_too_bold_for_several() -> None:
    number, naive, joint, met = draws(FULL), 0, 0, 0
    for place, population in enumerate(POPULATIONS):
        names = len(population.thresholds)
        for n in (120, 400):
            ours, bold = kept(population, n, number, (level_of(names), NAIVE), place)
            met += ours
            at_least(f"near-best set holds the optimum: {population.name}, n = {n}", ours, number, 0.93)
            if names == 3:
                naive, joint = naive + bold, joint + number
    at_least("near-best set holds the optimum: all kinds pooled", met, 2 * number * len(POPULATIONS), 0.95)
    at_most("naive near-best set of skills at level .05", naive, joint, 0.90)
