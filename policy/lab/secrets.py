"""What looks like a secret in a request never reaches an address, and is masked in what people take along."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from policy.engine.redaction import REDACTED, masked, secret_name


def holds_secret(text: str) -> bool:
    """Whether a field has a credential in its text, or a JSON field a value under a secret name."""
    return masked(text) != text or _named_secret(text)


def without_secrets(value: Any) -> Any:
    """The same JSON value with `[redacted]` for every secret, by its name or by its form."""
    if isinstance(value, Mapping):
        return {
            name: REDACTED if secret_name(str(name)) and item is not None else without_secrets(item)
            for name, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [without_secrets(item) for item in value]
    return masked(value) if isinstance(value, str) else value


def _named_secret(text: str) -> bool:
    if text.lstrip()[:1] not in ("{", "["):
        return False
    try:
        value = json.loads(text)
        return bool(without_secrets(value) != value)
    except (ValueError, RecursionError):
        return False
