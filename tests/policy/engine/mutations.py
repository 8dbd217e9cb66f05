"""Sound replies turned into unsound ones, step by step, so that a failing example can be made small."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

JUNK: tuple[Any, ...] = (
    None, True, False, 0, 1, 2, -1, 0.5, 0.99, 1.01, 1.5, -0.01, 1e-9, 10**400, float("nan"), float("inf"),
    "", "0.9", "ghost", "__none__", "default", "fast", "allow", "noul", "choice", "score", "\ud800", "\x00", "e\u0301",
    [], {}, [0.9], {"0": 1}, {"type": "noul", "noul": 0.9}, {"a": {"b": {"c": []}}}, "x" * 300,
)  # fmt: skip
KEYS = (
    "type",
    "noul",
    "choice",
    "score",
    "confidence",
    "probabilities",
    "rawProbabilities",
    "legend",
    "0",
    "ghost",
    "",
)


@dataclass(frozen=True)
class Change:
    """One step: what is done at which place (counted through the whole reply), with what."""

    what: str
    place: int
    other: int
    junk: Any


WHATS = ("replace", "replace", "delete", "rename", "copy", "nudge", "add")
CHARACTERS = ('"', "0", "1", "9", "-", ".", "e", "{", "]", ",", "")


# Drawn by `sampled_from` throughout: hypothesis prefers small integers, and the first places would get all changes.
PLACES = st.sampled_from(range(60))
CHANGES = st.lists(
    st.builds(Change, st.sampled_from(WHATS), PLACES, PLACES, st.sampled_from(JUNK)), min_size=1, max_size=4
)
EDITS = st.lists(st.tuples(st.sampled_from(range(500)), st.sampled_from(CHARACTERS)), min_size=1, max_size=3)
JSON = st.recursive(
    st.sampled_from(JUNK),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=3),
    max_leaves=6,
)


def changed(body: Any, changes: Sequence[Change]) -> Any:
    """The reply after all steps; `body` itself is used up."""
    root = {"body": body}
    for change in changes:
        if places := list(_places(root)):
            _apply(places, change)
    return root.get("body")


def edited(body: Any, edits: Sequence[tuple[int, str]]) -> Any:
    """The reply after characters of its text were replaced; raises `ValueError` where that is no JSON any more."""
    text = list(json.dumps(body))
    for place, character in edits:
        text[place % len(text)] = character
    return json.loads("".join(text))


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every (container, key) inside, from the outside in."""
    keys: Sequence[Any] = list(value) if isinstance(value, dict) else range(len(value))
    for key in keys:
        yield value, key
        if isinstance(value[key], dict | list):
            yield from _places(value[key])


def _apply(places: Sequence[tuple[Any, Any]], change: Change) -> None:
    holder, key = places[change.place % len(places)]
    match change.what:
        case "replace":
            holder[key] = json_copy(change.junk)
        case "delete":
            del holder[key]
        case "rename" if isinstance(holder, dict):
            holder[KEYS[change.other % len(KEYS)]] = holder.pop(key)
        case "add" if isinstance(holder, dict):
            holder[KEYS[change.other % len(KEYS)]] = json_copy(change.junk)
        case "copy":
            source, name = places[change.other % len(places)]
            holder[key] = json_copy(source[name])
        case "nudge" if isinstance(holder[key], float):
            holder[key] += (change.other - 30) / 30


def json_copy(value: Any) -> Any:
    """A copy of dicts and lists, so that no value stands in two places."""
    if isinstance(value, dict):
        return {key: json_copy(item) for key, item in value.items()}
    return [json_copy(item) for item in value] if isinstance(value, list) else value
