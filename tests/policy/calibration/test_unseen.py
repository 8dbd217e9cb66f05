"""Agreement on unseen cases: below agreement on the same rows, and the same numbers for the same seed."""

from __future__ import annotations

import random

import numpy as np
import pytest

from policy.calibration.choosing import AssessmentChoice
from policy.calibration.cuts import Cuts
from policy.calibration.sweep import ALLOW, ASK, DENY, Axes, Rows, sweep
from policy.calibration.unseen import OneThreshold, enough, unseen

DEFAULTS = (0.5, 0.5, 0.35)


def noise(n: int, seed: int = 3) -> Rows:
    rng = np.random.default_rng(seed)
    violates, missing, matches = np.round(rng.random((3, n)), 2)
    return Rows(violates, missing, matches, rng.integers(0, 3, n).astype(np.int8))


def test_choosing_on_noise_looks_better_than_it_is() -> None:
    found = unseen(AssessmentChoice(noise(80), DEFAULTS), draws=100)
    assert found.optimism > 0.1
    assert found.low < found.mean < found.high < found.in_sample


def test_a_clean_cut_holds_on_cases_that_were_left_out() -> None:
    scores = np.array([0.1] * 40 + [0.9] * 40)
    found = unseen(OneThreshold(scores, scores > 0.5, Cuts.even().values, 0.5), draws=50)
    assert (found.mean, found.folds, found.optimism) == (1.0, 1.0, 0.0)
    assert found.low == pytest.approx(0.943, abs=0.001)


def test_the_same_seed_gives_the_same_figures() -> None:
    problem = AssessmentChoice(noise(60), DEFAULTS)
    assert unseen(problem, draws=20, seed=5) == unseen(problem, draws=20, seed=5)
    assert unseen(problem, draws=20, seed=5) != unseen(problem, draws=20, seed=6)


def test_copies_of_a_case_teach_nothing_about_unseen_ones() -> None:
    rows = noise(30)
    copied = rows.taken(np.repeat(np.arange(30), 4))
    families = np.repeat(np.arange(30), 4)
    together = unseen(AssessmentChoice(copied, DEFAULTS), groups=families, draws=60)
    apart = unseen(AssessmentChoice(copied, DEFAULTS), draws=60)
    assert together.mean < apart.mean - 0.1
    assert together.high - together.low > apart.high - apart.low


def test_the_chosen_combination_is_a_best_one_of_the_whole_sweep() -> None:
    rows = noise(90)
    right = AssessmentChoice(rows, DEFAULTS).right(np.ones((1, 90), dtype=np.int64))
    assert right.sum() == sweep(rows, Axes.even()).agreement().max()


def test_a_weight_of_two_is_a_row_twice() -> None:
    rows = Rows(np.array([0.9, 0.2]), np.array([0.1, 0.9]), np.array([0.9, 0.9]), np.array([DENY, ASK], dtype=np.int8))
    problem = AssessmentChoice(rows, DEFAULTS)
    assert problem.right(np.array([[2, 0]]))[0, 0]
    assert ALLOW not in rows.labels


def outsider(scores: list[float], stop: list[bool], drawn: list[list[int]]) -> list[float]:
    """The same estimate in plain Python: choose on the drawn rows, score on those left out."""
    found = []
    for picked in drawn:
        saved = [sum((scores[row] >= cut / 100) == stop[row] for row in picked) for cut in range(101)]
        best = [cut / 100 for cut in range(101) if saved[cut] == max(saved)]
        chosen = min(best, key=lambda cut: abs(cut - 0.5))
        out = set(range(len(scores))) - set(picked)
        found.append(sum((scores[row] >= chosen) == stop[row] for row in out) / len(out))
    return found


def test_an_outsider_gets_the_same_figure_from_seed_and_draws_alone() -> None:
    rng = np.random.default_rng(11)
    stop = rng.random(60) < 0.5
    scores = np.where(stop, rng.beta(4, 2, 60), rng.beta(2, 4, 60)).round(2)
    found = unseen(OneThreshold(scores, stop, Cuts.even().values, 0.5), draws=150, seed=9)
    again = np.random.Generator(np.random.PCG64(9))
    replayed = outsider(scores.tolist(), stop.tolist(), [again.integers(0, 60, 60).tolist() for _ in range(150)])
    assert found.mean == pytest.approx(float(np.mean(replayed)), abs=1e-9)
    other = random.Random(1)
    theirs = outsider(scores.tolist(), stop.tolist(), [[other.randrange(60) for _ in range(60)] for _ in range(150)])
    error = float(np.hypot(np.std(replayed), np.std(theirs))) / 150**0.5
    assert abs(found.mean - float(np.mean(theirs))) <= 4 * error


def test_of_very_many_cases_fewer_resamples_are_made_and_their_number_is_told() -> None:
    rng = np.random.default_rng(1)
    stop = rng.random(5_000) < 0.5
    scores = np.round(np.clip(rng.normal(np.where(stop, 0.7, 0.3), 0.2), 0, 1), 2).astype(np.float64)
    found = unseen(OneThreshold(scores, stop, np.arange(101) / 100, 0.5))
    assert found.draws == 200
    assert abs(found.mean - found.in_sample) < 0.02


def test_rows_of_one_family_are_not_enough_to_resample() -> None:
    assert not enough(60, np.zeros(60, dtype=np.int64))
    assert enough(60, None)
