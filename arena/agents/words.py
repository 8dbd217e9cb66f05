"""Words: what counts as one, its stem, what is too common to matter, and the language of a text."""

from __future__ import annotations

import re
from functools import cache

from arena.agents import lexicon
from arena.agents.german import ENGLISH_OF

_WORD = re.compile(r"[^\W\d_]+(?:'[a-z]+)?", re.UNICODE)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_SUFFIXES = ("ations", "ation", "ings", "ing", "ers", "er", "ies", "ied", "ed", "es", "s", "ly", "e", "y")


@cache
def stem(word: str) -> str:
    """A light stem: enough that `files`, `filed` and `filing` meet, short words untouched."""
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            root = word[: -len(suffix)]
            doubled = len(root) > 3 and root[-1] == root[-2] and (root[-1] not in "aeiouls" or len(root) > 6)
            return root[:-1] if doubled else root
    return word


def raw_words(text: str) -> list[str]:
    """The words of `text` in lower case; `snake_case` and `camelCase` count as several."""
    return [word.lower() for word in _WORD.findall(_CAMEL.sub(" ", text.replace("_", " ")))]


@cache
def english(word: str) -> tuple[str, ...]:
    """English words for a German one, by the longest known beginning; a compound gives those of its parts."""
    for cut in range(len(word), 2, -1):
        head, ending = word[:cut], word[cut:]
        if head in ENGLISH_OF and (len(ending) <= 3 or cut >= 4):
            return (*ENGLISH_OF[head].split(), *_second_part(ending))
    return ()


def _second_part(ending: str) -> tuple[str, ...]:
    if len(ending) <= 3:
        return ()
    joints = (joint for joint in ("", "en", "es", "n", "s", "e") if ending.startswith(joint))
    return next((found for joint in joints if (found := english(ending.removeprefix(joint)))), ())


def content_words(text: str) -> list[str]:
    """Stems of the words that carry meaning, in order, repetitions kept."""
    return [stem(word) for word in raw_words(text) if word not in lexicon.STOP_WORDS and len(word) > 1]


def concepts(text: str, *, german: bool = False) -> list[tuple[str, ...]]:
    """The meanings of a text: for each content word the stems that say it, German ones as their English words."""
    found: dict[tuple[str, ...], None] = {}
    for word in raw_words(text):
        if word not in lexicon.STOP_WORDS and len(word) > 1:
            translated = english(word) if german else ()
            found[tuple(dict.fromkeys(stem(each) for each in translated)) or (stem(word),)] = None
    return list(found)


def is_german(text: str) -> bool:
    """True when the text has more German than English function words."""
    words = raw_words(text)
    marks = sum(word in lexicon.GERMAN_MARKS for word in words) + sum(any(c in "äöüß" for c in word) for word in words)
    return marks > sum(word in lexicon.ENGLISH_MARKS for word in words)
