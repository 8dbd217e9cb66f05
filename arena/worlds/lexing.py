"""Which characters of a source file are code, string or comment: enough to count and rename without parsing."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from pathlib import PurePosixPath

CODE, STRING, COMMENT = "c", "s", "k"

_SCRIPT_TOKEN = re.compile(
    r"""(?P<k>//[^\n]*|/\*.*?(?:\*/|\Z))"""
    r"""|(?P<s>"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?)"""
    r"""|(?P<regex>/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/[a-z]*)"""
    r"""|(?P<tick>`)|(?P<open>\{)|(?P<close>\})""",
    re.DOTALL,
)
_HASH_TOKEN = re.compile(
    r"""(?P<k>\#[^\n]*)"""
    r"""|(?P<s>(?:\"{3}.*?(?:\"{3}|\Z))|(?:'{3}.*?(?:'{3}|\Z))|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?)""",
    re.DOTALL,
)
_MARKUP_TOKEN = re.compile(r"(?P<k><!--.*?(?:-->|\Z))", re.DOTALL)
_STYLE_TOKEN = re.compile(r"(?P<k>/\*.*?(?:\*/|\Z))", re.DOTALL)
_TEMPLATE_PART = re.compile(r"(?:\\.|(?!\$\{)[^`\\])*", re.DOTALL)
_REGEX_MAY_FOLLOW = "(,=:[!&|?{};+"


@lru_cache(maxsize=256)
def kinds(text: str, path: str) -> str:
    """One letter per character: CODE, STRING or COMMENT. A language we do not know is all code."""
    return _BY_SUFFIX.get(PurePosixPath(path).suffix, _plain)(text)


@lru_cache(maxsize=256)
def code_only(text: str, path: str) -> str:
    """The text with strings and comments blanked out; every offset and line end stays where it was."""
    return "".join(
        char if kind == CODE or char == "\n" else " " for char, kind in zip(text, kinds(text, path), strict=True)
    )


def comment_only(text: str, path: str) -> str:
    """The text with everything but comments blanked out."""
    return "".join(
        char if kind == COMMENT or char == "\n" else " " for char, kind in zip(text, kinds(text, path), strict=True)
    )


def _plain(text: str) -> str:
    return CODE * len(text)


def _marked(token: re.Pattern[str]) -> Callable[[str], str]:
    def mark(text: str) -> str:
        marks = [CODE] * len(text)
        for found in token.finditer(text):
            marks[found.start() : found.end()] = (found.lastgroup or CODE) * len(found[0])
        return "".join(marks)

    return mark


def _script(text: str) -> str:
    """TypeScript and JavaScript, where a template string may hold code that holds template strings."""
    marks = [CODE] * len(text)
    # One entry per open template hole: how many braces are open inside it.
    holes: list[int] = []
    position = 0
    while found := _SCRIPT_TOKEN.search(text, position):
        group, position = found.lastgroup, found.end()
        if group == "regex" and not _regex_may_begin(text, found.start()):
            position = found.start() + 1
        elif group in (COMMENT, STRING, "regex"):
            marks[found.start() : position] = (group if group != "regex" else STRING) * len(found[0])
        elif group == "open" and holes:
            holes[-1] += 1
        elif group == "close" and holes and holes[-1]:
            holes[-1] -= 1
        elif group == "tick" or (group == "close" and holes):
            if group == "close":
                holes.pop()
            position = _template(text, found.start(), marks, holes)
    return "".join(marks)


def _template(text: str, start: int, marks: list[str], holes: list[int]) -> int:
    """Mark a template from its tick or from the end of a hole up to its end or the next hole."""
    part = _TEMPLATE_PART.match(text, start + 1)
    assert part is not None
    end = part.end()
    if text.startswith("${", end):
        holes.append(0)
        end += 2
    else:
        end = min(end + 1, len(text))
    marks[start:end] = STRING * (end - start)
    return end


def _regex_may_begin(text: str, start: int) -> bool:
    before = text[:start].rstrip()
    return not before or before[-1] in _REGEX_MAY_FOLLOW or before.endswith("return")


_HASH = _marked(_HASH_TOKEN)
_MARKUP = _marked(_MARKUP_TOKEN)
_BY_SUFFIX: dict[str, Callable[[str], str]] = {
    **dict.fromkeys((".ts", ".tsx", ".js", ".mjs", ".cjs"), _script),
    **dict.fromkeys((".py", ".toml", ".yml", ".yaml", ".cfg", ".ini", ".sh", ".txt"), _HASH),
    **dict.fromkeys((".md", ".html"), _MARKUP),
    ".css": _marked(_STYLE_TOKEN),
}
