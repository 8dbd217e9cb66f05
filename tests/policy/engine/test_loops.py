"""Loops: equal calls in a row are counted per subject, and only equal ones."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy.engine.loops import LoopDetector, Observation, call_key
from tests.policy.engine.test_bounded_call import ARGUMENTS, shuffled


def counts(detector: LoopDetector, *keys: str) -> list[int]:
    return [detector.observe("a", key).count for key in keys]


def test_the_same_call_in_a_row_is_counted_and_another_begins_anew() -> None:
    assert counts(LoopDetector(), "k", "k", "j", "k", "k", "k") == [1, 2, 1, 1, 2, 3]


def test_a_call_is_repeated_from_the_limit_on() -> None:
    detector = LoopDetector(max_repeats=3)
    assert [detector.observe("a", "k").repeated for _ in range(4)] == [False, False, True, True]


def test_looking_counts_nothing() -> None:
    detector = LoopDetector()
    counts(detector, "k", "k")
    assert detector.check("a", "k") == detector.check("a", "k") == Observation(2, True)
    assert detector.peek("a", "j") == detector.peek("b", "k") == 0


def test_an_exempt_tool_may_be_called_again_on_purpose() -> None:
    detector = LoopDetector(exempt=["poll"])
    assert [detector.observe("a", "k", tool="poll") for _ in range(3)][-1] == Observation(3, False)
    assert not detector.check("a", "k", tool="poll").repeated
    assert detector.check("a", "k", tool="send").repeated


def test_the_subject_that_was_observed_longest_ago_is_forgotten() -> None:
    detector = LoopDetector(max_subjects=2)
    for subject in ("a", "b", "a", "c"):
        detector.observe(subject, "k")
    assert [detector.peek(subject, "k") for subject in "abc"] == [2, 0, 1]
    assert detector.size == 2


def test_other_options_keep_what_was_counted() -> None:
    detector = LoopDetector(max_repeats=5)
    counts(detector, "k", "k")
    detector.adjust(max_repeats=2)
    assert detector.check("a", "k").repeated


def test_one_subject_or_all_can_be_forgotten() -> None:
    detector = LoopDetector()
    detector.observe("a", "k"), detector.observe("b", "k")
    detector.reset("a")
    assert (detector.peek("a", "k"), detector.peek("b", "k")) == (0, 1)
    detector.clear()
    assert detector.size == 0


@pytest.mark.parametrize(
    "options",
    [{"max_repeats": 1}, {"max_repeats": True}, {"max_repeats": 2.0}, {"max_subjects": 0}, {"exempt": "poll"}],
)
def test_an_unusable_option_is_a_type_error_that_names_it(options: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match=next(iter(options))):
        LoopDetector(**options)


@given(ARGUMENTS, st.randoms(use_true_random=False))
def test_the_key_does_not_depend_on_the_order_of_keys(arguments: dict[str, Any], dice: random.Random) -> None:
    assert call_key("t", arguments) == call_key("t", shuffled(arguments, dice))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"a": "x" * 5_000 + "A"}, {"a": "x" * 5_000 + "B"}),
        ({"password": "a"}, {"password": "b"}),
        ({"a": list(range(30))}, {"a": [*range(29), 0]}),
        ({"a": True}, {"a": 1}),
        ({"a": "1"}, {"a": 1}),
        ({"a": None}, {}),
        ({"a": [1, 2]}, {"a": [2, 1]}),
        ({"a": 2**70}, {"a": 2**70 + 1}),
        ({"a": "\ud800"}, {"a": "\ufffd"}),
    ],
)
def test_calls_that_differ_anywhere_have_different_keys(one: Any, other: Any) -> None:
    assert call_key("t", one) != call_key("t", other)


def test_json_has_one_kind_of_number_and_tuples_are_lists() -> None:
    assert call_key("t", {"a": 1.0, "b": -0.0, "c": (1,)}) == call_key("t", {"a": 1, "b": 0, "c": [1]})


def test_the_tool_is_part_of_the_key() -> None:
    assert call_key("t", {}) != call_key("u", {})


def test_odd_values_have_a_key_as_well() -> None:
    ring: list[Any] = []
    ring.append(ring)
    deep: list[Any] = []
    for _ in range(5_000):
        deep = [deep]
    for value in (ring, deep, {1, 2}, float("nan"), b"x", 10**5_000, {None: 1, 1.5: 2}):
        assert len(call_key("t", value)) == 64
