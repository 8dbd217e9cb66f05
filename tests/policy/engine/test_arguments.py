"""What a call leaves out is found by the tool's schema, before a judge is asked."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy.engine.arguments import RULE, Lack, MissingArgument, decide, missing_arguments, placeholder

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"to": {"type": "string"}, "amount": {"type": "number"}, "note": {"type": "string"}},
    "required": ["to", "amount"],
}


def _one(schema: dict[str, Any], value: Any) -> list[Lack]:
    whole = {"properties": {"it": schema}, "required": ["it"]}
    return [found.lack for found in missing_arguments(whole, {"it": value})]


def test_a_call_with_everything_required_lacks_nothing() -> None:
    assert missing_arguments(SCHEMA, {"to": "Ada", "amount": 0}) == ()
    assert decide(SCHEMA, {"to": "Ada", "amount": 0}) is None


def test_what_is_absent_or_null_is_named_in_the_order_of_the_schema() -> None:
    found = missing_arguments(SCHEMA, {"amount": None, "note": None})
    assert found == (MissingArgument("to", Lack.ABSENT), MissingArgument("amount", Lack.NULL))


def test_a_missing_argument_asks_by_its_own_rule_and_says_which() -> None:
    decision = decide(SCHEMA, {"to": "<name>", "amount": 3})
    assert decision is not None
    assert (decision.action, decision.rule, decision.measured) == ("ask", RULE, None)
    assert decision.reason == "required by the tool, but not given: to is a placeholder"


@pytest.mark.parametrize(
    "value", ["TODO", "tbd", "<id>", "???", "...", "{{name}}", "${ID}", "[your name]", "N/A", "xxx"]
)
def test_a_stand_in_is_no_value(value: str) -> None:
    assert placeholder(value)
    assert _one({"type": "string"}, value) == [Lack.PLACEHOLDER]


@pytest.mark.parametrize("value", ["none", "unknown", "to do list", "<b>Hi</b> there", "Why???", "[1, 2]", "a", "x-2"])
def test_a_value_that_somebody_may_mean_is_kept(value: str) -> None:
    assert _one({"type": "string"}, value) == []


def test_what_the_schema_itself_names_was_given() -> None:
    assert _one({"enum": ["TBD", None]}, "TBD") == _one({"enum": ["TBD", None]}, None) == []
    assert _one({"type": ["string", "null"]}, None) == _one({"minLength": 0}, "") == _one({"const": "???"}, "???") == []


def test_an_empty_text_is_missing_and_an_empty_list_only_where_it_may_not_be_empty() -> None:
    assert _one({"type": "string"}, " ") == _one({"type": "array", "minItems": 1}, []) == [Lack.EMPTY]
    assert _one({"type": "array"}, []) == []


def test_required_parts_inside_objects_and_lists_are_looked_at() -> None:
    item = {"type": "object", "properties": {"sku": {}}, "required": ["sku"]}
    schema = {"properties": {"items": {"type": "array", "items": item}}, "required": ["items"]}
    found = missing_arguments(schema, {"items": [{"sku": "A1"}, {}]})
    assert [str(each) for each in found] == ["items[1].sku is absent"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda part: st.lists(part) | st.dictionaries(st.text(), part),
    max_leaves=8,
)


@given(
    st.dictionaries(st.sampled_from(["type", "required", "properties", "items", "enum", "minItems"]), JSON),
    st.dictionaries(st.text(), JSON),
)
def test_any_schema_and_any_arguments_name_each_argument_once(
    schema: dict[str, Any], arguments: dict[str, Any]
) -> None:
    paths = [found.path for found in missing_arguments(schema, arguments)]
    assert len(set(paths)) == len(paths)


@given(st.sets(st.sampled_from("abcd")), st.sets(st.sampled_from("abcd")))
def test_exactly_the_required_names_that_were_not_given_are_missing(required: set[str], given_: set[str]) -> None:
    found = missing_arguments({"required": sorted(required)}, dict.fromkeys(given_, 1))
    assert [each.path for each in found] == sorted(required - given_)
