"""Patterns of people: tried in a process of their own that ends after a second, since a pattern can run for ever."""

from __future__ import annotations

import json
import subprocess
import sys

WITHIN_S = 3.0
MAX_PATTERN_CHARS = 1_000
MAX_TEXT_CHARS = 200_000
_CODE = """
import json, re, sys
try:
    import resource
    resource.setrlimit(resource.RLIMIT_CPU, (2, 2))
    resource.setrlimit(resource.RLIMIT_AS, (1 << 29, 1 << 29))
except Exception:
    pass
pattern, text = json.load(sys.stdin)
try:
    print("yes" if re.search(pattern, text) else "no")
except (re.error, OverflowError, RecursionError, MemoryError) as wrong:
    print(f"wrong {wrong}"[:200])
"""


class NoVerdict(Exception):
    """The pattern cannot be tried; the text says why."""


def matches(pattern: str, text: str) -> bool:
    """Whether the pattern is found in the text (code points; the first 200,000); raises `NoVerdict`."""
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", _CODE],
            input=json.dumps([pattern, text[:MAX_TEXT_CHARS]]),
            capture_output=True,
            text=True,
            timeout=WITHIN_S,
            env={},
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise NoVerdict("takes too long") from None
    said = done.stdout.strip()
    if said in ("yes", "no"):
        return said == "yes"
    raise NoVerdict(f"is no pattern ({said.removeprefix('wrong ')})" if said else "takes too long")


def problem(pattern: str) -> str | None:
    """Why the pattern cannot be used, in words that follow its name; None if it can."""
    if len(pattern) > MAX_PATTERN_CHARS:
        return f"has {len(pattern):,} characters, at most {MAX_PATTERN_CHARS:,} are tried"
    try:
        matches(pattern, "")
    except NoVerdict as why:
        return str(why)
    return None
