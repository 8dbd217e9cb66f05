"""Telling records apart by what the task says about the wanted one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from arena.agents import entities, words
from arena.agents.memory import Record, Scalar, kind_of

Holder = tuple[Scalar, Record]

REACH = 3
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_SUPERLATIVES = {
    "date": (
        {
            "last",
            "latest",
            "newest",
            "recent",
            "letzte",
            "letzten",
            "letzter",
            "letztes",
            "neueste",
            "neuesten",
            "jüngste",
            "jüngsten",
        },
        {"first", "oldest", "earliest", "erste", "ersten", "älteste", "ältesten", "früheste", "frühesten"},
    ),
    "number": (
        {
            "highest",
            "largest",
            "biggest",
            "dearest",
            "worst",
            "höchste",
            "höchsten",
            "größte",
            "größten",
            "teuerste",
            "teuersten",
        },
        {
            "lowest",
            "smallest",
            "cheapest",
            "least",
            "niedrigste",
            "niedrigsten",
            "kleinste",
            "kleinsten",
            "billigste",
            "billigsten",
        },
    ),
}


def narrowed(holders: Sequence[Holder], argument: str, texts: Sequence[str], *, german: bool) -> list[Holder]:
    """The holders that fit the texts best, the first text first. Several left is a true doubt.

    A superlative picks one when it stands near the word for the thing: `her latest order` for `order_id`.
    """
    left = list(holders)
    for text in texts:
        if len(left) > 1:
            left = _best(left, text, german=german)
            left = _superlative(left, _around(kind_of(argument), text, german=german))
    return left


def _best(holders: list[Holder], text: str, *, german: bool) -> list[Holder]:
    hits = [_hits(record, text, german=german) for _, record in holders]
    best = max(hits)
    return [holder for holder, count in zip(holders, hits, strict=True) if count == best] if best else holders


def _hits(record: Record, text: str, *, german: bool) -> int:
    """Literals of the text in the record count three, words one."""
    content = record.text()
    stems = set(words.content_words(content))
    literal = sum(entities.holds(content, entity.value) for entity in entities.find(text))
    return 3 * literal + sum(bool(stems & set(concept)) for concept in words.concepts(text, german=german))


def _around(stems: frozenset[str], text: str, *, german: bool) -> set[str]:
    """The words within `REACH` of a word for the thing."""
    spoken = words.raw_words(text)
    meanings = [{stem for concept in words.concepts(word, german=german) for stem in concept} for word in spoken]
    places = [at for at, found in enumerate(meanings) if stems & found]
    return {word for at in places for word in spoken[max(at - REACH, 0) : at + REACH + 1]}


def _superlative(holders: list[Holder], spoken: set[str]) -> list[Holder]:
    for kind, (most, least) in _SUPERLATIVES.items():
        if spoken & (most | least):
            keyed = [(key, holder) for holder in holders if (key := _key(holder[1], kind)) is not None]
            if keyed:
                extreme = (max if spoken & most else min)(key for key, _ in keyed)
                return [holder for key, holder in keyed if key == extreme]
    return holders


def _key(record: Record, kind: str) -> str | float | None:
    for value in record.fields.values():
        if kind == "date" and isinstance(value, str) and _DATE.match(value):
            return value
        if kind == "number" and isinstance(value, int | float) and not isinstance(value, bool):
            return value
    return None
