"""What one menu served over MCP takes at most; a program behind it is not trusted to stop by itself."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

MAX_LINE_CHARS = 64_000
"""Longest message, in characters (seed 002, tool server limits)."""
MAX_CALLS = 100
"""Calls that are carried out; later ones are answered with a refusal (seed 002)."""
MAX_ARGUMENT_BYTES = 256_000
"""Arguments of all calls together, as JSON in UTF-8: proposals are kept whole, so more is refused, never cut."""


class Spent:
    """Counts what one menu has taken so far."""

    def __init__(self, *, calls: int = MAX_CALLS, argument_bytes: int = MAX_ARGUMENT_BYTES) -> None:
        self._calls, self._bytes = calls, argument_bytes

    def refusal(self, arguments: Mapping[str, Any]) -> str | None:
        """Count one call; the sentence of its refusal where it is one too many, None where it may go on."""
        if self._calls <= 0:
            return f"The {MAX_CALLS} calls of this tool server are used up; answer with what you have."
        self._calls -= 1
        size = len(json.dumps(arguments, ensure_ascii=False).encode(errors="replace"))
        if size > self._bytes:
            left = f"{self._bytes} of {MAX_ARGUMENT_BYTES} are left"
            return f"The arguments have {size} bytes and {left}; send less at once."
        self._bytes -= size
        return None
