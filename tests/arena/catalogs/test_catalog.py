from __future__ import annotations

import json

import pytest

from arena.catalogs.catalog import Catalog, Category
from arena.catalogs.tool import Tool

NO_ARGUMENTS = {"type": "object", "additionalProperties": False, "properties": {}, "required": []}


def tool(tool_id: str, *prerequisites: str) -> Tool:
    return Tool(tool_id, "all", f"Does {tool_id}.", NO_ARGUMENTS, "observe", prerequisites=prerequisites)


CATALOG = Catalog(
    (tool("read"), tool("build", "read"), tool("deploy", "build", "login"), tool("login"), tool("fly")),
    (Category("all", "All", "Everything."),),
)


def test_a_tool_is_found_by_id() -> None:
    assert CATALOG.tool("fly").description == "Does fly."
    with pytest.raises(KeyError, match="no tool swim"):
        CATALOG.tool("swim")


def test_prerequisites_of_prerequisites_join_in_catalog_order() -> None:
    assert CATALOG.with_prerequisites(["deploy"]) == (("read", "build", "login"), ())


def test_what_was_asked_for_is_not_added_again() -> None:
    assert CATALOG.with_prerequisites(["deploy", "read"]) == (("build", "login"), ())
    assert CATALOG.with_prerequisites(["fly"]) == ((), ())


def test_a_prerequisite_that_is_not_available_is_blocked() -> None:
    assert CATALOG.with_prerequisites(["deploy"], available=["deploy", "build", "login"]) == (
        ("build", "login"),
        ("read",),
    )


def test_a_snapshot_gives_the_same_catalog() -> None:
    stored = json.loads(json.dumps(CATALOG.to_json(), sort_keys=True))
    assert Catalog.from_json(stored) == CATALOG
    assert Catalog.from_json(stored).digest == CATALOG.digest


def test_the_digest_minds_the_order_of_tools_and_every_word() -> None:
    turned = Catalog(CATALOG.tools[::-1], CATALOG.categories)
    reworded = Catalog(CATALOG.tools, (Category("all", "All", "Everything!"),))
    assert len({CATALOG.digest, turned.digest, reworded.digest}) == 3
