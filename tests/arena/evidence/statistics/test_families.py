from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.evidence.statistics.families import corrected, families, holm, screened
from arena.evidence.statistics.verdicts import Word, verdict
from tests.arena.evidence.statistics.conftest import series


def test_holm_by_hand() -> None:
    assert holm({"a": 0.01, "b": 0.04, "c": 0.03}) == pytest.approx({"a": 0.03, "b": 0.06, "c": 0.06})


@given(st.lists(st.floats(1e-6, 1), min_size=1, max_size=5))
def test_holm_is_the_closed_test_of_bonferroni(chances: list[float]) -> None:
    named = dict(enumerate(chances))
    for name, adjusted in holm(named).items():
        groups = [group for size in range(1, len(named) + 1) for group in combinations(named, size) if name in group]
        closed = max(min(1.0, len(group) * min(named[one] for one in group)) for group in groups)
        assert adjusted == pytest.approx(closed)


def test_success_is_a_family_of_its_own() -> None:
    assert families(["cost", "success", "working_ms"]) == {"primary": ["success"], "second": ["cost", "working_ms"]}
    assert families(["cost"]) == {"second": ["cost"]}


def test_one_arm_alone_needs_no_correction() -> None:
    said = verdict(series([1] * 9))
    found = corrected({"selected": said}, said.series.cases)["selected"]
    assert (found.word, found.at) == (said.word, said.at)
    assert found.p == pytest.approx(said.p)


def test_among_five_arms_the_same_wins_are_too_few() -> None:
    arms = {f"arm-{number}": verdict(series([1] * 8 if not number else [1, -1] * 4)) for number in range(5)}
    assert arms["arm-0"].word == Word.BETTER
    found = corrected(arms, arms["arm-0"].series.cases)
    assert found["arm-0"].word == Word.INCONCLUSIVE
    assert found["arm-0"].p == pytest.approx(5 * 9 / 256)


def test_what_one_arm_shows_makes_room_for_the_next() -> None:
    # With Holm's second step the level of the second arm is halved no more once the first is through.
    arms = {"a": verdict(series([1] * 20)), "b": verdict(series([1] * 8 + [0] * 12))}
    found = corrected(arms, arms["a"].series.cases)
    assert found["b"].word == Word.BETTER
    assert found["b"].p == pytest.approx(9 / 256)


@settings(max_examples=30)
@given(
    st.lists(st.tuples(*[st.sampled_from([1.0, 1.0, 1.0, 0.0, -1.0])] * 3), min_size=2, max_size=25),
    st.integers(1, 10),
)
def test_a_corrected_word_is_never_taken_back(rows: list[tuple[float, ...]], cut: int) -> None:
    def at(length: int) -> dict[int, Word]:
        arms = {arm: verdict(series([row[arm] for row in rows[:length]])) for arm in range(3)}
        return {name: one.word for name, one in corrected(arms, arms[0].series.cases).items()}

    early, late = at(max(1, len(rows) - cut)), at(len(rows))
    assert all(late[arm] == word for arm, word in early.items() if word != Word.INCONCLUSIVE)


def test_the_screen_rejects_the_largest_that_reach_their_share() -> None:
    # 20 K = 80: 90 alone reaches it; 45 needs 2 x 45 >= 80; 20 needs 3 x 20 >= 80 and fails.
    assert screened({"a": 90.0, "b": 45.0, "c": 20.0, "d": 1.0}) == ["a", "b"]
    assert screened({"a": 10.0, "b": 5.0}) == []
