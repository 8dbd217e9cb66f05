"""Catalogs from documents: three forms, every fault with its entry, field and mend, nothing half taken."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.catalogs import foreign_schemas, imports
from arena.catalogs.differences import between
from arena.catalogs.listed import Listed, ListingFault, digest
from arena.catalogs.own import catalog, filled
from arena.catalogs.schemas import SchemaError

SCHEMA = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
FORMS: dict[str, Any] = {
    "openai": [{"type": "function", "function": {"name": "read", "description": "Read.", "parameters": SCHEMA}}],
    "responses": [{"type": "function", "name": "read", "description": "Read.", "parameters": SCHEMA}],
    "mcp": {"tools": [{"name": "read", "description": "Read.", "inputSchema": SCHEMA}]},
    "rpc": {
        "jsonrpc": "2.0",
        "id": 1,
        "result": {"tools": [{"name": "read", "inputSchema": SCHEMA, "description": "Read."}]},
    },
    "anthropic": [{"name": "read", "description": "Read.", "input_schema": SCHEMA}],
}


@pytest.mark.parametrize("form", FORMS)
def test_the_same_tool_comes_out_of_every_form(form: str) -> None:
    listing, _ = imports.read(json.dumps(FORMS[form]))
    assert listing == (Listed("read", "Read.", SCHEMA),)


def _with(**changes: Any) -> list[Any]:
    return [{"name": "read", "description": "Read.", "input_schema": SCHEMA, **changes}]


@pytest.mark.parametrize(
    ("document", "field", "words"),
    [
        ("{", "text", "no JSON"),
        ("[" * 100_000, "text", "nested too deep"),
        ("{}", "tools", "no list"),
        ("[]", "tools", "no tool"),
        (json.dumps([{"name": "read"}]), "tool", "none of the known forms"),
        (json.dumps(_with(name="")), "name", "missing"),
        (json.dumps(_with(name="x" * 200)), "name", "too long"),
        (json.dumps(_with(description=5)), "description", "no text"),
        (json.dumps(_with(description="\ud800")), "tool", "half a character"),
        (json.dumps(_with(input_schema={"type": "array"})), "schema.type", "array"),
        (json.dumps(_with(input_schema={"properties": {"a": 5}})), "schema.properties.a", "no object"),
        (
            json.dumps(_with(input_schema={"properties": {"a": {"type": "txt"}}})),
            "schema.properties.a.type",
            "no JSON Schema",
        ),
        (
            json.dumps(_with(input_schema={"properties": {"a": {"$ref": "http://x/y"}}})),
            "schema.properties.a.$ref",
            "outside",
        ),
        (json.dumps(_with(input_schema={"required": "a"})), "schema.required", "no list"),
        (json.dumps(_with() * 2), "name", "twice"),
        (json.dumps(_with() + FORMS["mcp"]["tools"]), "name", "twice"),
        (json.dumps([_with(name=f"t{n}")[0] for n in range(255)]), "tools", "255"),
        (json.dumps(_with(input_schema={"description": "x" * 40_000})), "schema", "bytes"),
    ],
)
def test_a_fault_names_field_cause_and_mend(document: str, field: str, words: str) -> None:
    with pytest.raises(ListingFault) as fault:
        imports.read(document)
    assert (fault.value.field, words in fault.value.cause) == (field, True), str(fault.value)
    assert fault.value.mend


@given(
    st.text(max_size=200)
    | st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda each: (
            st.lists(each)
            | st.dictionaries(st.sampled_from(["tools", "name", "inputSchema", "function", "type"]), each)
        ),
        max_leaves=12,
    ).map(json.dumps)
)
def test_whatever_is_sent_is_taken_whole_or_refused_with_a_sentence(text: str) -> None:
    try:
        listing, _ = imports.read(text)
    except ListingFault as fault:
        said = str(fault)
    else:
        said = ", ".join(catalog("own", listing, filled("own", listing), of_server=False).ids)
    assert said


@given(
    st.lists(
        st.text(min_size=1, max_size=30).filter(lambda name: name.isprintable() and name.strip()),
        min_size=1,
        max_size=20,
        unique=True,
    )
)
def test_ids_are_safe_for_every_provider_and_each_once(names: list[str]) -> None:
    listing = tuple(Listed(name, "Does it.", SCHEMA) for name in names)
    made = catalog("my-server", listing, filled("my-server", listing), of_server=True)
    assert len(set(made.ids)) == len(names)
    assert all(each.isascii() and len(each) <= 64 and each.replace("_", "").isalnum() for each in made.ids)
    assert [tool.origin for tool in made.tools] == [f"my-server.{name}" for name in names]


def test_the_order_of_a_listing_changes_nothing_and_every_other_change_does() -> None:
    one, two = Listed("a", "A.", SCHEMA), Listed("b", "B.", SCHEMA)
    assert digest((one, two)) == digest((two, one))
    for other in (Listed("a", "A!", SCHEMA), Listed("a", "A.", {"type": "object", "properties": {}})):
        assert digest((other, two)) != digest((one, two))
        assert [(each.name, each.kind) for each in between((one, two), (other, two))] == [("a", "changed")]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "missing"),
        ({"path": 5}, "argument path"),
        ({"path": "x", "mode": "c"}, "argument mode"),
        ({"path": "x", "deep": {"a": ["b", 1]}}, "argument deep.a.1"),
    ],
)
def test_arguments_are_checked_against_the_whole_schema(arguments: dict[str, Any], words: str) -> None:
    schema = foreign_schemas.checked(
        {
            **SCHEMA,
            "properties": {
                "path": {"type": "string", "pattern": "(a+)+$"},
                "mode": {"anyOf": [{"const": "a"}, {"enum": ["b"]}]},
                "deep": {"$ref": "#/$defs/deep"},
            },
            "$defs": {"deep": {"properties": {"a": {"items": {"type": "string"}}}}},
        }
    )
    assert words in (foreign_schemas.problem(schema, arguments) or "")
    assert foreign_schemas.problem(schema, {"path": "a" * 60 + "!", "mode": "a", "deep": {"a": ["b"]}}) is None


def test_references_that_multiply_are_refused_and_one_that_recurs_is_not() -> None:
    chain = {f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(30)}
    bomb = {"properties": {"a": {"$ref": "#/$defs/d0"}}, "$defs": {**chain, "d30": {"type": "string"}}}
    with pytest.raises(SchemaError, match="multiply"):
        foreign_schemas.checked(bomb)
    tree = {"properties": {"children": {"type": "array", "items": {"$ref": "#/$defs/node"}}}}
    node = {"properties": {"next": {"$ref": "#/$defs/node"}, "name": {"type": "string"}}}
    kept = foreign_schemas.checked({**tree, "$defs": {"node": node}})
    assert foreign_schemas.problem(kept, {"children": [{"next": {"name": "a"}}]}) is None
    assert foreign_schemas.problem(kept, {"children": [{"next": {"name": 5}}]})
