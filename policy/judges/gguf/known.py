"""Model files that we know by their SHA-256: a name, a licence, and constants fitted for this file's probabilities."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

PATH = Path(__file__).with_name("known.json")


@dataclass(frozen=True, slots=True)
class Platt:
    """From the model's leaning (logit of yes against no) to a probability: logistic(slope x leaning + bias)."""

    slope: float
    bias: float

    def probability(self, leaning: float) -> float:
        at = max(-60.0, min(60.0, self.slope * leaning + self.bias))
        return 1.0 / (1.0 + math.exp(-at))


# A raw yes-or-no logit is far from a probability, and most models say yes too often. Nothing was fitted for a file that
# nobody measured, so it is drawn towards one half rather than believed.
UNFITTED = Platt(slope=0.5, bias=0.0)


@dataclass(frozen=True, slots=True)
class KnownFile:
    """What we know of one file. `readouts` holds the fitted constants by kind of question."""

    name: str
    licence: str
    readouts: Mapping[str, Platt] = field(default_factory=dict)


def known(sha256: str) -> KnownFile | None:
    """The file of this digest, or None: nobody measured it."""
    return _all().get(sha256)


@cache
def _all() -> dict[str, KnownFile]:
    rows = json.loads(PATH.read_text(encoding="utf-8"))
    return {
        sha256: KnownFile(
            row["name"],
            row["licence"],
            {kind: Platt(each["slope"], each["bias"]) for kind, each in row["readouts"].items()},
        )
        for sha256, row in rows.items()
    }
