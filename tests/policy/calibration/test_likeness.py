"""Near-duplicates: found whatever the size of the set, kept in one family, told where they lie across a split."""

from __future__ import annotations

import json
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy.calibration import likeness
from policy.calibration.fixture_lines import read
from policy.calibration.fixtures import Fixture


def skills(*tasks: str, **more: list[str]) -> tuple[Fixture, ...]:
    rows = [
        {"id": f"s{n}", "kind": "skill", "task": task, "candidates": [], "expect": {"status": "none"}}
        | {key: values[n] for key, values in more.items() if values[n]}
        for n, task in enumerate(tasks)
    ]
    return read("\n".join(json.dumps(row) for row in rows))


@given(st.lists(st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=6).map(" ".join), min_size=1, max_size=12))
def test_the_pairs_are_all_with_a_jaccard_of_a_half(tasks: list[str]) -> None:
    held = [set(task.split()) for task in tasks]
    close = {
        (one, other)
        for one, other in combinations(range(len(tasks)), 2)
        if len(held[one] & held[other]) / len(held[one] | held[other]) >= 0.5
    }
    found = likeness.alike(skills(*tasks), str.split).pairs
    assert {(pair.first, pair.second) for pair in found} == close


def test_a_chain_of_near_duplicates_is_one_family_and_named_families_join() -> None:
    fixtures = skills("a b", "b a c", "c a b d", "x", "y", family=["", "", "", "f", "f"])
    groups = likeness.alike(fixtures, str.split).families
    assert groups[0] == groups[1] == groups[2] != groups[3] == groups[4]


def test_the_same_question_with_two_labels_is_a_contradiction() -> None:
    one = {"id": "a", "kind": "assessment", "task": "t", "toolId": "x", "arguments": {}, "expect": {"status": "allow"}}
    fixtures = read("\n".join(map(json.dumps, (one, {**one, "id": "b", "expect": {"status": "deny"}}))))
    near = likeness.alike(fixtures, str.split).pairs
    assert [pair.share for pair in near] == [1.0]
    assert likeness.contradicting(fixtures, near) == list(near)


def test_only_pairs_on_both_sides_of_a_split_are_across() -> None:
    fixtures = skills("a b", "a b c", "a b d", split=["train", "held-out", "train"])
    near = likeness.alike(fixtures, str.split).pairs
    assert {(pair.first, pair.second) for pair in likeness.across(fixtures, near)} == {(0, 1), (1, 2)}


def test_a_set_in_which_all_are_alike_lists_some_pairs_and_counts_the_rest() -> None:
    found = likeness.alike(skills(*(f"a b c {n}" for n in range(30))), str.split, most=20)
    assert [(pair.first, pair.second) for pair in found.pairs] == [(0, n) for n in range(1, 21)]
    assert found.unlisted == 30 * 29 // 2 - 20
    assert len(set(found.families.tolist())) == 1


@given(st.lists(st.sets(st.sampled_from("abcdefgh"), min_size=1), min_size=1, max_size=12))
def test_words_that_are_everywhere_are_counted_apart_and_find_the_same(tasks: list[set[str]]) -> None:
    fixtures = skills(*(" ".join(sorted(task)) for task in tasks))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(likeness, "COMMON", len(tasks) + 1)
        plain = likeness.alike(fixtures, str.split)
        patch.setattr(likeness, "COMMON", 1)
        apart = likeness.alike(fixtures, str.split)
    assert apart.pairs == plain.pairs
    assert apart.families.tolist() == plain.families.tolist()
