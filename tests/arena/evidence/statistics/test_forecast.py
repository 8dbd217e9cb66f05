from __future__ import annotations

from itertools import pairwise

from arena.evidence.statistics.forecast import Forecast, forecast, looks
from arena.evidence.statistics.verdicts import verdict
from tests.arena.evidence.statistics.conftest import series


def ahead(values: list[float], **options: int) -> Forecast | None:
    return forecast(verdict(series(values)), **options)


def test_five_wins_are_nearly_there_and_even_pairs_are_not() -> None:
    near, far = ahead([1.0] * 6), ahead([1.0, -1.0] * 10)
    assert near is not None
    assert far is not None
    assert near.median is not None
    assert near.median <= 4
    assert far.median is None or far.median > near.median


def test_a_word_that_is_reached_and_too_few_cases_have_no_forecast() -> None:
    assert ahead([1.0] * 8) is None
    assert ahead([1.0, -1.0]) is None


def test_beyond_the_limit_it_is_unlikely() -> None:
    found = ahead([1.0, -1.0] * 20, limit=5)
    assert found is not None
    assert found.unlikely
    assert found.ended < 0.5


def test_one_seed_gives_one_range() -> None:
    values = [1.0, 0.0, -1.0, 1.0, 0.0, 0.0, 1.0]
    assert ahead(values) == ahead(values)
    assert ahead(values) != ahead(values, seed=3)


def test_the_range_is_in_order() -> None:
    for values in ([1.0, 0.0, -1.0, 1.0, 0.0, 0.0, 1.0], [0.4, -0.2, 0.0, 0.6, 0.2]):
        found = ahead(values, limit=100_000)
        assert found is not None
        assert found.low is not None
        assert found.median is not None
        assert found.high is not None
        assert 1 <= found.low <= found.median <= found.high


def test_looks_come_after_each_case_first_and_end_at_the_limit() -> None:
    found = looks(2_000)
    assert found[:5] == [1, 2, 3, 4, 5]
    assert found[-1] == 2_000
    assert all(later - earlier <= 1 + 0.03 * earlier for earlier, later in pairwise(found))
