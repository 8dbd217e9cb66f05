"""What makes two tool calls the same: the tool and all of its arguments, whatever their order."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from typing import Any

# Readable, as it is sent to a judge; `canonical_json` escapes everything outside ASCII.
compact = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode

# Deeper than any call that is assessed, and far from Python's own limit.
MAX_DEPTH = 100
EXACT = 2**53


def call_key(tool: str, arguments: Any) -> str:
    """SHA-256 over the tool, NUL and the canonical arguments, in 64 hex digits (seed 000, Loop detection).

    Nothing is cut and nothing redacted, so calls that differ only past a bound or in a secret differ here as well.
    Values that JSON does not have count by their type's name; what is nested more than 100 deep counts as equal.
    """
    return key_of(tool, compact(_plain(arguments, (), 0)))


def key_of(tool: str, canonical: str) -> str:
    """The same for arguments that are canonical text already."""
    return hashlib.sha256(f"{tool}\0{canonical}".encode("utf-8", "surrogatepass")).hexdigest()


def key_text(key: object) -> str:
    """A key of a mapping as JSON writes it: `true`, `null` and `1` for their Python values."""
    if isinstance(key, str):
        return key
    if key is None or isinstance(key, bool):
        return {None: "null", True: "true", False: "false"}[key]
    return str(plain_number(key)) if isinstance(key, int | float) else f"[{type(key).__name__}]"


def plain_number(value: int | float) -> int | float | str:
    """JSON has one kind of number: 1.0 is 1 and -0.0 is 0; what it has no form for is its name."""
    if isinstance(value, float):
        if not math.isfinite(value):
            return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
        return int(value) if abs(value) < EXACT and value == int(value) else value
    return value if value.bit_length() < 64 else f"{value:#x}"


def _plain(value: Any, above: tuple[int, ...], depth: int) -> Any:
    """`above` holds the identities of the containers that this value is in."""
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, int | float):
        return plain_number(value)
    if isinstance(value, bytes):
        return f"[bytes {value.hex()}]"
    if not isinstance(value, Mapping | list | tuple):
        return f"[{type(value).__name__}]"
    if id(value) in above:
        return "[circular]"
    if depth == MAX_DEPTH:
        return "[depth limit]"
    inside = (*above, id(value))
    if isinstance(value, Mapping):
        return {key_text(key): _plain(item, inside, depth + 1) for key, item in value.items()}
    return [_plain(item, inside, depth + 1) for item in value]
