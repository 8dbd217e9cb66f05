"""Public ids: what stands in URLs, commands and exports."""

from __future__ import annotations

import secrets

_ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"


def new_id(prefix: str) -> str:
    """`<prefix>_` and twelve random base32 characters (60 bits)."""
    return f"{prefix}_" + "".join(secrets.choice(_ALPHABET) for _ in range(12))


def set_id() -> str:
    return new_id("set")


def measurement_id() -> str:
    return new_id("meas")
