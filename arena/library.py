"""What the fixtures hold: cases (whole and broken), the catalog, the worlds. Files are the master."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from arena.cases import load as case_files
from arena.cases.case import Case
from arena.cases.load import BrokenCase
from arena.catalogs import load as catalog_files
from arena.catalogs.catalog import Catalog
from arena.errors import Invalid, Unknown, among
from arena.worlds import load as world_files
from arena.worlds.load import FixtureError
from arena.worlds.world import World


@dataclass(frozen=True, slots=True)
class Library:
    """Everything that a comparison can be made of, as the files say now."""

    catalog: Catalog
    worlds: Mapping[str, World]
    cases: tuple[Case, ...]
    broken: tuple[BrokenCase, ...]

    def case(self, case_id: str) -> Case:
        """The case of this id; raises `Unknown` naming the allowed ones, `Invalid` for a broken file."""
        for case in self.cases:
            if case.id == case_id:
                return case
        for broken in self.broken:
            if broken.id == case_id:
                raise Invalid(f"The case {case_id!r} cannot be loaded. {broken.sentence}")
        raise Unknown(among("case", case_id, [case.id for case in self.cases]))


_lock = threading.Lock()
_kept: tuple[tuple[object, ...], Library] | None = None


def library() -> Library:
    """The library, read again when a file has changed. Raises `Invalid` where tools or worlds cannot be read."""
    global _kept
    folder: Path = settings.FIXTURES_DIR
    stamp = _stamp(folder)
    with _lock:
        if _kept is None or _kept[0] != stamp:
            _kept = stamp, _read(folder)
        return _kept[1]


def _stamp(folder: Path) -> tuple[object, ...]:
    parts = (folder / name for name in ("cases", "tools", "worlds"))
    return tuple(sorted(stamp for part in parts for file in part.rglob("*") if (stamp := _file_stamp(file))))


def _file_stamp(file: Path) -> tuple[str, int, int] | None:
    try:
        stat = file.stat()
    except FileNotFoundError:
        # An editor's own file, gone while the folder was read.
        return None
    return (str(file), stat.st_mtime_ns, stat.st_size)


def _read(folder: Path) -> Library:
    try:
        catalog = catalog_files.load(folder / "tools")
        worlds = {name: world_files.load(folder / "worlds" / name) for name in world_files.names(folder / "worlds")}
    except FixtureError as fault:
        raise Invalid(f"The fixtures cannot be read: {fault}") from fault
    loaded = case_files.load(folder / "cases", catalog=catalog, worlds=worlds)
    return Library(catalog, worlds, loaded.cases, loaded.broken)
