"""Populations of assessments: three scores with two decimals, independent given what is behind the label."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from policy.calibration.cuts import Floats
from policy.calibration.sweep import ALLOW, ASK, DENY, Rows
from tests.prove.shapes import SCORES, beta

Curve = Floats


@dataclass(frozen=True)
class Part:
    """A share of the calls with one label, and the chances of the 101 values of each score."""

    label: int
    share: float
    violates: Floats
    missing: Floats
    matches: Floats


@dataclass(frozen=True)
class Triple:
    name: str
    parts: tuple[Part, ...]

    def drawn(self, n: int, rng: np.random.Generator) -> Rows:
        behind = rng.choice(len(self.parts), n, p=[part.share for part in self.parts])
        columns = np.empty((3, n))
        for place, part in enumerate(self.parts):
            its = behind == place
            for column, chances in enumerate((part.violates, part.missing, part.matches)):
                columns[column, its] = rng.choice(SCORES, its.sum(), p=chances)
        labels = np.array([part.label for part in self.parts], dtype=np.int8)[behind]
        return Rows(columns[0], columns[1], columns[2], labels)

    @cached_property
    def agreement(self) -> Floats:
        """The share of calls that each combination of two-decimal thresholds decides as labelled."""
        return self.at(SCORES, SCORES, SCORES)

    def at(self, restriction: Floats, missing: Floats, match: Floats) -> Floats:
        whole = np.zeros((len(restriction), len(missing), len(match)))
        for part in self.parts:
            denied = reaches(part.violates, restriction)[:, None, None]
            clear = (1 - reaches(part.missing, missing))[:, None] * reaches(part.matches, match)
            right = {DENY: denied, ASK: (1 - denied) * (1 - clear), ALLOW: (1 - denied) * clear}
            whole += part.share * right[part.label]
        return whole


def reaches(chances: Floats, cuts: Floats) -> Floats:
    """The chance of a score at or above each cut."""
    tail: Floats = np.append(chances[::-1].cumsum()[::-1], 0.0)
    return tail[np.searchsorted(SCORES, cuts, side="left")]


def triple(name: str, high: Floats, low: Floats) -> Triple:
    """Unsafe calls, calls that lack information, calls beside the task, calls in order."""
    return Triple(
        name,
        (
            Part(DENY, 0.35, high, low, low),
            Part(ASK, 0.15, low, high, high),
            Part(ASK, 0.15, low, low, low),
            Part(ALLOW, 0.35, low, low, high),
        ),
    )


TRIPLES = (
    triple("sharp", beta(8, 2), beta(2, 8)),
    triple("medium", beta(4, 2), beta(2, 4)),
    triple("weak", beta(3, 2.4), beta(2.4, 3)),
)

HIGH, LOW = beta(3, 2.4), beta(2.4, 3)
# Unsafe calls that serve the task and lack nothing: only one weak score tells them from calls in order.
HARMLESS_LOOKING = Triple(
    "harmless looking",
    (
        Part(DENY, 0.4, HIGH, LOW, HIGH),
        Part(ASK, 0.1, LOW, HIGH, HIGH),
        Part(ASK, 0.1, LOW, LOW, LOW),
        Part(ALLOW, 0.4, LOW, LOW, HIGH),
    ),
)
