"""Words, stems and clauses of English and German text, and what of a state is the thing asked about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from policy.judges.local.lexicon import STOP, fold

MAX_UNITS = 8
MAX_CHARS = 4_000

_WORD = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_CLAUSE = re.compile(
    r"(?<=[.!?;:])\s+|\n+|,\s+|\s+(?:and\s+then|und\s+dann|and|then|und|dann|danach)\s+", re.IGNORECASE
)
_ENDINGS = ("ungen", "ung", "ing", "ern", "ed", "en", "em", "er", "e")


def words(text: str) -> list[str]:
    """The words of a text in order, lower case, accents folded, `camelCase` and `snake_case` taken apart."""
    return [fold(word) for word in _WORD.findall(_CAMEL.sub(" ", text))]


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


def asked_text(state: Mapping[str, Any] | str) -> list[str]:
    """What a state asks for: its `task` and `step` where it has them, otherwise every string in it."""
    if isinstance(state, str):
        return [state]
    named = [state[key] for key in ("task", "step") if isinstance(state.get(key), str)]
    return named or [" ".join(_strings(state))]


def units(texts: list[str]) -> tuple[str, ...]:
    """Each text whole and its clauses, without doubles, at most `MAX_UNITS`; the longest clauses are kept."""
    wholes = [_clean(text) for text in texts]
    clauses = [clause for whole in wholes for clause in _clauses(whole)]
    room = MAX_UNITS - len(wholes)
    kept = set(sorted(dict.fromkeys(clauses), key=len, reverse=True)[:room])
    return tuple(dict.fromkeys([*wholes, *(clause for clause in clauses if clause in kept)]))


def _clauses(text: str) -> list[str]:
    parts = [part.strip(" \t.,;:!?") for part in _CLAUSE.split(text)]
    return [part for part in parts if len(words(part)) >= 2 and stems(part)]


def _clean(text: str) -> str:
    return text.replace("\0", " ").strip()[:MAX_CHARS]


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _strings(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _strings(item)
