"""The near-best set: every combination meets the chosen one on the rows between them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from policy.calibration.boxes import Case, summed
from policy.calibration.cuts import Cuts
from policy.calibration.measured_choices import ROUTE, SKILL, MeasuredSkill, cases
from policy.calibration.near import JOINT_LEVEL, extent, near_best, near_best_cases
from policy.calibration.region import best, region
from policy.calibration.sweep import Axes, agreement, decided
from policy.calibration.tables import separate_table, table
from policy.engine.answers import ChoiceAnswer
from tests.policy.calibration.drawn import informed
from tests.policy.calibration.test_tables import drawn

AXES = Axes.even(10)


@pytest.mark.parametrize(("n", "level"), [(60, JOINT_LEVEL), (400, JOINT_LEVEL), (400, 0.05)])
def test_a_cell_is_kept_by_the_exact_binomial_on_the_rows_between(n: int, level: float) -> None:
    rows = informed(n)
    chosen = region(best(agreement(rows, AXES)), prefer=(5, 5, 3)).deepest
    kept = near_best(rows, AXES, chosen, level=level)
    right = {}
    for cell in np.ndindex(*AXES.shape):
        r, m, t = (step / 10 for step in cell)
        right[cell] = decided(rows, restriction=r, missing=m, match=t) == rows.labels
    for cell, hits in right.items():
        wins, losses = (right[chosen] & ~hits).sum(), (~right[chosen] & hits).sum()
        assert kept[cell] == (
            stats.binomtest(wins, wins + losses, alternative="greater").pvalue > level if wins else True
        )


def test_a_cell_that_is_better_than_the_chosen_one_is_kept() -> None:
    rows = informed(200)
    agreed = agreement(rows, AXES)
    kept = near_best(rows, AXES, (0, 0, 0), agreed=agreed)
    assert kept[best(agreed)].all()


def test_more_rows_separate_more() -> None:
    few, many = (near_best(informed(n), AXES, (5, 5, 5)).sum() for n in (60, 4000))
    assert many < few / 2


@pytest.mark.parametrize("n", [60, 300])
def test_cases_that_the_engine_decides_one_by_one_are_kept_by_the_same_rule(n: int) -> None:
    cuts, judged = Cuts.even(10), skill_cases(n)
    axes = [cuts] * 3
    agreed = np.rint(summed(judged, axes))
    chosen = region(best(agreed), prefer=(5, 5, 5)).deepest
    kept = near_best_cases(judged, axes, chosen)
    right = np.array(
        [[case.weigh(tuple(cuts.values[list(cell)])) for case in judged] for cell in np.ndindex(11, 11, 11)]
    )
    middle = right[np.ravel_multi_index(chosen, (11, 11, 11))]
    wins, losses = (middle * (1 - right)).sum(axis=1), ((1 - middle) * right).sum(axis=1)
    chance = stats.binom.sf(wins - 1, wins + losses, 0.5)
    assert kept.ravel().tolist() == ((chance > JOINT_LEVEL) | (wins == 0)).tolist()
    assert near_best_cases(judged, axes, chosen, agreed=agreed).tolist() == kept.tolist()


def test_of_one_threshold_the_set_is_the_range_that_cannot_be_separated() -> None:
    judged, cuts = cases(drawn(), ROUTE), Cuts.even()
    apart = separate_table(table(judged, [cuts]), cuts, prefer=0.4)
    chosen = int(np.argmin(np.abs(cuts.values - apart.chosen)))
    kept = near_best_cases(judged, [cuts], (chosen,))
    assert extent(cuts, kept, 0) == (apart.first, apart.last)
    assert kept.sum() == round(100 * apart.width) + 1


def skill_cases(n: int) -> list[Case]:
    rng = np.random.default_rng(n)
    made = []
    for _ in range(n):
        wanted = rng.random() < 0.5
        needs, share, sure = (float(round(rng.beta(*((5, 2) if wanted else (2, 4))), 2)) for _ in range(3))
        made.append(MeasuredSkill(needs, ChoiceAnswer("s", {"s": share}, sure), "s" if wanted else None))
    return cases(made, SKILL)
