"""Worlds from their fixture folder: `world.toml`, the files under `files/`, one JSON list per collection."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from arena.worlds import storable
from arena.worlds.world import Record, World

FILES = "files"
_META_FIELDS = ("name", "title", "now", "description")

_ENDLESS = "it is nested too deep or holds a number without end"


class FixtureError(Exception):
    """A fixture that cannot be used: which file, which field, what is wrong, how to mend it."""

    def __init__(self, file: str, field: str, cause: str, mend: str) -> None:
        super().__init__(f"{file}, {field}: {cause}; {mend}.")
        self.file = file
        self.field = field
        self.cause = cause
        self.mend = mend


@dataclass(frozen=True, slots=True)
class Meta:
    """What `world.toml` says: `now` is the world's clock, ISO with Z."""

    name: str
    title: str
    now: str
    description: str = ""


def names(folder: Path) -> tuple[str, ...]:
    """The worlds of a fixture folder, sorted: every subfolder with a `world.toml`."""
    return tuple(sorted(meta_file.parent.name for meta_file in folder.glob("*/world.toml")))


def load(folder: Path) -> World:
    """The world of one folder; raises FixtureError."""
    about = meta(folder)
    collections: dict[str, dict[str, Record]] = {FILES: _files(folder)}
    for path in sorted(folder.glob("*.json")):
        if path.stem == FILES:
            raise FixtureError(_shown(path), FILES, "the name belongs to the files folder", "rename the collection")
        collections[path.stem] = _collection(path)
    return World(collections, name=about.name, now=about.now)


def meta(folder: Path) -> Meta:
    """The head of a world; raises FixtureError."""
    path = folder / "world.toml"
    data = read_toml(path)
    for field in data:
        if field not in _META_FIELDS:
            raise FixtureError(_shown(path), field, "this field is unknown", f"use {', '.join(_META_FIELDS)}")
    for field in _META_FIELDS[:3]:
        if not isinstance(data.get(field), str) or not data[field].strip():
            raise FixtureError(_shown(path), field, "the value is missing or is no text", "write it in quotes")
    if data["name"] != folder.name:
        raise FixtureError(_shown(path), "name", f"{data['name']!r} is not the folder's name", f"write {folder.name!r}")
    if not _is_utc(data["now"]):
        raise FixtureError(
            _shown(path), "now", f"{data['now']!r} is no UTC time", 'write it like "2026-03-12T09:30:00Z"'
        )
    return Meta(**data)


def read_toml(path: Path) -> dict[str, Any]:
    """A TOML fixture as a dictionary; raises FixtureError."""
    try:
        return tomllib.loads(_text(path))
    except tomllib.TOMLDecodeError as error:
        raise FixtureError(_shown(path), "TOML", f"it does not parse: {error}", "mend that line") from None
    except (ValueError, RecursionError):
        raise FixtureError(_shown(path), "TOML", _ENDLESS, "shorten it") from None


def _files(folder: Path) -> dict[str, Record]:
    root = folder / FILES
    found = sorted((path.relative_to(root).as_posix(), path) for path in root.rglob("*") if path.is_file())
    return {name: {"path": name, "content": _text(path)} for name, path in found}


def _collection(path: Path) -> dict[str, Record]:
    try:
        data = json.loads(_text(path))
    except json.JSONDecodeError as error:
        raise FixtureError(_shown(path), "JSON", f"it does not parse: {error}", "mend that line") from None
    except (ValueError, RecursionError):
        raise FixtureError(_shown(path), "JSON", _ENDLESS, "shorten it") from None
    if unstorable := storable.problem(data):
        raise FixtureError(_shown(path), "records", f"it {unstorable}", "take that out")
    if not isinstance(data, list):
        raise FixtureError(_shown(path), "records", "the file is no list", "write a list of records")
    records: dict[str, Record] = {}
    for number, record in enumerate(data):
        records[_record_id(path, number, record, records)] = record
    return records


def _record_id(path: Path, number: int, record: object, known: dict[str, Record]) -> str:
    field = f"record {number + 1}"
    if not isinstance(record, dict):
        raise FixtureError(_shown(path), field, "it is no object", "write it in braces with an id")
    key = record.get("id")
    if not isinstance(key, str) or not key:
        raise FixtureError(_shown(path), f"{field}, id", "it is missing or is no text", "give the record an id")
    if key in known:
        raise FixtureError(_shown(path), f"{field}, id", f"{key!r} is used twice", "give each record its own id")
    return key


def _text(path: Path) -> str:
    try:
        # Bytes first: universal newlines would hide a carriage return that a tool must see.
        text = path.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        raise FixtureError(_shown(path), "encoding", "the file is not UTF-8", "save it as UTF-8 text") from None
    except OSError as error:
        cause = error.strerror or type(error).__name__
        raise FixtureError(
            _shown(path), "file", f"it cannot be read: {cause}", "check the name and the rights"
        ) from None
    if unstorable := storable.problem(text):
        raise FixtureError(_shown(path), "text", f"it {unstorable}", "take that out")
    return text


def _shown(path: Path) -> str:
    return "/".join(path.parts[-2:])


def _is_utc(value: str) -> bool:
    try:
        return value.endswith("Z") and datetime.fromisoformat(value).utcoffset() is not None
    except ValueError:
        return False
