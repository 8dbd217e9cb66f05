from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.evidence.statistics import reliability
from arena.evidence.statistics.reliability import at_least_once, every_time, noise


@given(st.lists(st.booleans(), min_size=1, max_size=7), st.integers(1, 7))
def test_both_are_the_shares_of_all_draws_of_k_repeats(passed: list[bool], k: int) -> None:
    if k > len(passed):
        return
    groups = list(combinations(passed, k))
    assert at_least_once(sum(passed), len(passed), k) == pytest.approx(sum(map(any, groups)) / len(groups))
    assert every_time(sum(passed), len(passed), k) == pytest.approx(sum(map(all, groups)) / len(groups))


def test_every_time_is_unbiased_where_the_plug_in_is_not() -> None:
    # p = .7, five repeats, k = 3: .343 is the truth.
    chances = {c: len(list(combinations(range(5), c))) * 0.7**c * 0.3 ** (5 - c) for c in range(6)}
    assert sum(chance * every_time(c, 5, 3) for c, chance in chances.items()) == pytest.approx(0.343)
    assert sum(chance * (c / 5) ** 3 for c, chance in chances.items()) == pytest.approx(0.428, abs=1e-3)


def test_a_case_with_fewer_repeats_leaves_and_is_counted() -> None:
    found = reliability.reliability("pass^k", {"x": [True] * 4, "y": [True, True, True, False], "z": [True]}, 2)
    assert (found.cases, found.of) == (2, 3)
    assert found.mean == pytest.approx(0.75)
    assert found.says() == "2 of 3 cases have at least 2 independent repeats"


def test_no_case_with_k_repeats_is_unknown() -> None:
    found = reliability.reliability("pass@k", {"x": [True]}, 3)
    assert (found.mean, found.interval) == (None, None)


def test_the_difference_is_over_the_cases_of_both() -> None:
    a = reliability.reliability("pass^k", {"x": [True, False], "y": [True, True], "z": [False]}, 2)
    b = reliability.reliability("pass^k", {"x": [True, True], "y": [True, True], "z": [True, True]}, 2)
    mean, interval = reliability.difference(a, b)
    assert mean == pytest.approx(0.5)
    assert interval is not None


@pytest.mark.parametrize(("passed", "repeats", "k"), [(3, 2, 1), (1, 2, 3), (0, 2, 0), (-1, 2, 1)])
def test_counts_that_cannot_be_are_refused(passed: int, repeats: int, k: int) -> None:
    with pytest.raises(ValueError, match="k = "):
        every_time(passed, repeats, k)


def test_the_noise_of_repeats_by_hand() -> None:
    # Within x: 1, 3 around 2; within y: 4, 4; pooled variance 2 / 2; t(2) = 4.302653.
    found = noise({"x": [1.0, 3.0], "y": [4.0, 4.0], "alone": [9.0]})
    assert found is not None
    assert (found.spread, found.repeats, found.cases) == (1.0, 4, 2)
    assert found.floor == pytest.approx(4.302653 * 2**0.5, rel=1e-6)
    assert found.floor_of_means(4) == pytest.approx(found.floor / 2)


def test_without_repeats_nothing_is_known_of_the_noise() -> None:
    assert noise({"x": [1.0], "y": [2.0]}) is None
