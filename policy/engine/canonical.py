"""One byte form for JSON values, so that equal values have equal digests."""

from __future__ import annotations

import hashlib
import json
from typing import Any


def canonical_json(value: Any) -> str:
    """Compact JSON with sorted keys, in ASCII; raises `ValueError` for numbers that JSON does not have."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def digest(value: Any) -> str:
    """SHA-256 of the canonical JSON, in 64 hex digits."""
    return hashlib.sha256(canonical_json(value).encode("ascii")).hexdigest()
