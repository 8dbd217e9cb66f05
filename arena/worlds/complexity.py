"""An estimate of cyclomatic complexity: one path plus one for every point where the flow can branch."""

from __future__ import annotations

import re

from arena.worlds import lexing

_SCRIPT = {
    "if": r"\bif\b",
    "loop": r"\b(?:for|while)\b",
    "case": r"\bcase\b",
    "catch": r"\bcatch\b",
    "and_or": r"&&|\|\||\?\?",
    # Not `?.`, `??` or the mark of an optional member or parameter.
    "conditional": r"(?<!\?)\?(?![.?:,)\]])",
}
_PYTHON = {
    "if": r"\b(?:if|elif)\b",
    "loop": r"\b(?:for|while)\b",
    "case": r"\bcase\b",
    "catch": r"\bexcept\b",
    "and_or": r"\b(?:and|or)\b",
}


def branches(text: str, path: str) -> dict[str, int]:
    """How often each kind of branch occurs in a piece of code; kinds that do not occur are left out."""
    code = lexing.code_only(text, path)
    patterns = _PYTHON if path.endswith(".py") else _SCRIPT
    counts = {kind: len(re.findall(pattern, code)) for kind, pattern in patterns.items()}
    return {kind: count for kind, count in counts.items() if count}
