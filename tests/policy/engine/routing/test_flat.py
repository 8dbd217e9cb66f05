"""The flat form of full schemas: what is said in words, what is left out, and why."""

from __future__ import annotations

from typing import Any

import pytest

from policy.engine.routing import HostTool, RoutingRefused, flatten


def tool(name: str = "ask", *, needs: tuple[str, ...] = (), **properties: Any) -> HostTool:
    schema = {"type": "object", "properties": properties, "required": [*properties], "additionalProperties": False}
    return HostTool(name, "Asks.", schema, 1, needs)


def words(**rule: Any) -> tuple[str, str]:
    """Type and description of one argument in the flat form."""
    flat = flatten([tool(key=rule)])
    assert flat.left_out == ()
    return flat.catalog[0].properties[0].type, flat.catalog[0].properties[0].description


def reason(**rule: Any) -> str:
    """Why a tool with this argument is left out."""
    flat = flatten([tool(key=rule)])
    assert flat.catalog == ()
    return flat.left_out[0].reason


def test_bounds_without_a_keyword_are_said_in_words() -> None:
    assert words(type="string", description="Day.", enum=["today", "tomorrow"], minLength=1) == (
        "string",
        "Day. One of: today, tomorrow. Not empty.",
    )
    assert words(type="integer", description="How many.", minimum=1, maximum=9) == (
        "number",
        "How many. A whole number. At least 1. At most 9.",
    )


def test_an_argument_without_a_description_is_described_by_its_name() -> None:
    assert words(type="boolean") == ("boolean", "key")


def test_lists_objects_and_unknown_keywords_leave_a_tool_out() -> None:
    assert reason(type="array", items={"type": "string"}) == "its argument key is a list"
    assert reason(type="object") == "its argument key is an object"
    assert reason(type="string", pattern="a+") == "its argument key uses pattern"
    assert reason(type=["string", "null"]) == "its argument key has no single type"


def test_an_optional_argument_that_cannot_be_said_is_left_away_and_named() -> None:
    full = tool(key={"type": "string", "description": "Key."}, tags={"type": "array", "items": {"type": "string"}})
    flat = flatten([HostTool("ask", "Asks.", {**full.schema, "required": ["key"]}, 1)])
    assert [each.name for each in flat.catalog[0].properties] == ["key"]
    assert flat.narrowed[0].reason == "offered without: its argument tags is a list"


def test_a_schema_that_is_not_closed_leaves_its_tool_out() -> None:
    flat = flatten([HostTool("open", "Opens.", {"type": "object", "properties": {}}, 1)])
    assert flat.left_out[0].reason == "its schema takes arguments that it does not name"


def test_an_id_that_no_router_may_see_leaves_its_tool_out_with_the_mend() -> None:
    flat = flatten([tool("Read.File"), tool("needs_clarification")])
    assert [each.id for each in flat.left_out] == ["Read.File", "needs_clarification"]
    assert "name it like read_file" in flat.left_out[0].reason


def test_a_tool_goes_with_the_one_that_it_needs() -> None:
    listed = {"type": "array", "items": {"type": "string"}}
    flat = flatten([tool("merge", needs=("find",)), tool("report", needs=("merge",)), tool("find", ids=listed), tool()])
    assert [each.id for each in flat.catalog] == ["ask"]
    assert {each.id: each.reason for each in flat.left_out} == {
        "find": "its argument ids is a list",
        "merge": "it needs find, which is left out",
        "report": "it needs merge, which is left out",
    }


def test_prerequisites_stay_with_the_tools_that_stay() -> None:
    flat = flatten([tool("read"), tool("patch", needs=("read",))])
    assert flat.dependencies == {"patch": ("read",)}


def test_a_long_description_is_cut_and_counted() -> None:
    flat = flatten([HostTool("long", "word " * 60, tool().schema, 1)])
    assert len(flat.catalog[0].description) == 201
    assert flat.loss == {"tool:long": 99}


def test_more_tools_than_a_router_may_see_are_refused() -> None:
    assert len(flatten([tool(f"t{number}") for number in range(254)]).catalog) == 254
    with pytest.raises(RoutingRefused, match="at most 254 tools; got 255 tools"):
        flatten([tool(f"t{number}") for number in range(255)])
