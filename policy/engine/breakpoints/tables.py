"""Where a decision flips: exact values of every threshold, and the engine's own decision on each interval between them.

Every rule compares a measured value with a threshold, `value >= threshold` or `value < threshold`. Both flip between
a threshold equal to the value and one just above it, so the measured values v1 < v2 < ... cut the way of a threshold
into the cells [0, v1], (v1, v2], ..., (vn, 1], and one decision per cell says everything. No judge is asked.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import Any

from policy.engine.canonical import canonical_json
from policy.engine.profile import Thresholds

Decided = Mapping[str, Any]
Decide = Callable[[Thresholds], Decided | None]

MOST_CELLS = 4096


@dataclass(frozen=True, slots=True)
class Axis:
    """A threshold, by its attribute of `Thresholds`, and the measured values it is compared with: rising, each once."""

    name: str
    points: tuple[float, ...]

    @classmethod
    def of(cls, name: str, values: Iterable[float | None]) -> Axis:
        """The axis through these values in [0, 1]; None (not measured) cuts nothing."""
        return cls(name, tuple(sorted({value for value in values if value is not None})))

    def cell(self, threshold: float) -> int:
        """The number of the cell in which a threshold lies."""
        return bisect_left(self.points, threshold)

    @property
    def ends(self) -> tuple[float, ...]:
        """The upper end of each cell, which belongs to it."""
        return self.points if self.points and self.points[-1] >= 1 else (*self.points, 1.0)


@dataclass(frozen=True, slots=True)
class Table:
    """The decision of every joint cell of some axes, the last axis fastest; None where it was not measured.

    `cells` are places in `decisions`, which holds every different decision once.
    """

    axes: tuple[Axis, ...]
    decisions: tuple[Decided, ...]
    cells: tuple[int | None, ...]

    def at(self, thresholds: Thresholds) -> Decided | None:
        """The decision under these thresholds: what the engine would decide from the same answers."""
        place = 0
        for axis in self.axes:
            place = place * len(axis.ends) + axis.cell(getattr(thresholds, axis.name))
        number = self.cells[place]
        return None if number is None else self.decisions[number]

    def to_json(self) -> dict[str, Any]:
        return {
            "axes": [{"name": axis.name, "points": list(axis.points)} for axis in self.axes],
            "decisions": [dict(decision) for decision in self.decisions],
            "cells": list(self.cells),
        }


@dataclass(frozen=True, slots=True)
class Piece:
    """An interval (low, high] of one threshold without a flip inside; the first one holds its low end 0 too."""

    low: float
    high: float
    decision: Decided | None


@dataclass(frozen=True, slots=True)
class Breakpoints:
    """Tables around the thresholds `base`: one over all axes, or one per axis where the joint one were too large."""

    base: Thresholds
    tables: tuple[Table, ...]

    @property
    def joint(self) -> bool:
        """Whether thresholds may be moved together; otherwise one at a time, the others at `base`."""
        return len(self.tables) <= 1

    def at(self, thresholds: Thresholds) -> Decided | None:
        """The decision under these thresholds; raises `ValueError` for a joint move that no table holds."""
        moved = [table for table in self.tables if not self.joint and self._moved(table, thresholds)]
        if len(moved) > 1:
            raise ValueError("only one threshold at a time can be moved here")
        return (moved or self.tables)[0].at(thresholds)

    def pieces(self, name: str, thresholds: Thresholds) -> tuple[Piece, ...]:
        """The way of one threshold from 0 to 1, the others as given: where it flips, and what is decided between."""
        axis = next(axis for table in self.tables for axis in table.axes if axis.name == name)
        pieces: list[Piece] = []
        low = 0.0
        for end in axis.ends:
            decision = self.at(replace(thresholds, **{name: end}))
            if pieces and pieces[-1].decision == decision:
                pieces[-1] = replace(pieces[-1], high=end)
            else:
                pieces.append(Piece(low, end, decision))
            low = end
        return tuple(pieces)

    def to_json(self) -> dict[str, Any]:
        return {"base": self.base.to_json(), "tables": [table.to_json() for table in self.tables]}

    def _moved(self, table: Table, thresholds: Thresholds) -> bool:
        return any(
            axis.cell(getattr(thresholds, axis.name)) != axis.cell(getattr(self.base, axis.name)) for axis in table.axes
        )


def breakpoints(axes: Sequence[Axis], decide: Decide, *, base: Thresholds, most_cells: int = MOST_CELLS) -> Breakpoints:
    """Every decision that moving these thresholds can bring, each made by `decide`; None means not measured."""
    joint = prod(len(axis.ends) for axis in axes) <= most_cells
    groups = [tuple(axes)] if joint else [(axis,) for axis in axes]
    return Breakpoints(base, tuple(_table(group, decide, base) for group in groups))


def _table(axes: tuple[Axis, ...], decide: Decide, base: Thresholds) -> Table:
    numbers: dict[str, int] = {}
    decisions: list[Decided] = []
    cells: list[int | None] = []
    for ends in product(*(axis.ends for axis in axes)):
        decision = decide(replace(base, **{axis.name: end for axis, end in zip(axes, ends, strict=True)}))
        if decision is None:
            cells.append(None)
            continue
        number = numbers.setdefault(canonical_json(decision), len(decisions))
        if number == len(decisions):
            decisions.append(decision)
        cells.append(number)
    return Table(axes, tuple(decisions), tuple(cells))
