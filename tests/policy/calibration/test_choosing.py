"""The choice on weighted rows is the best one, and the one nearest to what was preferred."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from policy.calibration.choosing import AssessmentChoice
from policy.calibration.cuts import Cuts
from policy.calibration.sweep import Axes, Rows, agreement
from tests.policy.calibration.drawn import ROWS, informed

DEFAULTS = (0.5, 0.5, 0.35)


def repeated(rows: Rows, weights: np.ndarray) -> Rows:
    return rows.taken(np.repeat(np.arange(len(rows)), weights))


def everywhere(rows: Rows) -> Axes:
    return Axes(*(Cuts.between(values) for values in (rows.violates, rows.missing, rows.matches)))


@given(ROWS, st.data())
def test_no_combination_does_better_on_the_weighted_rows(rows: Rows, data: st.DataObject) -> None:
    weights = np.array(data.draw(st.lists(st.integers(0, 3), min_size=len(rows), max_size=len(rows))))
    right = AssessmentChoice(rows, DEFAULTS).right(weights[None])[0]
    most = agreement(repeated(rows, weights), everywhere(rows)).max() if weights.any() else 0
    assert (right * weights).sum() == most


@given(ROWS)
def test_of_several_best_ones_none_is_nearer_to_the_preferred_one(rows: Rows) -> None:
    problem = AssessmentChoice(rows, DEFAULTS)
    chosen = problem.chosen(np.ones(len(rows), dtype=np.int64))
    agreed = agreement(rows, problem.axes)
    axes = problem.axes.restriction, problem.axes.missing, problem.axes.match
    away = [
        max(abs(float(cuts.values[at]) - want) for cuts, at, want in zip(axes, cell, DEFAULTS, strict=True))
        for cell in np.argwhere(agreed == agreed.max())
    ]
    assert max(abs(a - b) for a, b in zip(chosen, DEFAULTS, strict=True)) <= min(away) + 1e-12


def test_many_rows_are_chosen_on_two_decimals() -> None:
    rows = informed(5000)
    weights = np.bincount(np.random.default_rng(2).integers(0, 5000, 5000), minlength=5000)
    right = AssessmentChoice(rows, DEFAULTS).right(weights[None])[0]
    assert (right * weights).sum() == agreement(repeated(rows, weights), Axes.even()).max()
