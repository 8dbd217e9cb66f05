from __future__ import annotations

from pathlib import Path

import pytest

from arena.catalogs import load
from arena.catalogs.catalog import Catalog
from arena.worlds.load import FixtureError

HEAD = '[category]\nid = "files"\ntitle = "Files"\ndescription = "Look at files."\n'
READ = '[[tool]]\nid = "read_file"\ndescription = "Opens."\neffect = "observe"\n'
STATS = '[[tool]]\nid = "file_stats"\ndescription = "Counts."\neffect = "observe"\n'
PATH = '[tool.schema.properties.path]\ntype = "string"\ndescription = "Where."\n'


def loaded(folder: Path, text: str, **others: str) -> Catalog:
    for name, content in {"files": text, **others}.items():
        (folder / f"{name}.toml").write_text(content)
    return load.load(folder)


def broken(folder: Path, text: str, **others: str) -> FixtureError:
    with pytest.raises(FixtureError) as refused:
        loaded(folder, text, **others)
    return refused.value


def test_what_may_be_left_out_is_filled_in(tmp_path: Path) -> None:
    tool = loaded(tmp_path, HEAD + READ).tool("read_file")
    assert (tool.cost_units, tool.prerequisites, tool.category) == (1, (), "files")
    assert tool.schema == {"type": "object", "additionalProperties": False, "properties": {}, "required": []}


@pytest.mark.parametrize(("effect", "cost"), [("observe", 1), ("modify", 3), ("destructive", 5)])
def test_a_tool_without_a_cost_costs_what_its_effect_does(tmp_path: Path, effect: str, cost: int) -> None:
    text = HEAD + READ.replace("observe", effect)
    assert loaded(tmp_path, text).tool("read_file").cost_units == cost
    assert loaded(tmp_path, text + "cost_units = 2\n").tool("read_file").cost_units == 2


def test_categories_come_by_order_then_by_name(tmp_path: Path) -> None:
    search = HEAD.replace('"files"', '"search"') + "order = 0\n" + READ.replace("read_file", "search_text")
    assert loaded(tmp_path, HEAD + "order = 5\n" + READ, search=search).ids == ("search_text", "read_file")
    assert loaded(tmp_path, HEAD + READ, search=search).ids == ("read_file", "search_text")


def test_broken_toml_names_the_file(tmp_path: Path) -> None:
    error = broken(tmp_path, "[category\n")
    assert error.file.endswith("files.toml")
    assert error.field == "TOML"


def test_an_empty_folder_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(FixtureError, match="no category file"):
        load.load(tmp_path)


@pytest.mark.parametrize(
    ("text", "field"),
    [
        (HEAD, "file, tool"),
        (READ, "file, category"),
        ("tool = [3]\n" + HEAD, "tool"),
        (HEAD.replace('"files"', '"file"') + READ, "category.id"),
        (HEAD + 'icon = "x"\n' + READ, "category, icon"),
        (HEAD + READ + 'icon = "x"\n', "tool read_file, icon"),
        (HEAD + READ.replace('description = "Opens."\n', ""), "tool read_file, description"),
        (HEAD + READ.replace('"Opens."', '""'), "tool read_file, description"),
        (HEAD + READ.replace("observe", "look"), "tool read_file, effect"),
        (HEAD + READ + "cost_units = -1\n", "tool read_file, cost_units"),
        (HEAD + READ + "cost_units = true\n", "tool read_file, cost_units"),
        (HEAD + READ.replace("read_file", "Read"), "tool Read, id"),
        (HEAD + READ.replace("read_file", "needs_clarification"), "tool needs_clarification, id"),
        (HEAD + READ.replace("read_file", "__none__"), "tool __none__, id"),
        (HEAD + READ.replace("read_file", "fly"), "tool fly, id"),
        (HEAD + READ + READ, "tool read_file, id"),
        (HEAD + READ + 'prerequisites = ["fly"]\n', "tool read_file, prerequisites"),
        (HEAD + READ + 'prerequisites = ["read_file"]\n', "tool read_file, prerequisites"),
        (HEAD + READ + PATH + 'pattern = ".*"\n', "tool read_file, schema.properties.path.pattern"),
        (HEAD + READ + "[tool.schema]\noneOf = []\n", "tool read_file, schema.oneOf"),
    ],
)
def test_a_broken_entry_names_file_tool_and_field(tmp_path: Path, text: str, field: str) -> None:
    error = broken(tmp_path, text)
    assert (error.file, error.field) == ("files.toml", field)
    assert error.mend


def test_a_circle_of_prerequisites_is_refused(tmp_path: Path) -> None:
    text = HEAD + READ + 'prerequisites = ["file_stats"]\n' + STATS + 'prerequisites = ["read_file"]\n'
    assert "circle" in broken(tmp_path, text).cause


def test_one_id_in_two_files_is_refused(tmp_path: Path) -> None:
    search = HEAD.replace('"files"', '"search"') + READ
    assert broken(tmp_path, HEAD + READ, search=search).field == "tool read_file, id"
