"""Translate by a table of words and phrases: longest phrase first, what the table lacks is said."""

from __future__ import annotations

import re
from collections.abc import Mapping

_WORD = re.compile(r"[^\W\d_]+")


def words(text: str) -> list[str]:
    return _WORD.findall(text)


def translated(text: str, table: Mapping[str, str]) -> tuple[str, list[str]]:
    """The text with every known phrase replaced, and the words that are not in the table, each once."""
    by_case = {phrase.casefold(): meaning for phrase, meaning in table.items()}
    longest_first = sorted(by_case, key=len, reverse=True)
    phrase = re.compile("|".join(rf"\b{re.escape(each)}\b" for each in longest_first) or r"(?!)", re.IGNORECASE)
    unknown: list[str] = []
    parts: list[str] = []
    position = 0
    for found in phrase.finditer(text):
        unknown += words(text[position : found.start()])
        parts += [text[position : found.start()], by_case[found[0].casefold()]]
        position = found.end()
    unknown += words(text[position:])
    return _capitalised("".join([*parts, text[position:]])), list(dict.fromkeys(unknown))


def _capitalised(text: str) -> str:
    """A sentence begins with a capital letter; the table holds words as they stand inside one."""
    return re.sub(r"(^\W*|[.!?]\s+)([^\W\d_])", lambda found: found[1] + found[2].upper(), text)
