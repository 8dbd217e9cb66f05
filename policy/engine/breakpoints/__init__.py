"""Where a decision flips when thresholds move, decided by the engine from answers that are there."""

from __future__ import annotations

from policy.engine.breakpoints.again import Exchanges, Unanswered, again, measured
from policy.engine.breakpoints.selection import of_selection
from policy.engine.breakpoints.steps import of_steps, told
from policy.engine.breakpoints.tables import Axis, Breakpoints, Piece, Table, breakpoints

__all__ = [
    "Axis",
    "Breakpoints",
    "Exchanges",
    "Piece",
    "Table",
    "Unanswered",
    "again",
    "breakpoints",
    "measured",
    "of_selection",
    "of_steps",
    "told",
]
