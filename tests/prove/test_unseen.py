"""Agreement on unseen cases: the out-of-bag interval covers it; the one on the same rows does not."""

from __future__ import annotations

import numpy as np

from policy.calibration.choosing import AssessmentChoice
from policy.calibration.intervals import wilson
from policy.calibration.unseen import OneThreshold, unseen
from tests.prove.figures import at_least, at_most, draws
from tests.prove.shapes import EQUAL, SCORES, rows
from tests.prove.triples import TRIPLES

DEFAULTS = (0.5, 0.5, 0.35)


def test_one_threshold_is_covered_in_every_shape() -> None:
    number = draws(1_000)
    for place, (shape, n) in enumerate((shape, n) for shape in EQUAL for n in (50, 120, 400)):
        rng, hits = np.random.default_rng(place), 0
        for _ in range(number):
            scores, bad = rows(shape.counts(n, rng))
            problem = OneThreshold(scores, bad, SCORES, 0.5)
            found = unseen(problem, draws=400, seed=int(rng.integers(2**31)))
            cut = problem.chosen(np.ones((1, n), dtype=np.int64))[0]
            hits += found.low <= 1 - shape.costs[round(cut * 100)] <= found.high
        at_least(f"out-of-bag interval covers: {shape.name}, n = {n}", hits, number, 0.92)


def test_three_thresholds_are_covered_and_the_same_rows_flatter() -> None:
    number, flattered, tried = draws(100), 0, 0
    for place, (population, n) in enumerate((each, n) for each in TRIPLES for n in (120, 400)):
        rng, hits = np.random.default_rng(place), 0
        for _ in range(number):
            sample = population.drawn(n, rng)
            problem = AssessmentChoice(sample, DEFAULTS)
            found = unseen(problem, draws=150, seed=int(rng.integers(2**31)))
            at = problem.chosen(np.ones(n, dtype=np.int64))
            true = float(population.at(*(np.array([cut]) for cut in at))[0, 0, 0])
            hits += found.low <= true <= found.high
            low, high = wilson(found.in_sample, n)
            flattered, tried = flattered + (low <= true <= high), tried + 1
        at_least(f"out-of-bag interval covers: three thresholds, {population.name}, n = {n}", hits, number, 0.92)
    at_most("naive interval on the rows that chose three thresholds", flattered, tried, 0.88)
