"""Filling arguments from facts, words and earlier results."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from arena.agents import arguments, clauses, words
from arena.agents.arguments import Filled, Known
from arena.agents.memory import Memory, Step
from arena.catalogs.tool import Tool
from tests.arena.agents.desk import FIND, GUESTS, tool

GUEST_ID = {"guest_id": "Id of the guest, like G-12."}


def fill(each: Tool, task: str, *, values: Mapping[str, Any] | None = None, found: Any = None) -> Filled:
    memory = Memory([Step(FIND, {"query": "x"}, found)] if found is not None else [])
    (clause, *_) = clauses.read(task).steps
    return arguments.fill(each, Known(task, clause, values or {}, memory, words.is_german(task)))


def filled(rule: Any, task: str, *, name: str = "it", **known: Any) -> Any:
    """What one required argument is filled with; None when it stays open."""
    return fill(tool("use", "Use.", required={name: rule}), task, **known).arguments.get(name)


@pytest.mark.parametrize(
    ("name", "rule", "task", "value"),
    [
        ("path", "Path of the file.", "Open src/cart.ts now.", "src/cart.ts"),
        ("to", "Address.", "Write to a.b@post.example today.", "a.b@post.example"),
        ("since", "First day.", "Count errors since 2026-03-11.", "2026-03-11"),
        ("guest_id", "Like G-12.", "Look up G-11, not T-1.", "G-11"),
        ("order_id", "Order number, like 4801.", "Refund 45.50 of order 4807.", "4807"),
        ("amount", {"type": "number", "description": "Euros."}, "Refund 45.50 euros.", 45.5),
        ("nights", {"type": "integer", "description": "How many."}, "Stay 3 nights.", 3),
        ("level", {"type": "string", "enum": ["info", "error"], "description": "Severity."}, "List errors.", "error"),
        ("service", "Name of the service.", "Restart the checkout service.", "checkout"),
        ("module", "Name of the module.", "Prüfe das Modul billing.", "billing"),
        ("name", "Name, for example fastify.", "Which version of `nanoid` do we use?", "nanoid"),
        ("query", "What to look for.", "Search for “out of stock” in it.", "out of stock"),
        ("query", "What to look for.", "Look up Anna Meyer.", "Anna Meyer"),
        ("tags", {"type": "array", "items": {"type": "string"}, "description": "Ids like G-1."}, "Tag G-1.", ["G-1"]),
    ],
)
def test_words_of_the_task_fill_an_argument_of_their_kind(name: str, rule: Any, task: str, value: Any) -> None:
    assert filled(rule, task, name=name) == value


def test_a_known_fact_of_the_same_name_wins() -> None:
    assert filled("Path.", "Open src/a.ts.", name="path", values={"path": "src/b.ts"}) == "src/b.ts"


def test_one_fact_may_fill_two_arguments() -> None:
    span = tool("count", "Count.", required={"since": "First day.", "until": "Last day."})
    day = "2026-03-11"
    assert fill(span, "Count.", values={"since": day, "until": day}).arguments == {"since": day, "until": day}


def test_a_literal_fills_one_argument_only() -> None:
    pair = tool("compare", "Compare.", required={"left": "First path.", "right": "Second path."})
    assert fill(pair, "Compare a/one.ts and a/two.ts.").arguments == {"left": "a/one.ts", "right": "a/two.ts"}
    assert fill(pair, "Compare a/one.ts.").missing == ("right",)


def test_a_literal_that_belongs_to_another_fact_is_left_alone() -> None:
    task = "Meyer has moved to Hafenstraße 3."
    assert filled("Name.", task, name="query", values={"street": "Hafenstraße 3"}) == "Meyer"


def test_a_fact_under_a_similar_name_fits() -> None:
    assert filled("Town.", "Correct it.", name="home_town", values={"town": "Kiel"}) == "Kiel"


def test_an_id_comes_from_the_record_that_was_found() -> None:
    assert filled("Id, like G-12.", "Book it.", name="guest_id", found={"guests": GUESTS[2:]}) == "G-13"


def test_several_found_records_are_an_ambiguity_that_keeps_them() -> None:
    result = fill(tool("book", "Book.", required=GUEST_ID), "Book it.", found={"guests": GUESTS})
    assert result.ambiguity is not None
    assert [record.fields["id"] for record in result.ambiguity.records] == ["G-11", "G-12", "G-13"]
    assert not result.complete


def test_the_words_of_the_task_tell_found_records_apart() -> None:
    assert filled("Like G-12.", "Book Ada from Bath.", name="guest_id", found={"guests": GUESTS}) == "G-12"


def test_the_amount_is_the_total_that_was_found() -> None:
    euros = {"type": "number", "description": "Euros."}
    assert filled(euros, "Refund it.", name="amount", found={"id": "1", "total": "129.00"}) == 129


def test_a_free_text_is_what_was_said_or_the_background() -> None:
    rule = "What happened."
    close = tool("close", "Close it.", required={"reason": rule}, effect="modify")
    assert fill(close, "Close it because the fix is out.").arguments["reason"] == "the fix is out"
    assert fill(close, "Close it. The fix is out.").arguments["reason"] == "The fix is out"
    assert fill(close, "Close it. The fix is out.").guessed == {"reason"}


def test_optional_arguments_are_filled_from_sure_sources_only() -> None:
    limit = {"type": "integer", "description": "Most rows."}
    listing = tool("list_rows", "List rows.", optional={"limit": limit, "note": "A remark."})
    assert fill(listing, "List the rows of order 4801.").arguments == {}
    assert fill(listing, "List the rows, limit 5.").arguments == {"limit": 5}


def test_nothing_is_invented() -> None:
    result = fill(tool("book", "Book.", required=GUEST_ID), "Book a room.")
    assert (dict(result.arguments), result.missing) == ({}, ("guest_id",))


@pytest.mark.parametrize("value", ["blue", "", True, None, 3.5])
def test_values_of_the_wrong_type_are_not_taken(value: Any) -> None:
    assert filled({"type": "integer", "description": "Count."}, "Do.", values={"it": value}) is None
