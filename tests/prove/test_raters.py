"""Intervals of kappa and alpha hold at twenty items; the usual large-sample error does not."""

from __future__ import annotations

import numpy as np
import pytest

from arena.evidence.statistics.agreement import _kappa, alpha, kappa
from tests.prove.figures import at_least, at_most, draws

FULL = 2_000
ITEMS = 20
TWO, SKEWED, FOUR = (0.5, 0.5), (0.8, 0.2), (0.25, 0.25, 0.25, 0.25)


def ratings(
    truth: float, shares: tuple[float, ...], raters: int, rng: np.random.Generator, gaps: float = 0.0
) -> list[list[int]]:
    """Raters agree by themselves in a share `truth` of the items and by chance in the rest: kappa and alpha are it."""
    common = rng.choice(len(shares), (ITEMS, 1), p=shares)
    own = rng.choice(len(shares), (ITEMS, raters), p=shares)
    table = np.where(rng.random((ITEMS, 1)) < truth, common, own)
    there = rng.random((ITEMS, raters)) >= gaps
    return [line[seen].tolist() for line, seen in zip(table, there, strict=True)]


@pytest.mark.parametrize(
    ("truth", "shares"), [(0.4, TWO), (0.7, TWO), (0.9, TWO), (0.7, SKEWED), (0.6, FOUR), (0.8, FOUR)]
)
def test_kappa(truth: float, shares: tuple[float, ...]) -> None:
    number, rng, found = draws(FULL), np.random.default_rng(1), []
    for _ in range(number):
        found.append(kappa([(one, other) for one, other in ratings(truth, shares, 2, rng)]))
    said = [one for one in found if one.low is not None and one.high is not None]
    held = sum(one.low <= truth <= one.high for one in said if one.low is not None and one.high is not None)
    at_least(f"kappa's interval holds, n = 20, {len(shares)} categories {shares[0]:g}, {truth}", held, len(said), 0.92)


@pytest.mark.parametrize(
    ("truth", "shares", "raters", "gaps"),
    [(0.4, TWO, 2, 0.0), (0.7, SKEWED, 2, 0.0), (0.9, TWO, 2, 0.0), (0.6, FOUR, 3, 0.2), (0.8, FOUR, 3, 0.2)],
)
def test_alpha(truth: float, shares: tuple[float, ...], raters: int, gaps: float) -> None:
    number, rng = draws(FULL // 2), np.random.default_rng(2)
    found = [alpha(ratings(truth, shares, raters, rng, gaps)) for _ in range(number)]
    ends = [(one.low, one.high) for one in found if one.low is not None and one.high is not None]
    held = sum(low <= truth <= high for low, high in ends)
    at_least(
        f"alpha's interval holds, n = 20, {raters} raters, {len(shares)} categories, {truth}", held, len(ends), 0.92
    )


def test_the_usual_error_promises_too_much() -> None:
    number, rng, held = draws(FULL), np.random.default_rng(3), 0
    for _ in range(number):
        table = np.zeros((2, 2))
        np.add.at(table, tuple(np.array(ratings(0.9, TWO, 2, rng)).T), 1)
        middle, error = _kappa(table) if np.trace(table) < ITEMS else (1.0, 0.0)
        held += abs(middle - 0.9) <= 1.96 * error
    at_most("naive large-sample interval of kappa .9 holds, n = 20", held, number, 0.75)
