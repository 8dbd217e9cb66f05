"""The range that a sample cannot separate holds the population's optimum; the usual bootstrap does not."""

from __future__ import annotations

import numpy as np

from policy.calibration.cuts import Cuts
from policy.calibration.held import THRESHOLDS, held
from policy.calibration.region import Cell, best, region
from policy.calibration.separation import separate
from policy.calibration.sweep import Axes, Rows, agreement
from tests.prove.figures import at_least, at_most, draws, told
from tests.prove.shapes import DEAR, EQUAL, ODD, SCORES, Counts, Shape
from tests.prove.triples import TRIPLES, Triple

CUTS = Cuts.even()
FULL = 2_000
SETTINGS = [*((shape, n) for shape in (*EQUAL, *DEAR) for n in (120, 400)), *((shape, 200) for shape in ODD)]
NARROW = {"sharp": 0.20, "medium": 0.22}


def test_it_meets_the_optimal_interval_in_every_shape() -> None:
    number, met = draws(FULL), 0
    for place, (shape, n) in enumerate(SETTINGS):
        rng = np.random.default_rng(place)
        found = [separate(shape.axis(shape.counts(n, rng)), CUTS, prefer=0.5) for _ in range(number)]
        low, high = shape.optimal
        hits = sum(each.first <= high and each.last >= low for each in found)
        met += hits
        width = float(np.median([each.width for each in found]))
        at_least(f"range meets the optimum: {shape.name}, n = {n}, median width {width:.2f}", hits, number, 0.93)
        if n == 400 and shape.name in NARROW:
            told(f"median width: {shape.name}, n = 400", width, "<=", NARROW[shape.name])
            assert width <= NARROW[shape.name]
    at_least("range meets the optimum: all shapes pooled", met, number * len(SETTINGS), 0.95)


def test_it_holds_for_each_threshold_of_three_with_the_others_where_they_were_chosen() -> None:
    number, axes = draws(200), Axes.even()
    for place, (population, n) in enumerate((each, n) for each in TRIPLES for n in (120, 400)):
        rng, hits = np.random.default_rng(place), 0
        for _ in range(number):
            sample = population.drawn(n, rng)
            cell = region(best(agreement(sample, axes)), prefer=(50, 50, 35)).deepest
            hits += sum(holds(population, sample, cell, axis) for axis in range(3))
        at_least(f"range meets the optimum: one of three, {population.name}, n = {n}", hits, 3 * number, 0.93)


def holds(population: Triple, sample: Rows, cell: Cell, axis: int) -> bool:
    """Whether the range of one threshold meets the population's optimum, the other two held."""
    r, m, t = (float(SCORES[at]) for at in cell)
    found = separate(held(sample, THRESHOLDS[axis], restriction=r, missing=m, match=t), CUTS, prefer=0.5)
    places: list[int | slice] = list(cell)
    places[axis] = slice(None)
    line = population.agreement[tuple(places)]
    optimal = SCORES[line >= line.max() - 1e-12]
    return bool(found.first <= optimal[-1] and found.last >= optimal[0])


def test_the_percentile_bootstrap_of_the_best_cut_misses_it_where_mistakes_are_dear() -> None:
    number = draws(400)
    for shape, bar in ((DEAR[0], 0.86), (DEAR[2], 0.66)):
        rng = np.random.default_rng(17)
        hits = 0
        for _ in range(number):
            low, high = naive(shape, shape.counts(120, rng), rng)
            hits += low <= shape.optimal[1] and high >= shape.optimal[0]
        at_most(f"naive percentile bootstrap of the best cut: {shape.name}, n = 120", hits, number, bar)


def naive(shape: Shape, counts: Counts, rng: np.random.Generator) -> tuple[float, float]:
    """The middle of the best cuts of 1,000 resamples, its 2.5 and 97.5 % points."""
    n = int(counts.sum())
    drawn = rng.multinomial(n, counts.ravel() / n, size=1_000).reshape(-1, 2, 101)
    unsafe, safe = drawn[:, 0], drawn[:, 1]
    costs = shape.price * (unsafe.cumsum(axis=1) - unsafe) + safe[:, ::-1].cumsum(axis=1)[:, ::-1]
    best = costs == costs.min(axis=1, keepdims=True)
    middle = (SCORES[np.argmax(best, axis=1)] + SCORES[100 - np.argmax(best[:, ::-1], axis=1)]) / 2
    low, high = np.quantile(middle, [0.025, 0.975])
    return float(low), float(high)
