from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.cases.case import Case, Transcript
from arena.catalogs.catalog import Catalog, Category
from arena.catalogs.menus import menu_for, recall_at_menu
from arena.catalogs.tool import Tool

CATEGORIES = ("files", "orders", "mail", "logs")
ARGUMENTS = ("path", "order_id", "to", "since")


def tool(number: int, **changes: Any) -> Tool:
    category, argument = CATEGORIES[number % 4], ARGUMENTS[number // 4 % 4]
    schema = {"properties": {argument: {"type": "string"}}, "required": []}
    made = Tool(f"tool_{number:03}", category, f"Handles {argument} of the {category} shelf.", schema, "observe")
    return replace(made, **changes)


def catalog(count: int = 130) -> Catalog:
    tools = [tool(number) for number in range(count)]
    tools[9] = tool(9, prerequisites=("tool_102",))
    tools[30] = tool(30, prerequisites=("tool_101", "tool_009"))
    tools[77] = tool(77, description="Paints the ceiling and repairs an umbrella.")
    return Catalog(tuple(tools), tuple(Category(name, name, name) for name in CATEGORIES))


def case(*acceptable: set[str], **changes: Any) -> Case:
    made = Case(
        id="sample",
        title="Sample",
        kind="read",
        summary="A sample.",
        task="Please have my umbrella repaired.",
        lang="en",
        world="shop",
        ending="answer" if acceptable else "decline",
        acceptable=tuple(frozenset(tools) for tools in acceptable),
        forbids=(),
        restrictions=(),
        values={},
        checks=(),
        wrong=Transcript("answered", "Done."),
    )
    return replace(made, **changes)


CATALOG = catalog()
cases = st.sampled_from([case({"tool_005"}), case({"tool_030"}, {"tool_001", "tool_002"}), case()])
seeds = st.integers(0, 5)


@given(cases, seeds)
def test_a_larger_menu_contains_the_smaller(sample: Case, seed: int) -> None:
    menus = [set(menu_for(sample, CATALOG, size, seed).ids) for size in (3, 8, 20, 40, 60, 120)]
    assert all(small <= large for small, large in pairwise(menus))


@given(cases, st.integers(0, 200), seeds)
def test_the_real_size_is_what_was_asked_for_within_need_and_catalog(sample: Case, size: int, seed: int) -> None:
    menu = menu_for(sample, CATALOG, size, seed)
    assert menu.size == len(set(menu.ids)) == min(max(size, len(menu.needed)), len(CATALOG.tools))


@given(cases, st.integers(0, 130), seeds)
def test_a_menu_is_in_catalog_order_and_holds_every_prerequisite(sample: Case, size: int, seed: int) -> None:
    menu = menu_for(sample, CATALOG, size, seed)
    assert list(menu.ids) == [tool_id for tool_id in CATALOG.ids if tool_id in menu.ids]
    assert all(needed in menu.ids for tool in menu.tools for needed in tool.prerequisites)


@given(cases, st.integers(0, 130), seeds)
def test_a_menu_is_the_same_every_time(sample: Case, size: int, seed: int) -> None:
    assert menu_for(sample, CATALOG, size, seed) == menu_for(sample, catalog(), size, seed)


def test_another_seed_draws_other_distractors() -> None:
    assert menu_for(case({"tool_005"}), CATALOG, 20, 1).ids != menu_for(case({"tool_005"}), CATALOG, 20, 2).ids


def test_what_the_case_needs_is_in_every_menu_with_its_prerequisites() -> None:
    menu = menu_for(case({"tool_030"}, {"tool_001"}), CATALOG, 3)
    assert set(menu.ids) == {"tool_001", "tool_009", "tool_030", "tool_101", "tool_102"}
    assert menu.size == 5


def test_distractors_of_the_same_category_and_argument_come_first() -> None:
    menu = menu_for(case({"tool_005"}), CATALOG, 8)
    others = [tool for tool in menu.tools if tool.id not in menu.needed]
    assert {(tool.category, *tool.properties) for tool in others} == {("orders", "order_id")}


def test_forbidden_tools_are_the_first_distractors() -> None:
    menu = menu_for(case({"tool_005"}, forbids=("tool_076",), restrictions=("Leave it.",)), CATALOG, 2)
    assert menu.ids == ("tool_005", "tool_076")


def test_distractors_of_a_case_without_tools_sound_like_the_task() -> None:
    assert menu_for(case(), CATALOG, 1).ids == ("tool_077",)


@pytest.mark.parametrize(
    ("ids", "complete"),
    [
        (["tool_001", "tool_002"], True),
        (["tool_030", "tool_009", "tool_101", "tool_102"], True),
        (["tool_030", "tool_009", "tool_101"], False),
        (["tool_001", "tool_030"], False),
        ([], False),
    ],
)
def test_recall_asks_for_one_complete_set_with_prerequisites(ids: list[str], complete: bool) -> None:
    assert recall_at_menu(case({"tool_030"}, {"tool_001", "tool_002"}), CATALOG, ids) is complete


def test_recall_is_unknown_where_no_tool_is_needed() -> None:
    assert recall_at_menu(case(), CATALOG, ["tool_001"]) is None
