"""Loops in the database: one chain for every subject of a user, whoever asks and from whichever process."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from policy.engine.loops import LoopDetector, call_key
from policy.engine.profile import InvalidConfig
from policy.models import LoopChain
from policy.people.models import User
from policy.people.services import NotAllowed, local_user
from policy.services import loops


def observe(by: User, subject: str = "a", argument: Any = 1, **more: Any) -> loops.Observation:
    return loops.observe(subject=subject, tool="t", arguments={"x": argument}, by=by, **more)


def check(by: User, subject: str = "a", argument: Any = 1, **more: Any) -> loops.Check:
    return loops.check(subject=subject, tool="t", arguments={"x": argument}, by=by, **more)


def test_the_third_identical_call_is_denied(owner: User) -> None:
    seen = []
    for _ in range(2):
        seen.append((check(owner).decision, observe(owner).repeated))
    assert seen == [(None, False), (None, True)]
    decision = check(owner).decision
    assert decision is not None
    assert (decision.action, decision.rule, decision.applied) == ("deny", "gate.loop", True)
    assert "carried out 2 times in a row" in decision.reason


def test_another_call_begins_anew(owner: User) -> None:
    counts = [observe(owner, argument=argument).count for argument in (1, 1, 2, 1)]
    assert counts == [1, 2, 1, 1]


def test_a_check_counts_nothing(owner: User) -> None:
    observe(owner)
    assert [check(owner).count for _ in range(3)] == [1, 1, 1]


def test_in_shadow_a_loop_is_told_and_not_applied_and_off_says_nothing(owner: User) -> None:
    observe(owner)
    observe(owner)
    shadow = check(owner, mode="shadow").decision
    assert shadow is not None
    assert (shadow.action, shadow.applied) == ("deny", False)
    assert check(owner, mode="off").decision is None


def test_a_reset_forgets_one_subject_only(owner: User) -> None:
    observe(owner, "a")
    observe(owner, "b")
    assert (loops.reset(subject="a", by=owner), loops.reset(subject="a", by=owner)) == (True, False)
    assert (check(owner, "a").count, check(owner, "b").count) == (0, 1)


def test_the_subjects_of_two_people_are_two(owner: User) -> None:
    other = User.objects.create(username="other")
    observe(owner)
    observe(owner)
    assert (check(other).count, observe(other).count) == (0, 1)


def test_beyond_the_bound_the_subject_observed_longest_ago_is_forgotten(
    owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loops, "MAX_SUBJECTS", 2)
    for subject in ("a", "b", "a", "c"):
        observe(owner, subject)
    assert [check(owner, subject).count for subject in "abc"] == [2, 0, 1]


def test_the_bound_of_one_person_leaves_the_others_alone(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loops, "MAX_SUBJECTS", 1)
    other = User.objects.create(username="other")
    observe(other, "theirs")
    observe(owner, "a")
    observe(owner, "b")
    assert set(LoopChain.objects.values_list("subject", flat=True)) == {"theirs", "b"}


def test_no_argument_is_kept(owner: User) -> None:
    observe(owner, argument="hunter2-very-secret")
    row = LoopChain.objects.values().get()
    assert "hunter2" not in repr(row)


def test_a_tool_that_polls_is_counted_and_never_denied(owner: User) -> None:
    told = [observe(owner, exempt=["t"]) for _ in range(3)]
    assert [(each.count, each.repeated) for each in told] == [(1, False), (2, False), (3, False)]
    assert (check(owner, exempt=["t"]).decision, check(owner).count) == (None, 3)


@pytest.mark.parametrize("repeats", [1, 0, True, "2", None])
def test_fewer_than_two_repeats_are_refused(repeats: Any, owner: User) -> None:
    with pytest.raises(InvalidConfig, match="maxRepeats must be a whole number, 2 or more"):
        observe(owner, max_repeats=repeats)
    assert not LoopChain.objects.exists()


def test_a_reader_may_not_count(reader: User) -> None:
    with pytest.raises(NotAllowed):
        observe(reader)


@pytest.mark.django_db(transaction=True)
def test_two_connections_count_one_chain() -> None:
    owner = local_user()

    def observing(times: int) -> list[int]:
        try:
            return [observe(owner).count for _ in range(times)]
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        counts = [count for each in pool.map(observing, [15, 15]) for count in each]
    assert sorted(counts) == list(range(1, 31))


@pytest.mark.django_db(transaction=True)
def test_two_connections_keep_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loops, "MAX_SUBJECTS", 3)
    owner = local_user()

    def observing(name: str) -> None:
        try:
            for number in range(10):
                observe(owner, f"{name}{number}")
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(observing, ["a", "b"]))
    assert LoopChain.objects.count() == 3


STEPS = st.lists(st.tuples(st.sampled_from(["observe", "check", "reset"]), st.sampled_from("abc"), st.integers(1, 2)))


class TheDatabaseAndTheEngine(TestCase):
    """Hypothesis rolls back between examples only in a test case of its own."""

    @given(steps=STEPS)
    @settings(max_examples=60)
    def test_agree_on_every_sequence(self, steps: list[tuple[str, str, int]]) -> None:
        detector, owner = LoopDetector(max_repeats=2, max_subjects=64), local_user()
        for kind, subject, argument in steps:
            key = call_key("t", {"x": argument})
            if kind == "observe":
                seen, own = detector.observe(subject, key), observe(owner, subject, argument)
                assert (own.count, own.repeated) == (seen.count, seen.repeated)
            elif kind == "check":
                assert check(owner, subject, argument).count == detector.peek(subject, key)
            else:
                detector.reset(subject)
                loops.reset(subject=subject, by=owner)
