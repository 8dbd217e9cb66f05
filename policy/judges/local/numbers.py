"""Distributions as they are reported: softmax, six decimals that add up, confidence from the shape."""

from __future__ import annotations

import math
from collections.abc import Sequence

MILLION = 1_000_000


def logistic(log_odds: float) -> float:
    """Probability in [0, 1] of a log-odds, without overflow."""
    if log_odds >= 0:
        return 1.0 / (1.0 + math.exp(-log_odds))
    grown = math.exp(log_odds)
    return grown / (1.0 + grown)


def softmax(logits: Sequence[float]) -> list[float]:
    """The distribution of `logits` (at least one)."""
    highest = max(logits)
    grown = [math.exp(logit - highest) for logit in logits]
    total = sum(grown)
    return [value / total for value in grown]


def six_decimals(distribution: Sequence[float]) -> list[float]:
    """The distribution in millionths that add up to exactly one million; the order of sizes is kept."""
    exact = [share * MILLION for share in distribution]
    millionths = [math.floor(value) for value in exact]
    by_remainder = sorted(range(len(exact)), key=lambda index: millionths[index] - exact[index])
    for index in by_remainder[: MILLION - sum(millionths)]:
        millionths[index] += 1
    return [value / MILLION for value in millionths]


def choice_confidence(distribution: Sequence[float]) -> float:
    """How far the largest probability lies above an even spread: 0 for even, 1 for certain or a lone option."""
    even = 1.0 / len(distribution)
    return 1.0 if len(distribution) == 1 else _unit((max(distribution) - even) / (1.0 - even))


def score_confidence(distribution: Sequence[float]) -> float:
    """One minus the mean distance from the most probable level, in units of what an even spread would show."""
    count = len(distribution)
    mode = max(range(count), key=distribution.__getitem__)
    spread = sum(share * abs(level - mode) for level, share in enumerate(distribution))
    even = sum(abs(level - (count - 1) / 2) for level in range(count)) / count
    return _unit(1.0 - spread / even) if even else 1.0


def _unit(value: float) -> float:
    return round(min(1.0, max(0.0, value)), 6)
