"""What an argument accepts, read from its schema and description: type, allowed values, examples, kind of text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from arena.agents import entities, lexicon, words
from arena.agents.entities import Kind
from arena.catalogs.tool import Tool

_EXAMPLES = re.compile(r"(?:for example|for instance|such as|e\.g\.|like)\s+([^.;()]*(?:\.\w[^.;()]*)*)", re.IGNORECASE)
_KINDS: tuple[tuple[str, tuple[Kind, ...]], ...] = (
    ("path file left right source target folder directory", (Kind.PATH,)),
    ("email mail recipient to from cc sender", (Kind.EMAIL,)),
    ("url link address", (Kind.URL,)),
    ("date day since until start end from to before after due", (Kind.DATE,)),
    ("time hour at", (Kind.TIME, Kind.DATE)),
    ("version release", (Kind.VERSION,)),
    ("id ids number key sku code commit revision order ticket invoice customer reference", (Kind.ID, Kind.NUMBER)),
    ("amount price total sum quantity count limit percent", (Kind.NUMBER,)),
    ("query text term phrase pattern search keyword needle string", (Kind.QUOTED, Kind.CODE, Kind.SYMBOL)),
    ("symbol function name identifier old new", (Kind.CODE, Kind.SYMBOL, Kind.QUOTED)),
    ("name person customer author assignee owner who employee member", (Kind.NAME,)),
    ("title subject summary body message reason note comment rationale description content", (Kind.QUOTED,)),
)
_WORDS_OF_KINDS = tuple((frozenset(map(words.stem, names.split())), kinds) for names, kinds in _KINDS)
_FREE_TEXT = frozenset(
    map(
        words.stem, lexicon.word_set("title subject body message reason note comment rationale resolution content task")
    )
)
_POINTING = {Kind.ID, Kind.PATH, Kind.EMAIL, Kind.URL}
_QUERY = frozenset(map(words.stem, lexicon.word_set("query term phrase search keyword needle words about topic")))


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a tool. `kinds` are the literals that may fill it, likeliest first."""

    name: str
    rule: Mapping[str, Any]
    required: bool
    kinds: tuple[Kind, ...]
    examples: tuple[str, ...]
    free_text: bool
    query: bool

    @property
    def type(self) -> str:
        return _type(self.rule)

    @property
    def folder(self) -> bool:
        return bool({"directory", "folder"} & set(words.raw_words(self.name)))

    @property
    def numeric(self) -> bool:
        return self.type in ("integer", "number")

    @property
    def identifies(self) -> bool:
        """True when it points at something that an earlier result may have named: an id, a path, an address."""
        numbered = self.type == "string" and Kind.NUMBER in self.kinds
        named = self.name == "id" or self.name.endswith("_id")
        return (named or numbered or bool(_POINTING & set(self.kinds))) and not self.free_text

    @property
    def allowed(self) -> tuple[Any, ...]:
        """The values of `enum`, or those that the examples name as plain words; empty when open."""
        return tuple(self.rule.get("enum", ()))

    def cast(self, value: Any) -> Any | None:
        """`value` as this argument takes it, or None when it does not fit."""
        if self.type == "array":
            items = value if isinstance(value, list | tuple) else [value]
            return [_scalar(self.rule.get("items", {}), item) for item in items] or None
        found = _scalar(self.rule, value)
        return None if self.allowed and found not in self.allowed else found


def arguments(tool: Tool) -> list[Argument]:
    """The arguments of a tool, required ones first, otherwise in the order of the schema."""
    found = [_argument(tool, name, rule) for name, rule in tool.properties.items()]
    return sorted(found, key=lambda argument: not argument.required)


def _argument(tool: Tool, name: str, rule: Mapping[str, Any]) -> Argument:
    description = str(rule.get("description", ""))
    named = frozenset(words.stem(word) for word in words.raw_words(name))
    examples = tuple(_examples(description))
    return Argument(
        name=name,
        rule=rule,
        required=name in tool.required,
        kinds=_kinds(named, description, examples, _type(rule)),
        examples=examples,
        free_text=bool(named & _FREE_TEXT) and "enum" not in rule,
        query=bool(named & _QUERY),
    )


def _examples(description: str) -> Iterator[str]:
    for match in _EXAMPLES.finditer(description):
        yield from (part.strip(" '\"`“”") for part in re.split(r",|\bor\b|\band\b", match.group(1)) if part.strip())


def _kinds(named: frozenset[str], description: str, examples: tuple[str, ...], type_: str) -> tuple[Kind, ...]:
    if type_ in ("integer", "number"):
        return (Kind.NUMBER,)
    found: dict[Kind, None] = {entity.kind: None for example in examples for entity in entities.find(example)}
    if found.keys() & {Kind.ID, Kind.NUMBER, Kind.DATE, Kind.SYMBOL}:
        return tuple(found)
    for stems, kinds in _WORDS_OF_KINDS:
        if stems & named:
            found.update(dict.fromkeys(kinds))
    opening = frozenset(words.stem(word) for word in words.raw_words(description)[:3])
    for stems, kinds in _WORDS_OF_KINDS[:2] if not found else ():
        if stems & opening:
            found.update(dict.fromkeys(kinds))
    if "YYYY" in description:
        found = {Kind.DATE: None}
    return tuple(found)


def _type(rule: Mapping[str, Any]) -> str:
    """The one type of a rule; of several, which strangers' schemas may name, the first that is not null."""
    named = rule.get("type")
    if named is None:
        parts = [part for word in ("anyOf", "oneOf") for part in rule.get(word, ()) if isinstance(part, Mapping)]
        named = [part.get("type", "string") for part in parts] or "string"
    if isinstance(named, str):
        return named
    return next((str(each) for each in named if each != "null"), "string")


def _scalar(rule: Mapping[str, Any], value: Any) -> Any | None:
    kind = _type(rule)
    if kind in ("object", "array", "null"):
        return None
    if kind == "string":
        return (
            str(value) if isinstance(value, str | int | float) and not isinstance(value, bool) and str(value) else None
        )
    if kind == "boolean":
        return value if isinstance(value, bool) else None
    return _number(value, whole=kind == "integer")


def _number(value: Any, *, whole: bool) -> int | float | None:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        number = float(str(value).replace(",", "."))
    except ValueError:
        return None
    if number.is_integer():
        return int(number)
    return None if whole else number
