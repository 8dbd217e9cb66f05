"""The chance level of a calibration error: a perfect judge is rarely blamed, an overconfident one is seen."""

from __future__ import annotations

import numpy as np

from policy.calibration.cuts import Floats
from policy.calibration.reliability import Truth, reliability
from tests.prove.figures import at_least, at_most, draws

SIZES = (100, 200, 500)


def sharpened(p: Floats) -> Floats:
    """Logits doubled."""
    doubled: Floats = p**2 / (p**2 + (1 - p) ** 2)
    return doubled


def test_a_perfect_judge_is_rarely_called_miscalibrated() -> None:
    number = draws(500)
    for n in SIZES:
        rng, alarms, covered, naive = np.random.default_rng(n), 0, 0, 0
        for _ in range(number):
            p = rng.beta(5, 2, n)
            true = rng.random(n) < p
            found = reliability(p, true, draws=400, seed=int(rng.integers(2**31)))
            alarms += found.miscalibrated
            covered += found.low == 0
            naive += percentile(p, true, rng)
        at_most(f"perfect judge called miscalibrated, n = {n}", alarms, number, 0.08)
        at_least(f"interval of the debiased error holds 0, n = {n}", covered, number, 0.95)
        at_most(f"naive percentile bootstrap of the plain error holds 0, n = {n}", naive, number, 0.34)


def percentile(p: Floats, true: Truth, rng: np.random.Generator) -> bool:
    """Whether the 2.5 % point of the plain error over 100 resamples is 0 (ten bins of equal width)."""
    errors = []
    for _ in range(100):
        picked = rng.integers(0, len(p), len(p))
        member = np.minimum((p[picked] * 10).astype(int), 9)
        gap = np.bincount(member, weights=true[picked] - p[picked], minlength=10)
        errors.append(np.abs(gap).sum() / len(p))
    return bool(np.quantile(errors, 0.025) <= 1e-12)


def test_an_overconfident_judge_is_seen() -> None:
    number = draws(200)
    for n, bar in ((200, 0.65), (500, 0.95)):
        rng, seen = np.random.default_rng(n), 0
        for _ in range(number):
            p = rng.beta(5, 2, n)
            found = reliability(sharpened(p), rng.random(n) < p, draws=400, seed=int(rng.integers(2**31)))
            seen += found.miscalibrated
        at_least(f"doubled logits are seen, n = {n}", seen, number, bar)
