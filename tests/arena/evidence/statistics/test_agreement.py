from __future__ import annotations

import numpy as np
import pytest

from arena.evidence.statistics.agreement import _kappa, alpha, kappa

# Krippendorff's example: four raters, twelve items, gaps; nominal alpha .743.
PUBLISHED = ["111", "2232", "3333", "3333", "2222", "1234", "4444", "1121", "2222", "555", "11", "3"]


def test_kappa_by_hand() -> None:
    # 20 both yes, 15 both no, 5 and 10 apart: agreed .7, expected .5, kappa .4.
    found = kappa([("y", "y")] * 20 + [("y", "n")] * 5 + [("n", "y")] * 10 + [("n", "n")] * 15)
    assert found.items == 50
    assert found.value == pytest.approx(0.4)
    assert found.observed == pytest.approx(0.7)
    assert found.low is not None
    assert found.high is not None
    assert found.low < 0.4 < found.high


def test_the_large_sample_error_is_that_of_the_delta_method() -> None:
    table = np.array([[20.5, 4.0, 1.0], [3.0, 11.0, 2.5], [0.5, 2.0, 9.0]])
    n, shares = table.sum(), table / table.sum()
    step = 1e-6
    slopes = np.array(
        [
            (_kappa(shares + step * cell)[0] - _kappa(shares - step * cell)[0]) / (2 * step)
            for cell in np.eye(9).reshape(9, 3, 3)
        ]
    )
    flat = shares.ravel()
    variance = (flat @ slopes**2 - (flat @ slopes) ** 2) / n
    assert _kappa(table)[1] == pytest.approx(variance**0.5, rel=1e-6)


def test_alpha_of_the_published_example() -> None:
    found = alpha([list(item) for item in PUBLISHED])
    assert found.value == pytest.approx(0.743, abs=5e-4)
    assert found.items == 11


def test_full_agreement_is_one_with_an_honest_interval() -> None:
    pairs = [("y", "y")] * 10 + [("n", "n")] * 10
    for found in (kappa(pairs), alpha(pairs)):
        assert found.value == 1.0
        assert found.low is not None
        assert 0.4 < found.low < 0.9


@pytest.mark.parametrize("found", [kappa([("y", "y")] * 9), alpha([["y", "y", "y"]] * 9)])
def test_one_category_only_is_undefined(found: object) -> None:
    assert (found.value, found.low) == (None, None)  # type: ignore[attr-defined]
    assert "only one category" in found.reason  # type: ignore[attr-defined]


def test_nothing_rated_twice_is_undefined() -> None:
    assert kappa([]).value is None
    assert alpha([["y"], ["n"], []]).reason == "undefined: no item was rated twice"
