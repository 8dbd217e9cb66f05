"""Short, JSON-safe copies of what a judge sent, for violations and logs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from policy.engine.bounds import bound_text

MAX_CHARS = 120
MAX_KEYS = 8
MAX_INTEGER = 10**15  # the largest that every reader of JSON keeps exactly, with room


def shorten(value: object) -> Any:
    """A copy that is small whatever came: strings 120 code points, lists by length, objects 8 keys."""
    if isinstance(value, Mapping):
        shown = {shorten_name(key): _flat(value[key]) for key in list(value)[:MAX_KEYS]}
        more = len(value) - MAX_KEYS
        return {**shown, "…": f"{more} more"} if more > 0 else shown
    return _flat(value)


def shorten_name(name: object) -> str:
    """A key that a judge sent, as part of a path."""
    return bound_text(name, MAX_CHARS).text if isinstance(name, str) else f"[{type(name).__name__}]"


def _flat(value: object) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return bound_text(value, MAX_CHARS).text
    if isinstance(value, int):
        return value if abs(value) < MAX_INTEGER else f"[integer of {value.bit_length()} bits]"
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, list | tuple):
        return f"[array length {len(value)}]"
    if isinstance(value, Mapping):
        return f"[object with {len(value)} keys]"
    return f"[{type(value).__name__}]"
