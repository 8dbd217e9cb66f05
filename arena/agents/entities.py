"""Things that a text names literally: paths, ids, addresses, dates, numbers, quoted strings, symbols, names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    QUOTED = "quoted"
    CODE = "code"
    URL = "url"
    EMAIL = "email"
    PATH = "path"
    DATE = "date"
    TIME = "time"
    VERSION = "version"
    ID = "id"
    NUMBER = "number"
    SYMBOL = "symbol"
    NAME = "name"


@dataclass(frozen=True, slots=True)
class Entity:
    """`value` is the text without quotes; `start` and `end` are its place in the text, quotes included."""

    kind: Kind
    value: str
    start: int
    end: int


_CAPITAL = r"[A-ZÄÖÜ][\w'’-]{0,99}[a-zäöüß]"
_PATTERNS: tuple[tuple[Kind, str], ...] = (
    (Kind.CODE, r"`([^`\n]+)`"),
    (Kind.QUOTED, r"\"([^\"\n]+)\"|“([^”\n]+)”|„([^“”\n]+)[“”]|«([^»\n]+)»|‘([^’\n]+)’|(?<!\w)'([^'\n]+)'(?!\w)"),
    (Kind.URL, r"(?:https?://|www\.)[^\s,;)]+[^\s,;).?!]"),
    # Only from where such a run begins: tried from each of its characters, a long one takes minutes.
    (Kind.EMAIL, r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+"),
    (Kind.DATE, r"\d{4}-\d\d-\d\d(?:T[\d:.]+Z?)?|\d{4}-\d\d(?!\d)"),
    (Kind.TIME, r"\b\d{1,2}:\d\d\b"),
    (
        Kind.PATH,
        r"(?<![\w/])[\w.-]{0,200}[\w](?:/[\w.-]{0,200}\w)+/?"
        r"|\b[\w-]{0,60}[a-zA-Z][\w-]{0,60}\.(?:[a-z]{2,4}|md|c|h|ts|py|js)\b(?!\()",
    ),
    (Kind.VERSION, r"\bv?\d+(?:\.\d+){2,}\b"),
    (
        Kind.ID,
        r"\b[A-Za-z]{1,6}[-_](?:[A-Za-z0-9]{1,60}[-_]){0,12}[A-Za-z]{0,60}\d[\w-]*\b"
        r"|#\w*\d\w*|\b[A-Z]{2,}(?:-[A-Z0-9]+)+\b",
    ),
    (Kind.ID, r"\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{6,40}\b"),
    (Kind.NUMBER, r"(?<![\w.,])\d+(?:[.,]\d+)?(?![\w])"),
    (
        Kind.SYMBOL,
        r"\b[A-Za-z_]\w{0,99}(?:\.\w{1,99}){0,20}\(\)"
        r"|\b[a-z]+(?:[A-Z]\w*)+\b|\b[a-zA-Z]+(?:_[a-zA-Z0-9]+)+\b",
    ),
    (Kind.NAME, rf"{_CAPITAL}(?= (?:has|is|was|wants|needs|asks|says|hat|ist|war|will|möchte|braucht|fragt|sagt)\b)"),
    (Kind.NAME, rf"(?<=\w ){_CAPITAL}(?: {_CAPITAL})*|{_CAPITAL}(?: {_CAPITAL})+"),
)
_REGEX = re.compile("|".join(f"(?P<k{number}>{pattern})" for number, (_, pattern) in enumerate(_PATTERNS)))


def find(text: str) -> tuple[Entity, ...]:
    """The entities of a text from left to right, none inside another."""
    return tuple(_entity(match) for match in _REGEX.finditer(text))


def of_kind(entities: Iterable[Entity], *kinds: Kind) -> list[Entity]:
    return [entity for entity in entities if entity.kind in kinds]


def holds(text: str, literal: str) -> bool:
    """Whether the text has the literal as a whole, whatever its case: `12` is not in `G-12`."""
    return re.search(rf"(?<![\w-]){re.escape(literal)}(?![\w-])", text, re.IGNORECASE) is not None


def blanked(text: str, *, keep: frozenset[Kind] = frozenset({Kind.NAME, Kind.SYMBOL})) -> str:
    """The text with literal entities removed, so that words inside a path or a quotation do not choose a tool."""
    pieces, at = [], 0
    for entity in find(text):
        if entity.kind not in keep:
            pieces.append(text[at : entity.start])
            at = entity.end
    return " ".join([*pieces, text[at:]])


def _entity(match: re.Match[str]) -> Entity:
    number = int(str(match.lastgroup)[1:])
    inner = next((group for group in match.groups() if group is not None and group != match.group()), match.group())
    return Entity(_PATTERNS[number][0], inner.strip(), match.start(), match.end())
