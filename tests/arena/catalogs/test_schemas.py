from __future__ import annotations

from typing import Any

import pytest

from arena.catalogs import schemas
from arena.catalogs.schemas import SchemaError

SCHEMA = schemas.closed(
    {
        "required": ["path"],
        "properties": {
            "path": {"type": "string", "minLength": 1, "description": "Where."},
            "limit": {"type": "integer", "minimum": 1, "maximum": 50, "description": "How many."},
            "amount": {"type": "number", "minimum": 0.01, "description": "How much."},
            "deep": {"type": "boolean", "description": "Whether below."},
            "state": {"type": "string", "enum": ["open", "closed"], "description": "Which."},
            "names": {"type": "array", "items": {"type": "string"}, "maxItems": 2, "description": "Who."},
            "sizes": {"type": "array", "items": {"type": "number"}, "description": "Sizes."},
        },
    }
)


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"limit": 50, "amount": 0.01, "deep": False, "state": "open"},
        {"amount": 3, "names": [], "sizes": [1, 2.5]},
        {"names": ["a", "b"]},
        {"path": "x" * 16_000},
    ],
)
def test_fitting_arguments_have_no_problem(more: dict[str, Any]) -> None:
    assert schemas.problem(SCHEMA, {"path": "a", **more}) is None


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"file": "a"}, "There is no argument 'file'; leave it out, the arguments are path, limit"),
        ({"path": ""}, "The argument path has 0 characters; send at least 1."),
        ({"path": "x" * 16_001}, "The argument path has 16001 characters; send at most 16000."),
        ({"path": None}, "The argument path is null; send a string."),
        ({"path": {"a": 1}}, "The argument path is an object; send a string."),
        ({"limit": 0}, "The argument limit is 0; send at least 1."),
        ({"limit": 51}, "The argument limit is 51; send at most 50."),
        ({"limit": True}, "The argument limit is true or false; send a whole number."),
        ({"limit": 1.5}, "The argument limit is a number; send a whole number."),
        ({"amount": float("nan")}, "The argument amount is not a finite number; send a number."),
        ({"amount": "3"}, "The argument amount is a string; send a number."),
        ({"deep": 1}, "The argument deep is a whole number; send true or false."),
        ({"state": "shut"}, "The argument state is 'shut'; send one of open, closed."),
        ({"names": "a"}, "The argument names is a string; send a list."),
        ({"names": ["a", 1]}, "The argument names holds an entry that is a whole number; send a string."),
        ({"names": ["a", "b", "c"]}, "The argument names has 3 entries; send at most 2."),
    ],
)
def test_a_wrong_argument_is_named_with_cause_and_mend(more: dict[str, Any], sentence: str) -> None:
    problem = schemas.problem(SCHEMA, {"path": "a", **more})
    assert problem is not None
    assert problem.startswith(sentence)


def test_a_missing_argument_is_named() -> None:
    assert schemas.problem(SCHEMA, {}) == "The argument path is missing; add it as a string."


def test_a_long_foreign_value_is_cut() -> None:
    problem = schemas.problem(SCHEMA, {"path": "a", "state": "y" * 500})
    assert problem is not None
    assert len(problem) < 200


@pytest.mark.parametrize(
    ("schema", "field"),
    [
        ({"anyOf": []}, "schema.anyOf"),
        ({"type": "array"}, "schema"),
        ({"additionalProperties": True}, "schema"),
        ({"properties": []}, "schema.properties"),
        ({"required": ["a"]}, "schema.required"),
        ({"required": "a"}, "schema.required"),
        ({"properties": {"a": "string"}}, "schema.properties.a"),
        ({"properties": {"a": {"type": "object", "description": "x"}}}, "schema.properties.a.type"),
        ({"properties": {"a": {"type": ["string"], "description": "x"}}}, "schema.properties.a.type"),
        ({"properties": {"a": {"type": "string"}}}, "schema.properties.a.description"),
        ({"properties": {"a": {"type": "string", "description": " "}}}, "schema.properties.a.description"),
        ({"properties": {"a": {"type": "string", "description": "x", "format": "date"}}}, "schema.properties.a.format"),
        ({"properties": {"a": {"type": "string", "description": "x", "minimum": 1}}}, "schema.properties.a.minimum"),
        ({"properties": {"a": {"type": "string", "description": "x", "enum": []}}}, "schema.properties.a.enum"),
        ({"properties": {"a": {"type": "string", "description": "x", "enum": [1]}}}, "schema.properties.a.enum"),
        (
            {"properties": {"a": {"type": "string", "description": "x", "minLength": -1}}},
            "schema.properties.a.minLength",
        ),
        ({"properties": {"a": {"type": "array", "description": "x"}}}, "schema.properties.a.items"),
        (
            {"properties": {"a": {"type": "array", "description": "x", "items": {"type": "array"}}}},
            "schema.properties.a.items",
        ),
    ],
)
def test_a_schema_outside_the_subset_is_refused(schema: dict[str, Any], field: str) -> None:
    with pytest.raises(SchemaError) as refused:
        schemas.closed(schema)
    assert refused.value.field == field
