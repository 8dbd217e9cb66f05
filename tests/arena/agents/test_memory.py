"""What results hold, and which record the task means."""

from __future__ import annotations

import pytest

from arena.agents.choosing import narrowed
from arena.agents.memory import Memory, Step, is_empty, records
from tests.arena.agents.desk import FIND, GUESTS, OPEN

ORDERS = [
    {"id": "4801", "placed_on": "2026-01-02", "total": 80},
    {"id": "4802", "placed_on": "2026-03-04", "total": 20},
]


def holders(found: object, argument: str) -> list[object]:
    return [value for value, _ in Memory([Step(FIND, {}, found)]).holders(argument)]


def test_an_id_is_the_id_of_a_record_of_that_kind_or_a_field_of_that_name() -> None:
    assert holders({"orders": ORDERS}, "order_id") == ["4801", "4802"]
    assert holders({"tickets": [{"id": "T-1", "order_id": "4801"}]}, "order_id") == ["4801"]
    assert holders({"tickets": [{"id": "T-1"}]}, "order_id") == []


def test_a_result_without_a_list_is_of_the_kind_that_its_tool_names() -> None:
    assert holders({"id": "G-1", "name": "Ada"}, "guest_id") == ["G-1"]


def test_the_newest_result_that_has_any_is_asked() -> None:
    memory = Memory(
        [Step(FIND, {}, {"guests": GUESTS}), Step(FIND, {}, {"guests": GUESTS[:1]}), Step(OPEN, {}, "text")]
    )
    assert [value for value, _ in memory.holders("guest_id")] == ["G-11"]


def test_a_repeated_value_counts_once() -> None:
    assert holders({"guests": [GUESTS[0], GUESTS[0]]}, "guest_id") == ["G-11"]


def test_a_refused_call_is_remembered_with_its_arguments() -> None:
    memory = Memory()
    memory.refuse(OPEN, {"path": "a"}, "no such page")
    assert memory.refused(OPEN, {"path": "a"}) == "no such page"
    assert memory.refused(OPEN, {"path": "b"}) == ""


@pytest.mark.parametrize("content", [{"of": 0, "guests": []}, [], "", None])
def test_a_result_without_records_is_empty(content: object) -> None:
    assert is_empty(content)


@pytest.mark.parametrize("content", [{"guests": GUESTS}, {"id": "1", "refunds": [1]}, {"id": "1"}, "text"])
def test_a_result_with_something_is_not_empty(content: object) -> None:
    assert not is_empty(content)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("cancel her latest order", ["4802"]),
        ("storniere die letzte Bestellung", ["4802"]),
        ("cancel the oldest order", ["4801"]),
        ("cancel the cheapest order", ["4802"]),
        ("cancel the order 4801", ["4801"]),
        ("cancel the order", ["4801", "4802"]),
        ("at last somebody asked for an order", ["4801", "4802"]),
    ],
)
def test_the_task_picks_among_records(text: str, left: list[str]) -> None:
    found = Memory([Step(FIND, {}, {"orders": ORDERS})]).holders("order_id")
    german = "Bestellung" in text
    assert [value for value, _ in narrowed(found, "order_id", [text], german=german)] == left


def test_a_record_is_named_by_its_id_and_what_people_know_it_by() -> None:
    record = next(each for each in records(Step(FIND, {}, {"guests": GUESTS})) if "id" in each.fields)
    assert record.name() == "G-11, Ada Byron, London"
