"""All combinations of the three thresholds of a call's assessment at once (seed 000, Thresholds).

A row is denied where `violates` >= restriction; else asked where `missing` >= missingInformation or
`matches` < taskMatch; else allowed. One histogram and its cumulative sums hold the counts for every combination,
so that the cost after binning does not depend on the number of rows.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from policy.calibration.cuts import Cuts, Floats, Places
from policy.engine.decisions import Action

Counts = npt.NDArray[np.int32]

LABELS = (Action.DENY, Action.ASK, Action.ALLOW, Action.HOLD)
DENY, ASK, ALLOW, HOLD = range(4)
BLOCK = 1 << 15
# What a row that is not denied adds to agreement where it is allowed instead of asked, by its label.
SIGNS = np.array([0.0, -1.0, 1.0, 0.0])


@dataclass(frozen=True, slots=True)
class Rows:
    """Measured assessments: three probabilities in [0, 1] each, and `labels` as places in `LABELS`.

    `hold` is never decided by a rule: its rows agree with no combination.
    """

    violates: Floats
    missing: Floats
    matches: Floats
    labels: npt.NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.labels)

    def taken(self, places: npt.NDArray[np.bool_] | npt.NDArray[np.int64] | slice) -> Rows:
        """Some of the rows, by a mask, a slice or their places; a place given twice is a row twice."""
        return Rows(self.violates[places], self.missing[places], self.matches[places], self.labels[places])


@dataclass(frozen=True, slots=True)
class Axes:
    """The cuts that are tried for restriction, missingInformation and taskMatch."""

    restriction: Cuts
    missing: Cuts
    match: Cuts

    @classmethod
    def even(cls, steps: int = 100) -> Axes:
        return cls(Cuts.even(steps), Cuts.even(steps), Cuts.even(steps))

    @property
    def shape(self) -> tuple[int, int, int]:
        return len(self.restriction), len(self.missing), len(self.match)


@dataclass(frozen=True, slots=True)
class Sweep:
    """Counts for every combination, by label: `denied[label, r]`, `allowed[label, r, m, t]`, `total[label]`."""

    axes: Axes
    total: Counts
    denied: Counts
    allowed: Counts

    def agreement(self) -> Counts:
        """Rows that each combination decides as their label says."""
        asked = self.total[ASK] - self.denied[ASK]
        fixed = (self.denied[DENY] + asked)[:, None, None]
        right: Counts = fixed + self.allowed[ALLOW] - self.allowed[ASK]
        return right

    def cost(self, price: Mapping[tuple[Action, Action], float]) -> Floats:
        """The sum of `price[decision, label]` over all rows, for each combination; a missing pair costs nothing."""
        whole = np.zeros(self.axes.shape)
        for place, label in enumerate(LABELS):
            deny, ask, allow = (price.get((action, label), 0.0) for action in LABELS[:3])
            whole += (ask * self.total[place] + (deny - ask) * self.denied[place])[:, None, None]
            if allow != ask:
                whole += (allow - ask) * self.allowed[place]
        return whole

    def confusion(self, r: int, m: int, t: int) -> dict[tuple[Action, Action], int]:
        """How many rows of each label get each decision at one combination (places of the cuts)."""
        table: dict[tuple[Action, Action], int] = {}
        for place, label in enumerate(LABELS):
            denied, allowed = int(self.denied[place, r]), int(self.allowed[place, r, m, t])
            table[Action.DENY, label] = denied
            table[Action.ALLOW, label] = allowed
            table[Action.ASK, label] = int(self.total[place]) - denied - allowed
        return table


def sweep(rows: Rows, axes: Axes) -> Sweep:
    """Every combination of the axes, exactly as the rules decide it."""
    violates = axes.restriction.reached(rows.violates)
    counted = _histogram(rows, axes, violates)
    _accumulate(counted)
    total = np.bincount(rows.labels, minlength=len(LABELS)).astype(np.int32)
    return Sweep(axes, total, _denied(rows, axes, violates), counted[:, :-1, :-1, 1:])


def agreement(rows: Rows, axes: Axes) -> Counts:
    """Rows that each combination decides as labelled: one array of allows less asks instead of four of counts."""
    violates, places, signs = np.empty(len(rows), np.int32), np.empty(len(rows), np.intp), np.empty(len(rows))
    sides = tuple(size + 1 for size in axes.shape)
    for part in _blocks(len(rows)):
        block = rows.taken(part)
        violates[part] = axes.restriction.reached(block.violates)
        places[part] = _flat(block, axes, violates[part].copy())
        signs[part] = SIGNS.take(block.labels)
    counted = np.bincount(places, weights=signs, minlength=math.prod(sides)).astype(np.int32).reshape(1, *sides)
    _accumulate(counted)
    denied = _denied(rows, axes, violates)
    asked = np.int32(np.count_nonzero(rows.labels == ASK)) - denied[ASK]
    right: Counts = counted[0, :-1, :-1, 1:]
    right += (denied[DENY] + asked)[:, None, None]
    return right


def decided(rows: Rows, *, restriction: float, missing: float, match: float) -> npt.NDArray[np.int8]:
    """The decision on every row under one combination, as places in `LABELS`."""
    asked = (rows.missing >= missing) | (rows.matches < match)
    open_rows = np.where(asked, np.int8(ASK), np.int8(ALLOW))
    return np.where(rows.violates >= restriction, np.int8(DENY), open_rows)


def _blocks(rows: int) -> Iterator[slice]:
    """So many rows at a time as stay in the processor's cache: a million at once would wait for the memory."""
    return (slice(begin, begin + BLOCK) for begin in range(0, rows, BLOCK))


def _histogram(rows: Rows, axes: Axes, violates: Places) -> Counts:
    """Rows by label and by how many cuts of each axis they reach."""
    sides = (len(LABELS), *(size + 1 for size in axes.shape))
    flat = rows.labels * np.int32(sides[1])
    flat += violates
    flat = _flat(rows, axes, flat)
    return np.bincount(flat, minlength=math.prod(sides)).astype(np.int32).reshape(sides)


def _flat(rows: Rows, axes: Axes, flat: Places) -> Places:
    """In place: one number per row from the place given and those of the other two axes."""
    flat *= np.int32(len(axes.missing) + 1)
    flat += axes.missing.reached(rows.missing)
    flat *= np.int32(len(axes.match) + 1)
    flat += axes.match.reached(rows.matches)
    return flat


def _accumulate(counted: Counts) -> None:
    """In place: rows below each cut of the first two axes, and at or above each of the third.

    Whole slabs are added along the first two axes because they lie together in memory.
    """
    for place in range(1, counted.shape[1]):
        counted[:, place] += counted[:, place - 1]
    for place in range(1, counted.shape[2]):
        counted[:, :, place] += counted[:, :, place - 1]
    backwards = counted[..., ::-1]
    np.cumsum(backwards, axis=-1, out=backwards)


def _denied(rows: Rows, axes: Axes, violates: Places) -> Counts:
    side = axes.shape[0] + 1
    counted = np.zeros(len(LABELS) * side, dtype=np.int64)
    for part in _blocks(len(rows)):
        flat = rows.labels[part] * np.int32(side) + violates[part]
        counted += np.bincount(flat, minlength=len(counted))
    return counted.reshape(len(LABELS), side)[:, ::-1].cumsum(axis=1)[:, ::-1][:, 1:].astype(np.int32)
