from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.worlds import lexing

PIECES = st.lists(st.sampled_from(list("`${}/*\"'\\\n#a -=(")), max_size=30).map("".join)


@given(PIECES, st.sampled_from(["a.ts", "a.py", "a.md", "a.css", "a.csv"]))
def test_every_character_has_one_kind_and_lines_stay(text: str, path: str) -> None:
    assert len(lexing.kinds(text, path)) == len(text)
    assert lexing.code_only(text, path).count("\n") == text.count("\n")


@pytest.mark.parametrize(
    ("path", "text", "code"),
    [
        ("a.ts", "a // b", "a     "),
        ("a.ts", 'f("// no") /* k */ g', "f(       )         g"),
        ("a.ts", "`a ${b + `c ${d}`} e`", "     b +      d      "),
        ("a.ts", "`${ {a: 1}.a }`", "    {a: 1}.a   "),
        ("a.ts", "x = /['\"`]/g; y", "x =         ; y"),
        ("a.ts", "a / b / c", "a / b / c"),
        ("a.py", "x = '#'  # k", "x =         "),
        ("a.py", '"""doc\n""" y', "      \n    y"),
        ("a.md", "a <!-- b --> c", "a            c"),
        ("a.css", "a /* b */ c", "a         c"),
        ("a.csv", "a;'b", "a;'b"),
    ],
)
def test_strings_and_comments_are_blanked_out(path: str, text: str, code: str) -> None:
    assert lexing.code_only(text, path) == code


def test_comments_alone_can_be_read() -> None:
    assert lexing.comment_only("a // TODO: b\nc", "a.ts").split() == ["//", "TODO:", "b"]
