"""What a source file declares: functions, constants, types, classes and methods, with their text and place."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import chain

from arena.worlds import lexing

_SCRIPT = re.compile(
    r"^(?P<export>export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?"
    r"(?P<kind>function\*?|class|interface|type|enum|const|let)\s+(?P<name>[A-Za-z_$][\w$]*)",
    re.MULTILINE,
)
_METHOD = re.compile(
    r"^[ \t]+(?:(?:public|private|protected|static|async|override)\s+)*(?P<name>[A-Za-z_$][\w$]*)"
    r"\s*\([^;{}]*\)\s*(?::[^;{}=]+)?\{",
    re.MULTILINE,
)
_PYTHON = re.compile(
    r"^(?P<indent>[ \t]*)(?:(?:async\s+)?(?P<kind>def|class)\s+(?P<name>\w+)|(?P<constant>[A-Z][A-Z0-9_]*)\s*(?::|=))",
    re.MULTILINE,
)
_NO_METHOD = {"if", "for", "while", "switch", "catch", "function", "return", "super", "constructor"}
_PAIRS = {")": "(", "]": "[", "}": "{"}


@dataclass(frozen=True, slots=True)
class Symbol:
    """One declaration. Lines count from 1; `text` is the whole declaration, `signature` its head on one line."""

    name: str
    kind: str
    exported: bool
    line: int
    start: int
    end: int
    text: str
    signature: str
    doc: str


def declared(text: str, path: str) -> list[Symbol]:
    """Every declaration in order; none for a language that we do not know."""
    code = lexing.code_only(text, path)
    if path.endswith(".py"):
        return [_python_symbol(text, code, found) for found in _PYTHON.finditer(code)]
    if path.endswith((".ts", ".tsx", ".js", ".mjs", ".cjs")):
        return sorted(_script_symbols(text, code), key=lambda symbol: symbol.start)
    return []


def find(text: str, path: str, name: str) -> Symbol | None:
    return next((symbol for symbol in declared(text, path) if symbol.name == name), None)


def line_of(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1


def _script_symbols(text: str, code: str) -> list[Symbol]:
    symbols = []
    for found in chain(_SCRIPT.finditer(code), _METHOD.finditer(code)):
        parts = found.groupdict()
        kind = parts.get("kind") or "method"
        if kind == "method" and parts["name"] in _NO_METHOD:
            continue
        start = found.start() + len(found[0]) - len(found[0].lstrip())
        end, body = _extent(code, start)
        symbols.append(
            Symbol(
                name=parts["name"],
                kind=kind.rstrip("*"),
                exported=bool(parts.get("export")),
                line=line_of(text, start),
                start=start,
                end=end,
                text=text[start:end],
                signature=_script_signature(text, code, kind, start, end, body),
                doc=_comment_above(text, start),
            )
        )
    return symbols


def _extent(code: str, start: int) -> tuple[int, int]:
    """Where a declaration ends, and where its last block opens (its end if it has none)."""
    open_marks: list[str] = []
    body = -1
    for position in range(start, len(code)):
        char = code[position]
        if char in "([{":
            if char == "{" and not open_marks:
                body = position
            open_marks.append(char)
        elif char in _PAIRS and open_marks and open_marks[-1] == _PAIRS[char]:
            open_marks.pop()
            # After a return type of the form { ... } the real block is still to come.
            if char == "}" and not open_marks and code[position + 1 :].lstrip()[:1] not in tuple("{[|&;,.)="):
                return position + 1, body
        elif char == ";" and not open_marks:
            return position + 1, body if body >= 0 else position + 1
    return len(code), body if body >= 0 else len(code)


def _script_signature(text: str, code: str, kind: str, start: int, end: int, body: int) -> str:
    if kind in ("interface", "type", "enum"):
        head = text[start:end]
    elif kind in ("const", "let"):
        arrow = code.find("=>", start, end)
        first_line = text.find("\n", start, end)
        head = text[start:arrow] if arrow >= 0 else text[start : first_line if first_line >= 0 else end]
    else:
        head = text[start:body]
    return " ".join(head.split()).rstrip(";")


def _comment_above(text: str, start: int) -> str:
    above = text[:start].rstrip()
    if above.endswith("*/"):
        comment = above[above.rfind("/*") :]
        lines = [line.strip().lstrip("/*").rstrip("*/").strip() for line in comment.splitlines()]
    else:
        lines = []
        for line in reversed(text[:start].splitlines()):
            if not line.strip().startswith(("//", "#")):
                break
            lines.insert(0, line.strip().lstrip("/#").strip())
    return " ".join(line for line in lines if line)


def _python_symbol(text: str, code: str, found: re.Match[str]) -> Symbol:
    name = found["name"] or found["constant"]
    start = found.start() + len(found["indent"])
    end = _python_end(code, found.end(), len(found["indent"])) if found["kind"] else _line_end(text, start)
    head = _python_head(text, code, start, end) if found["kind"] else text[start:end]
    doc = re.match(r'\s*"""(.*?)"""', text[start + len(head) + 1 : end], re.DOTALL) if found["kind"] else None
    kind = {"def": "method" if found["indent"] else "function", "class": "class"}.get(found["kind"] or "", "const")
    return Symbol(
        name=name,
        kind=kind,
        exported=not name.startswith("_"),
        line=line_of(text, start),
        start=start,
        end=end,
        text=text[start:end],
        signature=" ".join(head.split()),
        doc=" ".join(doc[1].split()) if doc else _comment_above(text, start),
    )


def _python_head(text: str, code: str, start: int, end: int) -> str:
    depth = 0
    for position in range(start, end):
        depth += (code[position] in "([{") - (code[position] in ")]}")
        if code[position] == ":" and depth == 0:
            return text[start:position]
    return text[start:end]


def _python_end(code: str, position: int, indent: int) -> int:
    end = _line_end(code, position)
    for line in re.finditer(r"[^\n]*\n?", code[end:]):
        body = line[0].strip()
        # A head that spans lines closes with a bracket at the depth of the declaration.
        if body and len(line[0]) - len(line[0].lstrip()) <= indent and not body.startswith(")"):
            break
        if body:
            position = end + line.start() + len(line[0].rstrip())
    return max(position, end)


def _line_end(text: str, position: int) -> int:
    end = text.find("\n", position)
    return len(text) if end < 0 else end
