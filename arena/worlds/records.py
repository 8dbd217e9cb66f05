"""The records of a world as tools see them: find one, name near ones, match words, cut long lists."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from arena.worlds.handlers import ToolError
from arena.worlds.sources import shown
from arena.worlds.world import Record, World


def required(world: World, collection: str, key: str, *, argument: str, noun: str) -> Record:
    """The record with this id; raises ToolError that names `argument` and the nearest ids."""
    record = world.find(collection, key)
    if record is None:
        known = [each["id"] for each in world.all(collection)]
        raise ToolError(f"The argument {argument} names no {noun}: {shown(key)}; {near(key, known)}.")
    return record


def near(wanted: str, known: Sequence[str]) -> str:
    """The mend for a wrong name: the closest known ones, or an example of how they look."""
    folded = {fold(name): name for name in known}
    close = [folded[name] for name in difflib.get_close_matches(fold(wanted), list(folded), n=3, cutoff=0.5)]
    if close:
        return f"the nearest are {', '.join(close)}"
    return f"use one like {known[0]}" if known else "there is none yet"


def following_id(world: World, collection: str, prefix: str) -> str:
    """The id after the highest number in use; deterministic, so that a replay names records alike."""
    numbers = [each["id"].removeprefix(prefix) for each in world.all(collection)]
    return f"{prefix}{max((int(number) for number in numbers if number.isdigit()), default=0) + 1}"


def capped(name: str, rows: Sequence[Any], limit: int) -> dict[str, Any]:
    """The first `limit` rows under `name`, and `of`: how many there are in all."""
    return {"of": len(rows), name: list(rows[:limit])}


def holds(query: str, texts: Iterable[str]) -> bool:
    """Whether every word of the query occurs in the texts, whatever its case and accents."""
    haystack = fold(" ".join(texts))
    return all(word in haystack for word in fold(query).split())


def said(arguments: Mapping[str, Any], name: str, mend: str = "write at least one sentence") -> str:
    """The words of a text argument without blanks around them; raises ToolError with the mend if nothing is left."""
    text: str = arguments[name].strip()
    if not text:
        raise ToolError(f"The argument {name} is blank; {mend}.")
    return text


def words(text: str) -> list[str]:
    """The folded words of a text in order, punctuation dropped."""
    return re.findall(r"[a-z0-9]+", fold(text))


def fold(text: str) -> str:
    """Lower case without accents, so that `Kühn` and `kuhn` meet."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in decomposed if not unicodedata.combining(char))
