"""What plain rules notice about one source file: no model, the same answer every time."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from arena.worlds import imports, lexing, symbols

_REDUCE = re.compile(r"\.reduce\s*\(")
_PAST_END = re.compile(r"<=\s*(?P<name>[\w.]+)\.length\b")
_BY_LENGTH = re.compile(r"/\s*(?:(?P<script>[\w.]+)\.length\b|len\((?P<python>\w+)\))")
_EMPTY_CATCH = re.compile(r"\bcatch\s*(?:\([^)]*\)\s*)?\{\s*\}")
_LOOSE_EQUAL = re.compile(r"(?<![=!<>])[=!]=(?!=)")
_NUMBER_CONSTANT = re.compile(r"=\s*(?P<value>-?\d[\d_.]*)\s*;?\s*$")


@dataclass(frozen=True, slots=True)
class Finding:
    """`rule` names the check, `line` counts from 1, `text` is one sentence, `why` explains it."""

    rule: str
    line: int
    text: str
    why: str

    def to_json(self, *, explained: bool) -> dict[str, object]:
        data: dict[str, object] = {"rule": self.rule, "line": self.line, "text": self.text}
        return {**data, "why": self.why} if explained else data


def of(texts: Mapping[str, str], path: str) -> list[Finding]:
    """Every finding of one file, by line."""
    text = texts[path]
    code = lexing.code_only(text, path)
    found = [*_reduces(text, code), *_slips(text, code, path), *_constants(texts, path)]
    return sorted(found, key=lambda finding: finding.line)


def uses(texts: Mapping[str, str], path: str, name: str) -> list[dict[str, object]]:
    """Lines of code that use a declared name: in its own file after the declaration, and where it is imported."""
    word = re.compile(rf"(?<![\w$.]){re.escape(name)}(?![\w$])")
    declaration = symbols.find(texts[path], path, name)
    places: list[dict[str, object]] = []
    for each in (path, *imports.importers(texts, path, name)):
        code = lexing.code_only(texts[each], each).split("\n")
        lines = texts[each].split("\n")
        taken = {taken.line for taken in imports.of(texts[each], each, texts)}
        own = {declaration.line} if declaration and each == path else set()
        for number, line in enumerate(code, start=1):
            if word.search(line) and number not in taken | own:
                places.append({"path": each, "line": number, "text": lines[number - 1].strip()})
    return places


def _reduces(text: str, code: str) -> list[Finding]:
    return [
        Finding(
            "reduce-without-start",
            symbols.line_of(text, found.start()),
            "reduce has no start value, so an empty list throws a TypeError",
            "Without a second argument reduce takes the first element as its start; an empty list has none.",
        )
        for found in _REDUCE.finditer(code)
        if not _has_second_argument(code, found.end())
    ]


def _has_second_argument(code: str, position: int) -> bool:
    depth = 1
    while position < len(code) and depth:
        if code[position] == "," and depth == 1:
            return True
        depth += (code[position] in "([{") - (code[position] in ")]}")
        position += 1
    return False


def _slips(text: str, code: str, path: str) -> list[Finding]:
    rules = [
        (_PAST_END, "past-the-end", "the loop runs up to and including {name}.length, one step too far"),
        (_BY_LENGTH, "division-by-length", "the result is divided by the length of {name}, which can be 0"),
        (_EMPTY_CATCH, "silent-catch", "a caught error is dropped without a word"),
    ]
    if path.endswith((".ts", ".tsx", ".js", ".mjs")):
        rules.append((_LOOSE_EQUAL, "loose-comparison", "values are compared without regard to their type"))
    found = []
    for pattern, rule, sentence in rules:
        for match in pattern.finditer(code):
            name = next((value for value in match.groupdict().values() if value), "")
            line = symbols.line_of(text, match.start())
            found.append(Finding(rule, line, sentence.format(name=name), _WHY[rule]))
    return found


_WHY = {
    "past-the-end": "The last index is the length minus one; one more gives undefined, and a sum becomes NaN.",
    "division-by-length": "For an empty list this is 0 / 0: NaN in TypeScript, ZeroDivisionError in Python.",
    "silent-catch": "Whoever looks for the failure later finds no trace of it.",
    "loose-comparison": "== turns values into one type first, so 0 equals an empty string.",
}


def _constants(texts: Mapping[str, str], path: str) -> list[Finding]:
    found = []
    for symbol in symbols.declared(texts[path], path):
        value = _NUMBER_CONSTANT.search(symbol.text) if symbol.kind == "const" else None
        if value is None:
            continue
        places = uses(texts, path, symbol.name)
        where = "; ".join(f"{place['path']} line {place['line']}: {place['text']}" for place in places[:3])
        text = f"{symbol.name} is {value['value']} and is used in {where}" if where else _unused(symbol, value["value"])
        found.append(Finding("constant", symbol.line, text, symbol.doc or "The source has no comment on it."))
    return found


def _unused(symbol: symbols.Symbol, value: str) -> str:
    return f"{symbol.name} is {value} and is used nowhere"
