"""Names of tools as a provider takes them: letters, digits, `_` and `-`, at most 64, and no two alike.

Tools of a stranger's server are named as that server likes; a provider would refuse the whole request for one dot.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")
_OTHER = re.compile(r"[^A-Za-z0-9_-]+")
_KEPT_CHARS = 48


def on_the_wire(tool: str) -> str:
    """The same for a tool in every request and every lane; a plain name stays what it is."""
    if _PLAIN.fullmatch(tool):
        return tool
    digest = hashlib.sha256(tool.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"t_{_OTHER.sub('_', tool)[:_KEPT_CHARS]}_{digest}"


def back(wire: str, tools: Iterable[str]) -> str:
    """The tool that a model means; a name that none has stays as the model said it."""
    return next((tool for tool in tools if on_the_wire(tool) == wire), wire)
