"""Menus of the controls: rules that hold for every size, seed and case."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena import controls
from arena.catalogs.menus import Menu, menu_for
from arena.models import Arm
from policy.judges import ranking
from tests.arena.catalogs.test_menus import CATALOG, case

CASES = (
    case({"tool_005"}),
    case({"tool_030"}, {"tool_001", "tool_002"}),
    case({"tool_030"}, forbids=("tool_001", "tool_077"), restrictions=("No.",)),
    case({"tool_005"}, forbids=("tool_101",), restrictions=("No.",)),
)
cases = st.sampled_from(CASES)
sizes = st.integers(0, 60)
seeds = st.integers(0, 5)
ranked = st.sampled_from([Arm.BM25, Arm.RANDOM])


def run_menu(one: Any, size: int = 60) -> Menu:
    return menu_for(one, CATALOG, size)


def chosen(arm: Arm, one: Any, size: int, *, seed: int = 1, of: int = 60) -> tuple[str, ...]:
    entries = controls.of_size(arm, size, one, run_menu(one, of), CATALOG, seed=seed, cache_dir=None)
    return tuple(entry.id for entry in entries)


def usable(one: Any, of: int = 60) -> set[str]:
    """What may be in a control: in the run's menu, not forbidden, and everything it needs as well."""
    allowed = set(run_menu(one, of).ids) - set(one.forbids)
    return {name for name in allowed if not CATALOG.with_prerequisites([name], available=allowed)[1]}


@given(ranked, cases, sizes, seeds)
def test_a_control_is_part_of_the_menu_of_exactly_that_size(arm: Arm, one: Any, size: int, seed: int) -> None:
    names = chosen(arm, one, size, seed=seed)
    assert len(names) == len(set(names)) == min(size, len(usable(one)))
    assert set(names) <= usable(one)


@given(ranked, cases, sizes, seeds)
def test_no_control_holds_a_tool_that_could_never_be_used(arm: Arm, one: Any, size: int, seed: int) -> None:
    names = set(chosen(arm, one, size, seed=seed))
    assert CATALOG.with_prerequisites(names)[0] == ()


@given(ranked, cases, st.integers(0, 59), seeds)
def test_the_smaller_control_is_part_of_the_larger(arm: Arm, one: Any, size: int, seed: int) -> None:
    assert set(chosen(arm, one, size, seed=seed)) <= set(chosen(arm, one, size + 1, seed=seed))


@given(cases, sizes, seeds)
def test_the_same_seed_draws_the_same_menu_in_catalog_order(one: Any, size: int, seed: int) -> None:
    names = chosen(Arm.RANDOM, one, size, seed=seed)
    assert names == chosen(Arm.RANDOM, one, size, seed=seed)
    assert names == tuple(name for name in CATALOG.ids if name in names)


def test_other_seeds_draw_other_menus_and_every_tool_comes_up() -> None:
    drawn = [chosen(Arm.RANDOM, CASES[0], 10, seed=seed) for seed in range(60)]
    assert len(set(drawn)) > 50
    assert set().union(*map(set, drawn)) == usable(CASES[0])


def test_words_of_the_task_come_first_by_bm25() -> None:
    names = chosen(Arm.BM25, CASES[0], 1, of=130)
    assert names == ("tool_077",)


def test_a_prerequisite_of_a_ranked_tool_is_told_apart() -> None:
    one = case({"tool_030"}, task="tool 030")
    entries = controls.of_size(Arm.BM25, 4, one, run_menu(one), CATALOG, seed=1, cache_dir=None)
    roles = {entry.id: entry.role for entry in entries}
    assert roles["tool_030"] == "ranked"
    assert {name for name, role in roles.items() if role == "prerequisite"} == {"tool_009", "tool_101", "tool_102"}


@given(cases)
def test_the_oracle_holds_what_the_case_accepts_and_needs_and_nothing_else(one: Any) -> None:
    entries = controls.oracle(one, run_menu(one), CATALOG)
    joining, _ = CATALOG.with_prerequisites(one.acceptable_ids)
    wanted = (one.acceptable_ids | set(joining)) - set(one.forbids)
    assert {entry.id for entry in entries} == wanted
    assert {entry.id for entry in entries if entry.role == "needed"} == one.acceptable_ids - set(one.forbids)


def test_the_oracle_of_a_case_that_needs_nothing_is_empty() -> None:
    assert controls.oracle(case(), run_menu(case()), CATALOG) == ()


def test_sentence_vectors_find_what_no_word_says() -> None:
    passages = ["Sends an electronic letter to somebody.", "Deletes a folder.", "Lists the prices of a shop."]
    try:
        scores = ranking.by_vectors("e-mail Anna", passages, cache_dir=None, timeout_s=60)
    except ranking.NoRanking as missing:
        pytest.skip(str(missing))
    assert scores.index(max(scores)) == 0
    assert ranking.by_words("e-mail Anna", passages) == [0, 0, 0]
    assert all(-1.001 <= score <= 1.001 for score in scores)


def test_a_ranking_of_nothing_is_empty() -> None:
    assert ranking.by_words("anything", []) == ranking.by_vectors("x", [], cache_dir=None, timeout_s=1) == []
