"""Values for an argument out of the words of a text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from arena.agents import clauses, entities, lexicon, words
from arena.agents.clauses import Clause
from arena.agents.entities import Entity, Kind
from arena.agents.shapes import Argument
from arena.catalogs.tool import Tool

_ORDERS = ("task", "question")
"""Free texts in which a reading tool is told what to find out."""
MIN_ID_DIGITS = 3
"""A bare number with fewer digits is an amount, not the number of a record."""
_SEARCHED = (Kind.QUOTED, Kind.CODE, Kind.SYMBOL, Kind.EMAIL, Kind.NAME, Kind.ID)
MAX_TITLE_CHARS = 100
_TOKEN = re.compile(r"[^\W_][\w./-]*", re.UNICODE)
_REPORTED = re.compile(r"(?:\b(?:that|saying|because|since|as|dass|weil|wegen)\b|:)\s+(.+)$", re.IGNORECASE | re.DOTALL)


def fitting(argument: Argument, text: str) -> Iterator[str]:
    """Literals of `text` that the argument may hold; with an example of an id only those that begin alike."""
    found = entities.find(text)
    for kind in argument.kinds:
        yield from (entity.value for entity in found if entity.kind is kind and _fits(argument, entity))


def searched(argument: Argument, text: str) -> Iterator[str]:
    """Literals that a search may be for, whatever they look like."""
    if argument.query and not argument.allowed:
        yield from (entity.value for kind in _SEARCHED for entity in entities.find(text) if entity.kind is kind)


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
    if argument.type != "string" or argument.allowed or argument.free_text or argument.query or argument.identifies:
        return
    tokens = [token.rstrip(".") for token in _TOKEN.findall(text)]
    wanted = set(words.content_words(argument.name))
    for at, token in enumerate(tokens):
        if wanted & _meanings(token, german=german):
            before, after = tokens[max(at - 1, 0) : at], tokens[at + 1 : at + 2]
            yield from (
                each for each in (after + before if german else before + after) if _is_value(each, first=tokens[0])
            )


def wording(argument: Argument, clause: Clause, tool: Tool) -> Iterator[str]:
    """Loose wording: search words for a query; for a free text the reported speech, the background or the step."""
    if argument.query:
        yield from _leftovers(clause.text, tool)
    elif argument.free_text and argument.type == "string" and (tool.effect != "observe" or argument.name in _ORDERS):
        match = _REPORTED.search(clause.text)
        said = clause.text if argument.name in _ORDERS else clause.background or clause.text
        text = (match.group(1) if match else said).strip(" .")
        yield text[:MAX_TITLE_CHARS] if "title" in argument.name or "subject" in argument.name else text


def _fits(argument: Argument, entity: Entity) -> bool:
    if entity.kind is Kind.NUMBER and argument.identifies and not _is_record_number(entity.value, argument):
        return False
    if entity.kind is Kind.PATH and argument.folder:
        return "." not in entity.value.rpartition("/")[2]
    if entity.kind not in (Kind.ID, Kind.NUMBER, Kind.SYMBOL) or argument.type != "string":
        return True
    marked = [example for example in argument.examples if "_" in example or any(char.isdigit() for char in example)]
    return not marked or _beginning(entity.value) in map(_beginning, marked)


def _is_record_number(value: str, argument: Argument) -> bool:
    """Digits only, as many as in one of the argument's examples."""
    sizes = {len(example) for example in argument.examples if example.isdigit()}
    return value.isdigit() and (len(value) in sizes if sizes else len(value) >= MIN_ID_DIGITS)


def _beginning(value: str) -> str:
    """What a kind of id begins with: `T-` of `T-1021`, `doc_` of `doc_guide`, nothing of `4803`, a code is `A-`."""
    head = re.match(r"[^\W_]*?[-_]|\D*", value)
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
        word = token.rstrip(".?!")
        if word.lower() in lexicon.STOP_WORDS or set(words.content_words(word)) & own:
            runs.append([])
        else:
            runs[-1].append(word)
    return (" ".join(run) for run in sorted(runs, key=len, reverse=True) if run)
