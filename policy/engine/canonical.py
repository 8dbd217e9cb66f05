"""One byte form for JSON values, so that equal values have equal digests."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from typing import Any

from policy.engine.bounds import clean_text

MAX_DEPTH = 32

# Made once: `json.dumps` makes an encoder for every call that asks for a form of its own.
_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False).encode


def canonical_json(value: Any) -> str:
    """Compact JSON with sorted keys, in ASCII; raises `ValueError` for numbers that JSON does not have."""
    return _encode(value)


def digest(value: Any) -> str:
    """SHA-256 of the canonical JSON, in 64 hex digits."""
    return hashlib.sha256(canonical_json(value).encode("ascii")).hexdigest()


def json_safe(value: object, *, depth: int = 0) -> Any:
    """A copy that every JSON store takes: odd numbers as text, unknown types and what is too deep by name."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return clean_text(value).text
    if isinstance(value, int):
        return value if value.bit_length() < 64 else f"[integer of {value.bit_length()} bits]"
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if not isinstance(value, Mapping | list | tuple):
        return f"[{type(value).__name__}]"
    if depth == MAX_DEPTH:
        return "[depth limit]"
    if isinstance(value, Mapping):
        return {clean_text(str(key)).text: json_safe(item, depth=depth + 1) for key, item in value.items()}
    return [json_safe(item, depth=depth + 1) for item in value]
