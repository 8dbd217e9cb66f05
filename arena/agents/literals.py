"""Values for an argument out of the words of a text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from arena.agents import clauses, entities, lexicon, words
from arena.agents.entities import Entity, Kind
from arena.agents.shapes import Argument
from arena.catalogs.tool import Tool

MIN_ID_DIGITS = 3
"""A bare number with fewer digits is an amount, not the number of a record."""
MAX_TITLE_CHARS = 100
_TOKEN = re.compile(r"[^\W_][\w./-]*", re.UNICODE)
_REPORTED = re.compile(r"(?:\b(?:that|saying|because|since|as|dass|weil|wegen)\b|:)\s+(.+)$", re.IGNORECASE | re.DOTALL)


def fitting(argument: Argument, text: str) -> Iterator[str]:
    """Literals of `text` that the argument may hold; with an example of an id only those that begin alike."""
    found = entities.find(text)
    for kind in argument.kinds:
        yield from (entity.value for entity in found if entity.kind is kind and _fits(argument, entity))
    if argument.query and not argument.allowed:
        yield from (entity.value for entity in found if entity.kind in (Kind.QUOTED, Kind.CODE, Kind.SYMBOL, Kind.NAME))


def options(argument: Argument, text: str, *, german: bool) -> Iterator[object]:
    """Allowed values that the text names in some form."""
    named = {stem for concept in words.concepts(text, german=german) for stem in concept}
    raw = {words.stem(word) for word in words.raw_words(text)}
    for option in argument.allowed or argument.examples:
        stems = {words.stem(word) for word in words.raw_words(str(option))}
        if stems and stems <= named | raw:
            yield option


def beside_the_name(argument: Argument, text: str, *, german: bool) -> Iterator[str]:
    """The word next to the argument's name: `the checkout service`, `namespace shop`, `Modul billing`."""
    if (
        argument.type != "string"
        or argument.allowed
        or argument.free_text
        or argument.query
        or Kind.ID in argument.kinds
    ):
        return
    tokens = [token.rstrip(".") for token in _TOKEN.findall(text)]
    wanted = set(words.content_words(argument.name))
    for at, token in enumerate(tokens):
        if wanted & _meanings(token, german=german):
            before, after = tokens[max(at - 1, 0) : at], tokens[at + 1 : at + 2]
            yield from (
                each for each in (after + before if german else before + after) if _is_value(each, first=tokens[0])
            )


def wording(argument: Argument, clause: str, tool: Tool) -> Iterator[str]:
    """Loose wording: search words for a query, the sentence itself for a free text."""
    if argument.query:
        yield from _leftovers(clause, tool)
    elif argument.free_text and argument.type == "string":
        match = _REPORTED.search(clause)
        text = (match.group(1) if match else clause).strip(" .")
        yield text[:MAX_TITLE_CHARS] if "title" in argument.name or "subject" in argument.name else text


def _fits(argument: Argument, entity: Entity) -> bool:
    numbered = entity.kind is Kind.NUMBER and Kind.ID in argument.kinds and argument.type == "string"
    if numbered and (len(entity.value) < MIN_ID_DIGITS or not entity.value.isdigit()):
        return False
    if entity.kind not in (Kind.ID, Kind.NUMBER):
        return True
    beginnings = {_beginning(example) for example in argument.examples if any(char.isdigit() for char in example)}
    return not beginnings or argument.type != "string" or _beginning(entity.value) in beginnings


def _beginning(value: str) -> str:
    """What stands before the first digit: `T-` of `T-1021`, nothing of `4803`; only the dash of `LMP-DSK-02`."""
    head = re.match(r"\D*", value)
    assert head is not None
    return re.sub(r"[A-Z]{2,}", "A", head.group())


def _meanings(token: str, *, german: bool) -> set[str]:
    return {stem for concept in words.concepts(token, german=german) for stem in concept}


def _is_value(token: str, *, first: str) -> bool:
    return token.lower() not in lexicon.STOP_WORDS and token != first and len(token) > 1


def _leftovers(clause: str, tool: Tool) -> Iterable[str]:
    """The longest runs of words of the clause that are not the tool's own words."""
    own = {*words.content_words(f"{tool.id} {tool.description}"), words.stem(clauses.first_word(clause))}
    runs: list[list[str]] = [[]]
    for token in _TOKEN.findall(clauses.without_lead(clause)):
        word = token.rstrip(".")
        if word.lower() in lexicon.STOP_WORDS or set(words.content_words(word)) & own:
            runs.append([])
        else:
            runs[-1].append(word)
    return (" ".join(run) for run in sorted(runs, key=len, reverse=True) if run)
