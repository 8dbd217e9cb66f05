"""What the model may write: the grammar of a menu never refuses a call that the tools themselves allow."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from arena.agents.gguf import grammar
from arena.agents.gguf.grammar import Call, Malformed, NoneFits, Question
from arena.catalogs.load import load
from arena.catalogs.tool import Tool
from tests.arena.agents.desk import TOOLS

CATALOG = load(Path(__file__).parents[4] / "fixtures" / "tools")

plain = st.one_of(st.text(max_size=12), st.integers(-99, 99), st.booleans(), st.none(), st.floats(-9, 9))
values = st.recursive(
    plain,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=4), inner, max_size=3)),
    max_leaves=6,
)
leaves = st.one_of(
    st.sampled_from(
        [
            {"type": "string", "minLength": 2, "pattern": "^a"},
            {"type": "integer", "minimum": 3, "maximum": 5},
            {"type": "number", "exclusiveMinimum": 0},
            {"type": "boolean"},
            {"type": "null"},
            {"type": ["string", "integer"]},
            {"const": 7},
            {"enum": ["a", "b", 1]},
            {},
            {"not": {"type": "string"}},
        ]
    )
)


def _objects(inner: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    def made(properties: dict[str, Any], closed: bool) -> dict[str, Any]:
        schema = {"type": "object", "properties": properties, "required": sorted(properties)[:1]}
        return schema | ({"additionalProperties": False} if closed else {})

    return st.builds(made, st.dictionaries(st.sampled_from(["a", "b", "c"]), inner, max_size=3), st.booleans())


schemas = st.recursive(
    leaves,
    lambda inner: st.one_of(
        _objects(inner),
        inner.map(lambda items: {"type": "array", "items": items, "maxItems": 2}),
        st.lists(inner, min_size=1, max_size=3).map(lambda options: {"anyOf": options}),
        st.lists(inner, min_size=1, max_size=3).map(lambda options: {"oneOf": options}),
    ),
    max_leaves=6,
)


def _fits(schema: Mapping[str, Any], value: Any) -> bool:
    return bool(Draft202012Validator(schema).is_valid(value))


@given(schemas, st.one_of(values, st.dictionaries(st.sampled_from(["a", "b", "c", "d"]), values, max_size=4)))
def test_what_a_schema_allows_its_reduced_form_allows(schema: dict[str, Any], value: Any) -> None:
    if _fits(schema, value):
        assert _fits(grammar.reduced(schema), value)


@given(schemas)
def test_a_reduced_schema_is_a_schema_and_reducing_it_again_changes_nothing(schema: dict[str, Any]) -> None:
    once = grammar.reduced(schema)
    Draft202012Validator.check_schema(once)
    assert grammar.reduced(once) == once


@pytest.mark.parametrize("tool", CATALOG.tools, ids=lambda tool: tool.id)
def test_every_tool_of_the_catalog_keeps_its_arguments_and_what_is_required(tool: Tool) -> None:
    reduced = grammar.reduced(tool.schema)
    assert set(reduced["properties"]) == set(tool.properties)
    assert tuple(reduced["required"]) == tool.required


def test_exactly_one_branch_holds_a_call_a_question_and_a_refusal() -> None:
    schema = grammar.of(TOOLS)
    for reply in (
        {"tool": "open_page", "arguments": {"path": "a.md"}},
        {"ask": "Which page?"},
        {"none": "There is no tool for the weather."},
    ):
        assert _fits(schema, reply)
    assert not _fits(schema, {"tool": "delete_hotel", "arguments": {}})
    assert not _fits(schema, {"tool": "open_page"})


def test_a_reply_is_read_as_what_it_is() -> None:
    assert grammar.read('{"tool": "t", "arguments": {"a": 1}}') == Call("t", {"a": 1})
    assert grammar.read('{"ask": " Which? "}') == Question("Which?")
    assert grammar.read('{"none": "No."}') == NoneFits("No.")


@given(st.one_of(st.text(), values.map(json.dumps)))
def test_whatever_else_comes_is_malformed_and_never_a_crash(text: str) -> None:
    with pytest.raises(Malformed):
        grammar.read(text)
