"""One call per line on a fresh world `lamplight`, through the same door as an agent's call."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from arena.catalogs import load as catalogs
from arena.catalogs.catalog import Catalog
from arena.worlds import calls
from arena.worlds import load as worlds
from arena.worlds.handlers import ToolError
from arena.worlds.world import World

FIXTURES = Path(__file__).parents[3] / "fixtures"


@cache
def catalog() -> Catalog:
    return catalogs.load(FIXTURES / "tools")


@cache
def fixture() -> World:
    """The world of the files, shared by all tests: for reading only."""
    return worlds.load(FIXTURES / "worlds" / "lamplight")


@cache
def _snapshot() -> str:
    return json.dumps(fixture().to_json())


def fresh() -> World:
    """A world of one's own."""
    return World.from_json(json.loads(_snapshot()))


def act(world: World, tool_id: str, **arguments: Any) -> Any:
    """The content of a call that must succeed."""
    return calls.call(catalog().tool(tool_id), world, arguments).content


def refusal(world: World, tool_id: str, **arguments: Any) -> str:
    """The sentence of a call that must be refused; nothing may have changed."""
    before = world.to_json()
    with pytest.raises(ToolError) as refused:
        calls.call(catalog().tool(tool_id), world, arguments)
    assert world.to_json() == before
    return str(refused.value)


def ids(rows: list[dict[str, Any]]) -> list[str]:
    return [row["id"] for row in rows]
