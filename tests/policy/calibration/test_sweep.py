"""The sweep decides as the engine does, at every combination."""

from __future__ import annotations

from math import nextafter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy.calibration.cuts import Cuts
from policy.calibration.sweep import LABELS, Axes, Rows, agreement, decided, sweep
from policy.engine.assessment.run import assess_call
from policy.engine.decisions import Action
from policy.engine.profile import Profile, Thresholds
from policy.judges.scripted import Script, ScriptedJudge
from tests.policy.calibration.drawn import ROWS, seeded
from tests.policy.engine.assessment.calls import CALL, answers
from tests.policy.engine.doubles import drive

GRID = Axes(Cuts.of([0.0, 0.3, 0.93, 1.0]), Cuts.of([0.29, 0.58]), Cuts.of([0.07, 0.5, 1.0]))


def engine(rows: Rows, row: int, cuts: Thresholds) -> Action:
    """What `assess_call` decides when a judge answers with these three values."""
    said = answers(float(rows.violates[row]), float(rows.missing[row]), float(rows.matches[row]))
    call: dict[str, Any] = {**CALL, "profile": Profile(thresholds=cuts)}
    return Action(drive(assess_call(**call), ScriptedJudge(Script(said))).status.value)


def brute(rows: Rows, axes: Axes, r: int, m: int, t: int) -> list[Action]:
    cuts = axes.restriction.values[r], axes.missing.values[m], axes.match.values[t]
    found = decided(rows, restriction=cuts[0], missing=cuts[1], match=cuts[2])
    return [LABELS[place] for place in found]


@given(ROWS, st.data())
def test_decisions_are_the_engines_own_on_break_points_and_beside_them(rows: Rows, data: Any) -> None:
    def near(values: Any) -> float:
        value = float(data.draw(st.sampled_from(list(values))))
        return float(data.draw(st.sampled_from([value, nextafter(value, 1), nextafter(value, 0)]) | st.floats(0, 1)))

    r, m, t = near(rows.violates), near(rows.missing), near(rows.matches)
    cuts = Thresholds(restriction=r, missing_information=m, task_match=t)
    told = decided(rows, restriction=r, missing=m, match=t)
    row = data.draw(st.integers(0, len(rows) - 1))
    assert LABELS[told[row]] is engine(rows, row, cuts)


@given(ROWS, st.data())
def test_the_sweep_counts_what_is_decided_at_any_combination(rows: Rows, data: Any) -> None:
    axes = data.draw(st.sampled_from([GRID, Axes.even(10), Axes.even(19)]))
    at = tuple(data.draw(st.integers(0, size - 1)) for size in axes.shape)
    told = brute(rows, axes, *at)
    agreed = sum(action is LABELS[label] for action, label in zip(told, rows.labels, strict=True))
    found = sweep(rows, axes)
    assert found.agreement()[at] == agreement(rows, axes)[at] == agreed
    table = found.confusion(*at)
    assert sum(table.values()) == len(rows)
    assert all(
        table[action, label]
        == sum(a is action and LABELS[it] is label for a, it in zip(told, rows.labels, strict=True))
        for action, label in table
    )


def test_all_thresholds_with_two_decimals_are_swept_as_decided() -> None:
    rows, rng = seeded(200, labels=4, decimals=4), np.random.default_rng(2)
    found, whole = agreement(rows, Axes.even()), sweep(rows, Axes.even())
    assert np.array_equal(found, whole.agreement())
    for r, m, t in rng.integers(0, 101, (40, 3)):
        told = brute(rows, Axes.even(), r, m, t)
        assert found[r, m, t] == sum(action is LABELS[it] for action, it in zip(told, rows.labels, strict=True))


def test_on_break_points_every_combination_is_the_full_grid_and_more() -> None:
    rows = seeded(60, decimals=3)
    exact = Axes(*(Cuts.between(values) for values in (rows.violates, rows.missing, rows.matches)))
    found = agreement(rows, exact)
    assert found.max() >= agreement(rows, Axes.even()).max()
    rng = np.random.default_rng(1)
    for r, m, t in rng.integers(0, found.shape, (50, 3)):
        told = brute(rows, exact, r, m, t)
        assert found[r, m, t] == sum(action is LABELS[it] for action, it in zip(told, rows.labels, strict=True))


def test_costs_are_a_sum_over_the_confusion_table() -> None:
    rows = seeded(80, labels=4)
    found = sweep(rows, Axes.even(20))
    price = {(Action.ALLOW, Action.DENY): 10.0, (Action.ASK, Action.ALLOW): 1.0, (Action.DENY, Action.ASK): 2.5}
    costs = found.cost(price)
    for at in [(0, 0, 0), (10, 4, 17), (20, 20, 20)]:
        table = found.confusion(*at)
        assert costs[at] == pytest.approx(sum(price.get(pair, 0.0) * count for pair, count in table.items()))


def test_a_case_that_should_be_held_agrees_with_nothing() -> None:
    rows = Rows(np.array([0.5]), np.array([0.5]), np.array([0.5]), np.array([3], dtype=np.int8))
    assert not agreement(rows, Axes.even()).any()
