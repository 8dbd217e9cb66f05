"""Tokens, time and cost have heavy tails: betting on clipped log ratios holds, an asymptotic sequence does not."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from arena.evidence.statistics.betting import Floats
from arena.evidence.statistics.pairs import CaseRecord, Pair, log_ratios
from arena.evidence.statistics.totals import fieller
from tests.prove import paired
from tests.prove.figures import at_least, at_most, draws

FULL = 2_000
PAIRS = 200
Shape = Callable[[np.random.Generator, tuple[int, int]], Floats]


def even(rng: np.random.Generator, size: tuple[int, int]) -> Floats:
    return rng.normal(0, 0.6, size)


def heavy(rng: np.random.Generator, size: tuple[int, int]) -> Floats:
    return 0.3 * rng.standard_t(2.5, size)


def rarely_dear(rng: np.random.Generator, size: tuple[int, int]) -> Floats:
    """B is cheaper in nine cases of ten and six times as dear in one, so that the logs have a mean of 0."""
    dear = rng.random(size) < 0.1
    return np.where(dear, math.log(6), -math.log(6) / 9) + rng.normal(0, 0.15, size)


@pytest.mark.parametrize("shape", [even, heavy, rarely_dear])
def test_the_true_ratio_is_ruled_out_rarely(shape: Shape) -> None:
    number = draws(FULL)
    truth = float(clipped(shape(np.random.default_rng(0), (2_000, 1_000))).mean())
    values = clipped(shape(np.random.default_rng(1), (number, PAIRS)))
    false = paired.ever(paired.of_means(values, truth))
    at_most(f"true ratio ever ruled out, 200 looks: {shape.__name__}", false, number, 0.05)


def test_an_asymptotic_sequence_is_no_evidence() -> None:
    number = draws(FULL)
    values = rarely_dear(np.random.default_rng(2), (number, PAIRS))
    looks = np.arange(1, PAIRS + 1)
    means = values.cumsum(axis=1) / looks
    spread = np.sqrt(np.maximum((values**2).cumsum(axis=1) / looks - means**2, 0))
    tuned = 1 / 20
    width = np.sqrt(2 * (looks * tuned + 1) / (looks**2 * tuned) * np.log(np.sqrt(looks * tuned + 1) / 0.05))
    false = (np.abs(means) > spread * width)[:, 9:].any(axis=1).sum()
    at_least("naive asymptotic sequence on log ratios from n = 10, rarely dear", false, number, 0.15)


def test_the_product_clips_as_was_simulated() -> None:
    logs = heavy(np.random.default_rng(3), (1, 100))
    records = [CaseRecord(str(place), (Pair(1_000, 1_000 * math.exp(value)),)) for place, value in enumerate(logs[0])]
    assert np.allclose(log_ratios(records).values, clipped(logs)[0], atol=1e-12)


def test_the_interval_of_totals() -> None:
    number = draws(FULL)
    for n in (20, 100):
        rng, held = np.random.default_rng(n), 0
        for _ in range(number):
            size = rng.lognormal(7, 0.5, n)
            low, high, _ = fieller(size.tolist(), (0.7 * size * rng.lognormal(-0.08, 0.4, n)).tolist())
            held += low is not None and high is not None and low <= 0.7 <= high
        at_least(f"Fieller's interval of the total ratio holds, n = {n}", held, number, 0.92)


def clipped(logs: Floats) -> Floats:
    return np.clip(logs / math.log(4), -1, 1)
