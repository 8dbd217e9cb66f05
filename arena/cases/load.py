"""Cases from `fixtures/cases/<id>.toml`; a broken file is listed with its reason and never hides the others."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.cases.case import Case, Transcript
from arena.cases.fields import CaseFault, named
from arena.cases.specs import Called, NotCalled
from arena.catalogs.catalog import Catalog
from arena.worlds import storable

ID_CHARS = 64
TITLE_CHARS = 200


@dataclass(frozen=True, slots=True)
class BrokenCase:
    """A file that is no usable case. `id` is the file's stem, so a page can list it among the others."""

    file: str
    id: str
    field: str
    reason: str
    mend: str

    @property
    def sentence(self) -> str:
        return f"{self.file}: `{self.field}` {self.reason}; {self.mend}."


@dataclass(frozen=True, slots=True)
class Loaded:
    """The usable cases and the broken files, each sorted by file name."""

    cases: tuple[Case, ...]
    broken: tuple[BrokenCase, ...]

    def find(self, case_id: str) -> Case | None:
        return next((case for case in self.cases if case.id == case_id), None)


def load(folder: Path, *, catalog: Catalog, worlds: Collection[str]) -> Loaded:
    """Read every `*.toml` of `folder`; `worlds` are the known names (a mapping by name will do). Never raises."""
    cases: list[Case] = []
    broken: list[BrokenCase] = []
    for path in sorted(folder.glob("*.toml")):
        try:
            cases.append(_case(path, catalog, worlds))
        except CaseFault as fault:
            broken.append(BrokenCase(path.name, path.stem, fault.field, fault.reason, fault.mend))
    return Loaded(tuple(cases), tuple(broken))


def _case(path: Path, catalog: Catalog, worlds: Collection[str]) -> Case:
    case = Case.from_json(_table(path))
    if case.id != path.stem:
        raise CaseFault("id", f"is “{case.id}” in a file called {path.name}", f"write “{path.stem}” or rename the file")
    if case.world not in worlds:
        raise CaseFault("world", f"is “{case.world}”", f"use one of: {named(sorted(worlds))}")
    refuse_unknown_tools(case, catalog)
    if unstorable := storable.problem(case.to_json()):
        raise CaseFault("file", unstorable, "take that out")
    for field, text, most in (("id", case.id, ID_CHARS), ("title", case.title, TITLE_CHARS)):
        if len(text) > most:
            raise CaseFault(field, f"has {len(text)} characters", f"use at most {most}")
    return case


def _table(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise CaseFault("file", f"is not TOML ({error})", "mend that line") from None
    except UnicodeDecodeError:
        raise CaseFault("file", "is not UTF-8", "save it as UTF-8 text") from None
    except (ValueError, RecursionError):
        raise CaseFault("file", "is nested too deep or holds a number without end", "shorten it") from None
    except OSError as error:
        raise CaseFault("file", f"cannot be read ({error.strerror})", "check the name and the rights") from None


def refuse_unknown_tools(case: Case, catalog: Catalog) -> None:
    """Raises CaseFault for a tool that the catalog does not have, and for a forbidden prerequisite."""
    for field, ids in _tool_fields(case):
        for tool_id in ids:
            if tool_id not in catalog.ids:
                raise CaseFault(field, f"names the unknown tool {tool_id}", f"use one of: {named(catalog.ids)}")
    for tools in case.acceptable:
        needed, _ = catalog.with_prerequisites(tools)
        for tool_id in needed:
            if tool_id in case.forbids:
                raise CaseFault("forbids", f"holds {tool_id}, which an acceptable tool needs first", "take it out")


def _tool_fields(case: Case) -> Iterable[tuple[str, Iterable[str]]]:
    yield from (("acceptable", sorted(tools)) for tools in case.acceptable)
    yield "forbids", case.forbids
    for index, spec in enumerate(case.checks):
        if isinstance(spec, Called | NotCalled):
            yield f"checks[{index}].tools", spec.tools
    yield from _transcript_tools("wrong", case.wrong)


def _transcript_tools(where: str, transcript: Transcript) -> Iterable[tuple[str, Iterable[str]]]:
    for index, call in enumerate(transcript.calls):
        yield f"{where}.calls[{index}].tool", (call.tool,)
