"""The judge's word lists, read from `lexicon.toml` once."""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Mapping
from pathlib import Path


def fold(word: str) -> str:
    """Lower case without accents; `ß` becomes `ss`."""
    if word.isascii():
        return word.lower()
    decomposed = unicodedata.normalize("NFKD", word.lower().replace("ß", "ss"))
    return "".join(char for char in decomposed if not unicodedata.combining(char))


_LISTS = tomllib.loads(Path(__file__).with_name("lexicon.toml").read_text(encoding="utf-8"))

STOP, VAGUE, POINTING, ASKING, SCOPE, BLANK = (
    frozenset(fold(word) for word in _LISTS[name].split())
    for name in ("stop", "vague", "pointing", "asking", "scope", "blank")
)
# Folded verbs by what they do; see `verbs`.
VERBS: Mapping[str, tuple[str, ...]] = {
    name: tuple(fold(word) for word in _LISTS["verbs"][name].split()) for name in _LISTS["verbs"]
}
