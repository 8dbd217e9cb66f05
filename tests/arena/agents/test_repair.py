"""The second try after a refusal or an empty search."""

from __future__ import annotations

import pytest

from arena.agents import repair
from arena.agents.arguments import Filled
from tests.arena.agents.desk import tool

LIST = tool(
    "list_rows",
    "List rows.",
    required={"query": "Words."},
    optional={"limit": {"type": "integer", "description": "Most rows."}},
)


@pytest.mark.parametrize(
    ("path", "error", "better"),
    [
        ("sum.ts", "The argument path names no file: 'sum.ts'; did you mean src/sum.ts?", "src/sum.ts"),
        ("src/carts.ts", "The argument path is unknown; use one of src/cart.ts, docs/cart.md.", "src/cart.ts"),
    ],
)
def test_the_refusal_offers_the_right_name(path: str, error: str, better: str) -> None:
    opened = tool("open_page", "Open.", required={"path": "Path."})
    assert repair.corrected(opened, {"path": path}, error) == {"path": better}


def test_a_refused_optional_argument_is_left_out() -> None:
    error = "The argument limit is 4802; send at most 20."
    assert repair.corrected(LIST, {"query": "lamp", "limit": 4802}, error) == {"query": "lamp"}


def test_numbers_are_never_replaced_by_near_numbers() -> None:
    error = "The argument query names no order: '4899'; the nearest are 4890, 4889."
    assert repair.corrected(LIST, {"query": "4899"}, error) is None


def test_a_refusal_about_something_else_gives_no_second_try() -> None:
    assert repair.corrected(LIST, {"query": "lamp"}, "The order is shipped already.") is None


def test_an_empty_search_is_widened_by_dropping_what_narrows() -> None:
    assert repair.widened(LIST, Filled({"query": "lamp", "limit": 3})) == {"query": "lamp"}


def test_guessed_search_words_are_reduced_to_the_longest() -> None:
    assert repair.widened(LIST, Filled({"query": "old desklamp"}, guessed=frozenset({"query"}))) == {
        "query": "desklamp"
    }
    assert repair.widened(LIST, Filled({"query": "old desklamp"})) is None
