"""A case of a person's own from JSON: the form of the files, with what only a person's case has beside it.

`files` are the source files of a world of its own, `catalog` names a catalog of one's own, `real_arms` are the arms in
which real tools may run. Left out are taken for granted: `id`, `kind`, `summary`, `world`, `wrong`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from arena.cases import load, specs
from arena.cases.case import Case
from arena.cases.fields import CaseFault, named
from arena.catalogs.catalog import Catalog
from arena.evidence import patterns
from arena.worlds import storable
from arena.worlds.world import World

NO_WORLD, OWN_WORLD = "none", "own"
MAX_FILES = 200
MAX_FILE_CHARS = 200_000
MAX_TASK_CHARS = 20_000
MAX_SUMMARY = 160
MAX_LINE_CHARS = 2_000
"""Of one restriction, and of the summary."""
MOST: Mapping[str, int] = {"restrictions": 20, "checks": 50, "acceptable": 50, "forbids": 300, "values": 100}
"""How many of each a case may have: a run puts all of them to judge, agent and checks."""
_OWN = ("files", "catalog", "real_arms")
_NOTHING_SAID = {"answer": "I do not know."}


@dataclass(frozen=True, slots=True)
class OwnParts:
    """What only a person's case has."""

    files: Mapping[str, str]
    catalog: str
    real_arms: tuple[str, ...]


def split(data: Any) -> tuple[dict[str, Any], OwnParts]:
    """The case as the files have it, filled in, and the parts that only a person's case has; raises CaseFault."""
    if not isinstance(data, Mapping):
        raise CaseFault("document", "is no object", 'write {"title": …, "task": …}')
    plain = {name: value for name, value in data.items() if name not in _OWN and value is not None}
    files, catalog, arms = (data.get(name) for name in _OWN)
    parts = OwnParts(_files(files or {}), _catalog(catalog), _arms(arms or []))
    plain.setdefault("summary", summary(plain.get("task")))
    plain.setdefault("kind", "read")
    plain.setdefault("world", OWN_WORLD if parts.files else NO_WORLD)
    plain.setdefault("wrong", _NOTHING_SAID)
    if parts.files and plain["world"] != OWN_WORLD:
        raise CaseFault("world", "is named though the case has files of its own", "leave one of the two out")
    return plain, parts


def summary(task: Any) -> str:
    """The summary of a case that has none of its own: how its task begins."""
    return " ".join(str(task or "").split())[:MAX_SUMMARY] or "No task yet."


def case(plain: Mapping[str, Any], *, case_id: str, catalog: Catalog, worlds: Collection[str]) -> Case:
    """The case, with the same checks as one of the files; raises CaseFault with the field, the cause and the mend."""
    found = Case.from_json({**plain, "id": case_id})
    if found.world not in (*worlds, NO_WORLD, OWN_WORLD):
        raise CaseFault("world", f"is “{found.world[:60]}”", f"use one of: {named([NO_WORLD, *sorted(worlds)])}")
    load.refuse_unknown_tools(found, catalog)
    if unstorable := storable.problem(found.to_json()):
        raise CaseFault("document", unstorable, "take that out")
    for field, text, most in (("title", found.title, load.TITLE_CHARS), ("task", found.task, MAX_TASK_CHARS)):
        if len(text) > most:
            raise CaseFault(field, f"has {len(text):,} characters", f"use at most {most:,}")
    _refuse_unbounded(found)
    if found.ending == "answer" and all(isinstance(spec, specs.Rubric) for spec in found.checks):
        raise CaseFault("checks", "holds a rubric only, which suggests and decides nothing", "add a check that decides")
    return found


def _refuse_unbounded(found: Case) -> None:
    for field, most in MOST.items():
        if (many := len(getattr(found, field))) > most:
            raise CaseFault(field, f"has {many:,} entries", f"keep to {most}")
    longest = {"summary": len(found.summary), "restrictions": max(map(len, found.restrictions), default=0)}
    for field, chars in longest.items():
        if chars > MAX_LINE_CHARS:
            raise CaseFault(field, f"has {chars:,} characters in one text", f"use at most {MAX_LINE_CHARS:,}")
    if (chars := len(found.told)) > MAX_TASK_CHARS:
        raise CaseFault("turns", f"make the task {chars:,} characters long", f"use at most {MAX_TASK_CHARS:,}")


def refuse_patterns(found: Case) -> None:
    """Try every pattern of the case once, in bounded time; raises CaseFault."""
    for number, spec in enumerate(found.checks):
        if isinstance(spec, specs.AnswerMatches) and (reason := patterns.problem(spec.pattern)):
            raise CaseFault(f"checks[{number}].pattern", reason, "mend the pattern")


def world(name: str, files: Mapping[str, str], worlds: Mapping[str, World]) -> World:
    """The world of a case: a built-in one, its own files, or none at all."""
    if name in worlds:
        return worlds[name]
    now = next(iter(worlds.values())).now if worlds else ""
    records = {path: {"path": path, "content": content} for path, content in files.items()}
    return World({"files": records} if records else {}, name="your files" if records else "no world", now=now)


def _files(given: Any) -> dict[str, str]:
    if not isinstance(given, Mapping) or not all(isinstance(text, str) for text in given.values()):
        raise CaseFault("files", "is no table of texts by path", 'write {"src/a.py": "…"}')
    if len(given) > MAX_FILES or any(len(text) > MAX_FILE_CHARS for text in given.values()):
        raise CaseFault("files", "are too many or too long", f"keep to {MAX_FILES} of {MAX_FILE_CHARS:,} characters")
    for path in given:
        parts = str(path).split("/")
        if not str(path).strip() or len(path) > 300 or "\\" in path or any(part in ("", ".", "..") for part in parts):
            raise CaseFault("files", f"has the path “{path[:60]}”", "write it like src/a.py")
    if unstorable := storable.problem(dict(given)):
        raise CaseFault("files", unstorable, "take that out")
    return dict(given)


def _catalog(given: Any) -> str:
    if given is not None and not isinstance(given, str):
        raise CaseFault("catalog", "is no text", "give the name of a catalog of yours")
    return (given or "").strip()


def _arms(given: Any) -> tuple[str, ...]:
    if not isinstance(given, list | tuple) or not all(isinstance(arm, str) for arm in given):
        raise CaseFault("real_arms", "is no list of arms", 'write ["full", "selected"]')
    return tuple(dict.fromkeys(given))
