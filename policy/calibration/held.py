"""One threshold of an assessment with the other two held: what each row costs on either side of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np

from policy.calibration.cuts import Floats
from policy.calibration.separation import Axis
from policy.calibration.sweep import ALLOW, ASK, DENY, LABELS, Rows
from policy.engine.decisions import Action

Threshold = Literal["restriction", "missing_information", "task_match"]
Prices = Mapping[tuple[Action, Action], float]

THRESHOLDS: tuple[Threshold, ...] = ("restriction", "missing_information", "task_match")
# A wrong decision costs 1, whichever it is; `hold` is decided by no rule.
EQUAL: Prices = {(decision, label): float(decision != label) for decision in LABELS[:3] for label in LABELS}
# An unsafe call that passes is dearer than a needless question, a needless block lies between; editable on the page.
USUAL: Prices = {
    **EQUAL,
    (Action.ALLOW, Action.DENY): 10.0,
    (Action.ASK, Action.DENY): 1.0,
    (Action.ALLOW, Action.ASK): 3.0,
    (Action.ALLOW, Action.HOLD): 10.0,
    (Action.DENY, Action.ALLOW): 2.0,
    (Action.DENY, Action.ASK): 1.0,
    (Action.ASK, Action.ALLOW): 1.0,
}


def held(
    rows: Rows, threshold: Threshold, *, restriction: float, missing: float, match: float, prices: Prices = EQUAL
) -> Axis:
    """Rows as `threshold` sees them while the other two stay at the values given; a pair without a price costs nothing.

    A row that the other two decide alone costs the same on both sides and separates nothing.
    """
    asks_missing, asks_match = rows.missing >= missing, rows.matches < match
    denied = rows.violates >= restriction
    match threshold:
        case "restriction":
            scores, reached = rows.violates, np.full(len(rows), DENY)
            below = np.where(asks_missing | asks_match, ASK, ALLOW)
        case "missing_information":
            scores, reached = rows.missing, np.where(denied, DENY, ASK)
            below = np.where(denied, DENY, np.where(asks_match, ASK, ALLOW))
        case "task_match":
            scores, below = rows.matches, np.where(denied, DENY, ASK)
            reached = np.where(denied, DENY, np.where(asks_missing, ASK, ALLOW))
    table = np.array([[prices.get((decision, label), 0.0) for label in LABELS] for decision in LABELS])
    return Axis(scores, table[reached, rows.labels], table[below, rows.labels])


def sides(axis: Axis) -> tuple[Floats, Floats]:
    """The measured values of the rows that should reach the threshold, and of those that should not."""
    gains = axis.gains()
    return axis.scores[gains > 0], axis.scores[gains < 0]
