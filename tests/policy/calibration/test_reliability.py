"""Whether stated probabilities come true, beside what chance alone does."""

from __future__ import annotations

import numpy as np
import pytest

from policy.calibration.reliability import reliability


def stated(n: int, seed: int) -> tuple[np.ndarray, np.random.Generator]:
    rng = np.random.default_rng(seed)
    return rng.beta(5, 2, n), rng


def test_a_perfect_judge_has_an_error_that_is_chance() -> None:
    p, rng = stated(500, 1)
    found = reliability(p, rng.random(500) < p)
    assert not found.miscalibrated
    assert found.chance == pytest.approx(0.047, abs=0.004)
    assert found.chance_high == pytest.approx(0.066, abs=0.006)
    assert found.low == 0


def test_an_overconfident_judge_is_seen_with_an_interval_above_zero() -> None:
    p, rng = stated(500, 2)
    logit = np.log(p / (1 - p))
    found = reliability(1 / (1 + np.exp(-2 * logit)), rng.random(500) < p)
    assert found.miscalibrated
    assert 0 < found.low < found.error < found.high


def test_bins_hold_fifteen_rows_at_least_and_equal_values_together() -> None:
    p = np.round(np.random.default_rng(3).choice([0.1, 0.5, 0.9], 90), 2)
    found = reliability(p, p > 0.4)
    assert [each.stated for each in found.bins] == pytest.approx([0.1, 0.5, 0.9])
    assert sum(each.rows for each in found.bins) == 90
    assert min(each.rows for each in found.bins) >= 15


def test_every_bin_has_its_interval_and_the_band_of_chance() -> None:
    p, rng = stated(300, 4)
    for each in reliability(p, rng.random(300) < p).bins:
        assert each.low <= each.observed <= each.high
        assert each.expected[0] <= each.stated <= each.expected[1]


def test_the_squared_error_is_debiased_by_the_spread_of_each_bin() -> None:
    p = np.repeat([0.2, 0.8], 50)
    true = np.array([True] * 20 + [False] * 30 + [True] * 35 + [False] * 15)
    parts = [(0.2 - 0.4) ** 2 - 0.4 * 0.6 / 49, (0.8 - 0.7) ** 2 - 0.7 * 0.3 / 49]
    assert reliability(p, true).error == pytest.approx(np.sqrt(np.mean(parts)))


def test_too_few_rows_are_refused() -> None:
    with pytest.raises(ValueError, match="29 rows"):
        reliability(np.full(29, 0.5), np.ones(29, dtype=bool))


def test_the_same_seed_draws_the_same_figures() -> None:
    p, rng = stated(120, 5)
    true = rng.random(120) < p
    assert reliability(p, true) == reliability(p, true)
    assert reliability(p, true, seed=1) != reliability(p, true)


def test_zero_on_what_is_true_stays_a_number() -> None:
    p, true = np.zeros(100), np.array([True] * 50 + [False] * 50)
    found = reliability(p, true)
    assert found.error == pytest.approx(0.5, abs=0.01)
    assert np.isfinite([found.error, found.low, found.high, found.plain]).all()
