"""Which names a source file takes from which other file of the world."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from arena.worlds import lexing, symbols

_SCRIPT = re.compile(r"\bimport\s+(?:type\s+)?\{(?P<names>[^}]*)\}\s*from\s*[\"'](?P<module>[^\"']+)[\"']")
_PYTHON = re.compile(r"^from\s+(?P<module>[\w.]+)\s+import\s+(?P<names>[^\n#(]+)", re.MULTILINE)
_ENDINGS = ("", ".ts", ".tsx", ".js", ".mjs", "/index.ts")


@dataclass(frozen=True, slots=True)
class Import:
    """`path` is the file that declares the names, `line` counts from 1 in the importing file."""

    path: str
    names: tuple[str, ...]
    line: int


def of(text: str, path: str, known: Collection[str]) -> list[Import]:
    """The imports of one file that lead to `known` files; packages from outside are left out."""
    python = path.endswith(".py")
    code = lexing.code_only(text, path)
    found = []
    for match in (_PYTHON if python else _SCRIPT).finditer(text):
        # Text that only looks like an import stands in a comment or a string.
        if code[match.start()] != text[match.start()]:
            continue
        target = _python_target(match["module"]) if python else _script_target(path, match["module"], known)
        if target in known:
            found.append(Import(target, _names(match["names"]), symbols.line_of(text, match.start())))
    return found


def importers(texts: Mapping[str, str], path: str, name: str) -> list[str]:
    """The files that import `name` from `path`, sorted."""
    return sorted(
        each
        for each, text in texts.items()
        if any(taken.path == path and name in taken.names for taken in of(text, each, texts))
    )


def _names(listed: str) -> tuple[str, ...]:
    entries = (entry.strip().removeprefix("type ").split(" as ")[0].strip() for entry in listed.split(","))
    return tuple(entry for entry in entries if entry)


def _script_target(path: str, module: str, known: Collection[str]) -> str:
    if not module.startswith("."):
        return ""
    base = posixpath.normpath(posixpath.join(posixpath.dirname(path), module)).removesuffix(".js")
    return next((base + ending for ending in _ENDINGS if base + ending in known), "")


def _python_target(module: str) -> str:
    return module.replace(".", "/") + ".py"
