"""Words, stems and clauses of English and German text, and what of a state is the thing asked about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

from policy.judges.local.lexicon import STOP, fold

MAX_UNITS = 8
# How many texts of a state get a vector: each costs some 12 ms, and more of them did not choose better.
MAX_VECTORS = 3
MAX_CHARS = 4_000

_EDGES = " \t.,;:!?"
_WORD = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_JOINED = r"(?:(?:and|und)\s+)?(?:and|then|und|dann|danach)"
_CLAUSE = re.compile(rf"(?<=[.!?;:])\s+|\n+|,?\s+{_JOINED}\s+|,\s+", re.IGNORECASE)
# A pattern tries a run of blanks from each of its places: a page of them would take minutes.
_LONG_BLANK = re.compile(r"\s{40,}")
# What stands for a thing's own name, and the plain word that a vector understands better than the name.
NAMES = (
    # Only from where such a run begins: tried from each of its characters, a long one takes minutes.
    (re.compile(r"(?<![\w.+-])[\w.+-]+@[\w.-]+\w"), "address"),
    (re.compile(r"\b[\w-]{1,200}(?:/[\w.-]+)+/?|\b[\w-]{1,200}\.[a-z]{1,5}\b(?!\.)"), "file"),
    (re.compile(r"\b[A-Z]{1,5}-\d[\w-]*\b|#?\b\d[\d-]{3,}\b"), "item"),
    (re.compile(r"\b[a-z]+[A-Z]\w*\b(?:\(\))?|\b[a-z]+_\w+\b"), "function"),
    (re.compile(r"[\"“„][^\"”“]+[\"”“]"), "text"),
)
_ENDINGS = ("ungen", "ung", "ing", "ern", "ed", "en", "em", "er", "e")


def words(text: str) -> list[str]:
    """The words of a text in order, lower case, accents folded, `camelCase` and `snake_case` taken apart."""
    return [fold(word) for word in _WORD.findall(_CAMEL.sub(" ", text))]


def plain(text: str) -> str:
    """The text with paths, ids, addresses, code names and quotations replaced by one plain word each."""
    for pattern, word in NAMES:
        text = pattern.sub(word, text)
    return text


@lru_cache(maxsize=8_192)
def stem(word: str) -> str:
    """A word without its commonest English or German ending; never shorter than three letters."""
    if len(word) > 4 and word.endswith("ies"):
        word = word[:-3] + "y"
    elif len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiou":
        word = word[:-1]
    return word


def stems(text: str) -> list[str]:
    """The stemmed words of a text without stop words."""
    return [stem(word) for word in words(text) if word not in STOP]


def asked(state: Mapping[str, Any] | str) -> tuple[str, ...]:
    """What a state asks for: its `task` and `step` where it has them, otherwise every string in it, together."""
    return tuple(dict.fromkeys(text[:MAX_CHARS] for text in _asked(state)))


def lost(state: Mapping[str, Any] | str) -> int:
    """How many characters of what a state asks for are beyond `MAX_CHARS` and not read."""
    return sum(max(0, len(text) - MAX_CHARS) for text in _asked(state))


def clauses(wholes: tuple[str, ...]) -> tuple[str, ...]:
    """The clauses of the texts in order, without doubles and without the texts themselves.

    With the texts they are at most `MAX_UNITS`; where there are more, the longest are kept.
    """
    found = list(dict.fromkeys(clause for whole in wholes for clause in _clauses(whole)))
    kept = set(sorted(found, key=len, reverse=True)[: MAX_UNITS - len(wholes)])
    return tuple(clause for clause in found if clause in kept)


def merged(parts: Sequence[str], most: int) -> tuple[str, ...]:
    """Neighbouring clauses put together until at most `most` are left, none of them lost."""
    if len(parts) <= most:
        return tuple(parts)
    edges = [index * len(parts) // most for index in range(most + 1)]
    return tuple(", ".join(parts[start:end]) for start, end in pairwise(edges))


def _clauses(given: str) -> list[str]:
    text = _LONG_BLANK.sub(lambda run: "\n" if "\n" in run[0] else " ", given)
    parts = [part.strip(_EDGES) for part in _CLAUSE.split(text)]
    return [part for part in parts if part != text.strip(_EDGES) and len(words(part)) >= 2 and stems(part)]


def _asked(state: Mapping[str, Any] | str) -> list[str]:
    if isinstance(state, str):
        return [_clean(state)]
    named = [_clean(state[key]) for key in ("task", "step") if isinstance(state.get(key), str)]
    rest = {key: value for key, value in state.items() if key != "examples"}
    return [text for text in named if text] or [_clean(" ".join(_strings(rest)))]


def _clean(text: str) -> str:
    return text.replace("\0", " ").strip()


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _strings(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _strings(item)
