"""Where a declared name is used in the code base, and what each file looks like after a rename."""

from __future__ import annotations

import keyword
import re
from collections.abc import Mapping
from dataclasses import dataclass

from arena.worlds import imports, lexing, symbols

IDENTIFIER = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*")
_RESERVED = re.compile(
    r"await|async|break|case|catch|class|const|continue|default|delete|do|else|enum|export|extends|false|finally|for|"
    r"function|if|import|in|instanceof|interface|let|new|null|return|super|switch|this|throw|true|try|type|typeof|"
    r"undefined|var|void|while|with|yield"
)


@dataclass(frozen=True, slots=True)
class Edit:
    """One file: its text after the rename, how many uses changed, and lines that only mention the name."""

    path: str
    after: str
    changed: int
    mentions: tuple[int, ...]


def allowed(name: str) -> bool:
    """Whether this can be the name of anything."""
    reserved = keyword.iskeyword(name) or _RESERVED.fullmatch(name)
    return IDENTIFIER.fullmatch(name) is not None and not reserved


def edits(texts: Mapping[str, str], path: str, old: str, new: str) -> list[Edit]:
    """The declaring file first, then every file that imports the name from it."""
    return [_edit(texts[each], each, old, new) for each in (path, *imports.importers(texts, path, old))]


def collision(texts: Mapping[str, str], path: str, old: str, new: str) -> str | None:
    """The first touched file in which the new name is already in use."""
    for each in (path, *imports.importers(texts, path, old)):
        if _word(new).search(lexing.code_only(texts[each], each)):
            return each
    return None


def _edit(text: str, path: str, old: str, new: str) -> Edit:
    kinds = lexing.kinds(text, path)
    parts: list[str] = []
    mentions: list[int] = []
    changed = position = 0
    for found in _word(old).finditer(text):
        if kinds[found.start()] == lexing.CODE:
            parts += [text[position : found.start()], new]
            position, changed = found.end(), changed + 1
        else:
            mentions.append(symbols.line_of(text, found.start()))
    return Edit(path, "".join([*parts, text[position:]]), changed, tuple(dict.fromkeys(mentions)))


def _word(name: str) -> re.Pattern[str]:
    # A member of some other object may bear the same name, so `.name` is no use of it.
    return re.compile(rf"(?<![\w$.]){re.escape(name)}(?![\w$])|(?<=\.\.\.){re.escape(name)}(?![\w$])")
