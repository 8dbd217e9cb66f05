"""Tools that follow a declared name through the code: where it comes from, who uses it, which ones nobody uses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arena.worlds import findings, imports, records, sources, symbols
from arena.worlds.handlers import ToolError, ToolResult, handler
from arena.worlds.symbols import Symbol
from arena.worlds.world import World

_TYPE_KINDS = ("interface", "type")


@handler("find_references")
def find_references(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Uses in code, without the declaration itself and without import lines."""
    name = arguments["name"].strip()
    texts = sources.all_texts(world)
    path = _declaring(world, texts, name, arguments)
    places = findings.uses(texts, path, name)
    if not arguments.get("include_tests", True):
        places = [place for place in places if not _is_test(str(place["path"]))]
    files = sorted({str(place["path"]) for place in places})
    return ToolResult({"name": name, "declared_in": path, "count": len(places), "files": files, "uses": places})


@handler("find_definition")
def find_definition(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Every declaration of the name, as a name may be declared in several files."""
    name = arguments["name"].strip()
    texts = sources.all_texts(world)
    found = [
        {
            "path": path,
            "line": symbol.line,
            "kind": symbol.kind,
            "exported": symbol.exported,
            "signature": symbol.signature,
        }
        for path, symbol in _declarations(texts)
        if symbol.name == name and arguments.get("kind", symbol.kind) == symbol.kind
    ]
    if not found:
        raise ToolError(f"The argument name is declared nowhere: {sources.shown(name)}; {_near(texts, name)}.")
    return ToolResult({"name": name, "definitions": found})


@handler("find_unused_exports")
def find_unused_exports(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Exported names that no other file imports; `used_inside` tells whether their own file needs them."""
    texts = sources.all_texts(world)
    inside = sources.below(world, arguments["directory"])
    kinds = () if arguments.get("include_types", False) else _TYPE_KINDS
    exported = [
        (path, symbol)
        for path, symbol in _declarations(texts)
        # Python has no export word: there every name of a module would count.
        if path in inside and symbol.exported and symbol.kind not in kinds and not path.endswith(".py")
    ]
    unused = [
        {
            "path": path,
            "line": symbol.line,
            "name": symbol.name,
            "kind": symbol.kind,
            "used_inside": bool(findings.uses({path: texts[path]}, path, symbol.name)),
        }
        for path, symbol in exported
        if not imports.importers(texts, path, symbol.name)
    ]
    return ToolResult({"directory": arguments["directory"], "examined": len(exported), "unused": unused})


def _declarations(texts: Mapping[str, str]) -> list[tuple[str, Symbol]]:
    return [(path, symbol) for path, text in texts.items() for symbol in symbols.declared(text, path)]


def _declaring(world: World, texts: Mapping[str, str], name: str, arguments: Mapping[str, Any]) -> str:
    """The one file that declares the name; raises ToolError where that is none or several."""
    holders = list(dict.fromkeys(path for path, symbol in _declarations(texts) if symbol.name == name))
    if "path" in arguments:
        path = str(arguments["path"])
        sources.text(world, path)
        if path not in holders:
            where = f"it is declared in {', '.join(holders)}" if holders else _near(texts, name)
            raise ToolError(f"The argument name is not declared in {path}: {sources.shown(name)}; {where}.")
        return path
    if not holders:
        raise ToolError(f"The argument name is declared nowhere: {sources.shown(name)}; {_near(texts, name)}.")
    if len(holders) > 1:
        raise ToolError(f"The argument name is declared in {', '.join(holders)}; add the path of one of them.")
    return holders[0]


def _near(texts: Mapping[str, str], name: str) -> str:
    return records.near(name, list(dict.fromkeys(symbol.name for _, symbol in _declarations(texts))))


def _is_test(path: str) -> bool:
    return path.startswith("tests/") or ".test." in path or ".spec." in path
