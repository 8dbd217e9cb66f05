"""A small catalog and a whole case table, for tests that break one thing at a time."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.cases.load import Loaded, load
from arena.catalogs.catalog import Catalog, Category
from arena.catalogs.tool import Tool

CASE = """
id = "lamp"
title = "One lamp"
kind = "read"
summary = "Looks up one lamp."
task = "How many watts has the lamp on the shelf?"
world = "shop"
acceptable = [["look"]]
values = {shelf = "top", since = 2026-03-01}

[[checks]]
kind = "answer_holds"
values = ["40"]

[[checks]]
kind = "called"
tools = ["look"]

[wrong]
answer = "It has 60 watts."
calls = [{tool = "look", arguments = {shelf = "bottom"}}]
"""


def tool(tool_id: str, *needs: str) -> Tool:
    return Tool(tool_id, "shop", f"Does {tool_id}.", {"properties": {}, "required": []}, "observe", prerequisites=needs)


@pytest.fixture
def small_catalog() -> Catalog:
    return Catalog((tool("look"), tool("paint", "look"), tool("burn")), (Category("shop", "Shop", "A shop."),))


@pytest.fixture
def load_case(tmp_path: Path, small_catalog: Catalog) -> Callable[..., Loaded]:
    """Write the whole case with some text replaced, beside a second good one, and load the folder."""

    def write(*replacements: tuple[str, str], extra: str = "") -> Loaded:
        text = CASE
        for old, new in replacements:
            assert old in text
            text = text.replace(old, new)
        (tmp_path / "lamp.toml").write_text(extra + text, encoding="utf-8")
        (tmp_path / "zebra.toml").write_text(CASE.replace('id = "lamp"', 'id = "zebra"'), encoding="utf-8")
        return load(tmp_path, catalog=small_catalog, worlds={"shop": None, "office": None})

    return write


@pytest.fixture
def case_table() -> dict[str, Any]:
    return tomllib.loads(CASE)
