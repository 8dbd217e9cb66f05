"""Short, flat arguments, as most calls have them: one look at their JSON text shows that nothing is lost or secret."""

from __future__ import annotations

from typing import Any

from policy.engine.bounds import sendable
from policy.engine.call_key import compact
from policy.engine.profile import Limits
from policy.engine.redaction import secret_name, suspicious_json

# Whole numbers that 64 bits hold, sign included: beyond them readers of JSON differ.
LARGEST = 2**63
TEXT_ONLY = frozenset({str})
_SCALARS = frozenset({str, bool, float, type(None)})


def flat_text(arguments: Any, limits: Limits) -> str | None:
    """The canonical text of arguments that go out as they are; None where they need a closer look.

    Each test can only be too strict: no string, list or object can be longer than the whole text and its commas. Whole
    numbers written as 1.0 and escapes are looked at closely as well.
    """
    if type(arguments) is not dict:
        return None
    if not TEXT_ONLY.issuperset(map(type, arguments)) or any(map(secret_name, arguments)):
        return None
    for value in arguments.values():
        if type(value) not in _SCALARS and not _flat(value):
            return None
    try:
        text = compact(arguments)
    except (TypeError, ValueError, RecursionError):
        return None
    if len(text) > limits.max_argument_chars or text.count(",") >= limits.max_array_items:
        return None
    if limits.max_depth < 2 or ".0" in text or ("\\" in text and "\\u" in text):
        return None
    return text if sendable(text) and not suspicious_json(text) else None


def _flat(value: Any) -> bool:
    """A whole number that JSON keeps, or a list of texts."""
    if type(value) is int:
        return bool(-LARGEST < value < LARGEST)
    return type(value) is list and TEXT_ONLY.issuperset(map(type, value))
