"""The agents know no tool and no case: what they do is generic."""

from __future__ import annotations

import re
from pathlib import Path

from arena.catalogs.load import load

ROOT = Path(__file__).parents[3]
SOURCE = {path.name: path.read_text(encoding="utf-8") for path in sorted((ROOT / "arena" / "agents").rglob("*.py"))}


def test_no_id_of_the_catalog_stands_in_the_source_of_the_agents() -> None:
    ids = load(ROOT / "fixtures" / "tools").ids
    found = [(name, key) for name, text in SOURCE.items() for key in ids if re.search(rf"\b{re.escape(key)}\b", text)]
    assert len(ids) >= 40
    assert found == []


def test_no_id_of_a_case_stands_in_the_source_of_the_agents() -> None:
    ids = [path.stem for path in (ROOT / "fixtures" / "cases").glob("*.toml") if "-" in path.stem]
    found = [(name, key) for name, text in SOURCE.items() for key in ids if key in text]
    assert ids
    assert found == []
