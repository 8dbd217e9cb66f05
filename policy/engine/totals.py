"""How far the probabilities of one answer may add to something else than 1 (seed 001, section 5)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from enum import StrEnum

# Two-decimal values are not exact in binary; a total closer than this is the stated one.
FLOAT_SLACK = 1e-9


class Totals(StrEnum):
    """A named tolerance for totals.

    `strict` is the default and the band of seed 001: 0.99 to 1.01. `per-option` is for servers that round every
    probability on its own, so that the error grows with the number of options: `max(0.05, 0.005 * options)`. A host
    opts in for a judge that it knows; no reply can ask for it.
    """

    STRICT = "strict"
    PER_OPTION = "per-option"

    def band(self, options: int) -> float:
        """The largest distance from 1 that is accepted for so many options."""
        return 0.01 if self is Totals.STRICT else max(0.05, 0.005 * options)


def in_band(total: float, options: int, totals: Totals) -> bool:
    """Totals of 0.99 and 1.01 are inside, whatever binary fractions make of them; 0 tells nothing and never is."""
    return abs(total - 1) <= totals.band(options) + FLOAT_SLACK and total > 0


def is_one(total: float) -> bool:
    """Whether a total is 1 but for binary fractions."""
    return abs(total - 1) <= FLOAT_SLACK


def divided(values: Mapping[str, float]) -> dict[str, float]:
    """A copy that adds to 1."""
    total = math.fsum(values.values())
    return {label: value / total for label, value in values.items()}
