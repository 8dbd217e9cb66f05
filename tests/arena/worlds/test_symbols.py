from __future__ import annotations

from arena.worlds import imports, symbols

SCRIPT = """import { Shape } from "./shape";

/** Makes a box. */
export function box(
  width: number,
): { width: number } {
  return { width };
}

// Not for others.
const half = (value: number): number => value / 2;

export default class Shop {
  private open(door: string): boolean {
    if (door) { return true; }
    return false;
  }
}
"""
PYTHON = '''LIMIT = 3


class Lamp:
    def glow(
        self,
        level: int,
    ) -> int:
        """How bright."""
        return level


def _off() -> None: ...
'''


def test_a_function_ends_after_its_block_not_after_its_return_type() -> None:
    symbol = symbols.find(SCRIPT, "a.ts", "box")
    assert symbol is not None
    assert (symbol.line, symbol.exported, symbol.doc) == (4, True, "Makes a box.")
    assert symbol.signature == "export function box( width: number, ): { width: number }"
    assert symbol.text.endswith("return { width };\n}")


def test_constants_classes_and_methods_are_declared() -> None:
    found = {symbol.name: (symbol.kind, symbol.exported) for symbol in symbols.declared(SCRIPT, "a.ts")}
    assert found == {
        "box": ("function", True),
        "half": ("const", False),
        "Shop": ("class", True),
        "open": ("method", False),
    }


def test_an_arrow_function_shows_its_parameters() -> None:
    symbol = symbols.find(SCRIPT, "a.ts", "half")
    assert symbol is not None
    assert (symbol.signature, symbol.doc) == ("const half = (value: number): number", "Not for others.")


def test_python_declarations_end_where_the_indentation_ends() -> None:
    symbol = symbols.find(PYTHON, "a.py", "glow")
    assert symbol is not None
    assert (symbol.kind, symbol.doc, symbol.text[-12:]) == ("method", "How bright.", "return level")
    assert [each.name for each in symbols.declared(PYTHON, "a.py")] == ["LIMIT", "Lamp", "glow", "_off"]


def test_a_language_that_we_do_not_know_declares_nothing() -> None:
    assert symbols.declared("function f() {}", "a.txt") == []


def test_imports_lead_to_known_files_only() -> None:
    text = 'import { a, type B as C } from "../b";\nimport { x } from "fastify";\n// import { d } from "../b";\n'
    found = imports.of(text, "src/deep/a.ts", ["src/b.ts"])
    assert found == [imports.Import("src/b.ts", ("a", "B"), 1)]


def test_importers_are_found_by_name() -> None:
    texts = {"a.py": "X = 1\n", "b.py": "from a import X\n", "c.py": "from a import Y\n"}
    assert imports.importers(texts, "a.py", "X") == ["b.py"]
