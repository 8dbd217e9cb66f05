from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.worlds import load
from arena.worlds.load import FixtureError

HEAD = 'name = "tiny"\ntitle = "Tiny"\nnow = "2026-03-12T09:30:00Z"\n'


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    folder = tmp_path / "tiny"
    (folder / "files" / "src").mkdir(parents=True)
    (folder / "world.toml").write_text(HEAD)
    (folder / "files" / "src" / "a.ts").write_bytes(b"one\r\ntwo\n")
    (folder / "orders.json").write_text(json.dumps([{"id": "1", "sum": 3}]))
    return folder


def broken(folder: Path) -> FixtureError:
    with pytest.raises(FixtureError) as refused:
        load.load(folder)
    return refused.value


def test_a_world_has_its_files_and_one_collection_per_json_file(tiny: Path) -> None:
    world = load.load(tiny)
    assert (world.name, world.now) == ("tiny", "2026-03-12T09:30:00Z")
    assert world.find("files", "src/a.ts") == {"path": "src/a.ts", "content": "one\r\ntwo\n"}
    assert world.all("orders") == [{"id": "1", "sum": 3}]


def test_names_lists_the_folders_with_a_head(tiny: Path) -> None:
    (tiny.parent / "no_world").mkdir()
    assert load.names(tiny.parent) == ("tiny",)


def test_broken_toml_names_file_and_line(tiny: Path) -> None:
    (tiny / "world.toml").write_text('name = "tiny"\ntitle = \n')
    error = broken(tiny)
    assert (error.file, error.field) == ("tiny/world.toml", "TOML")
    assert "line 2" in str(error)


@pytest.mark.parametrize(
    ("head", "field"),
    [
        (HEAD + 'colour = "red"\n', "colour"),
        ('name = "tiny"\ntitle = "Tiny"\n', "now"),
        (HEAD.replace("Z", "+01:00"), "now"),
        (HEAD.replace("2026-03-12", "12 March"), "now"),
        (HEAD.replace('"tiny"', '"huge"'), "name"),
        (HEAD.replace('"Tiny"', "3"), "title"),
    ],
)
def test_a_wrong_head_names_its_field(tiny: Path, head: str, field: str) -> None:
    (tiny / "world.toml").write_text(head)
    assert broken(tiny).field == field


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("{}", "records"),
        ("[", "JSON"),
        ('["x"]', "record 1"),
        ('[{"id": "1"}, {"sum": 2}]', "record 2, id"),
        ('[{"id": "1"}, {"id": "1"}]', "record 2, id"),
        ('[{"id": 7}]', "record 1, id"),
    ],
)
def test_a_wrong_collection_names_file_and_record(tiny: Path, text: str, field: str) -> None:
    (tiny / "orders.json").write_text(text)
    error = broken(tiny)
    assert (error.file, error.field) == ("tiny/orders.json", field)


def test_a_collection_may_not_hide_the_files(tiny: Path) -> None:
    (tiny / "files.json").write_text("[]")
    assert "files folder" in broken(tiny).cause


def test_a_file_that_is_no_text_is_named(tiny: Path) -> None:
    (tiny / "files" / "src" / "picture.png").write_bytes(b"\x89PNG\xff")
    error = broken(tiny)
    assert (error.file, error.field) == ("src/picture.png", "encoding")


def test_a_missing_head_is_named(tmp_path: Path) -> None:
    assert broken(tmp_path / "nowhere").file == "nowhere/world.toml"
