"""Text that leaves the process is bounded; what was lost is counted. Lengths are code points."""

from __future__ import annotations

import re
from dataclasses import dataclass

MARKER = "…"

# NUL and lone surrogates have no form in UTF-8 or in a database text.
_UNSENDABLE = re.compile("[\x00\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class BoundedText:
    """A text as it may be sent; `lost` counts the code points that were cut or replaced."""

    text: str
    lost: int = 0


def sendable(text: str) -> bool:
    """Whether UTF-8 and a database can hold the text as it is."""
    return (text.isascii() and "\x00" not in text) or _UNSENDABLE.search(text) is None


def bound_text(text: str, max_chars: int, *, marker: str = MARKER) -> BoundedText:
    """The first `max_chars` code points, with the marker after a cut."""
    if len(text) <= max_chars and sendable(text):
        return BoundedText(text)
    clean = clean_text(text[:max_chars])
    cut = max(len(text) - max_chars, 0)
    return BoundedText(clean.text + marker if cut else clean.text, cut + clean.lost)


def clean_text(text: str) -> BoundedText:
    """The text with U+FFFD for every code point that UTF-8 or a database cannot hold."""
    return BoundedText(text) if sendable(text) else BoundedText(*_UNSENDABLE.subn("\ufffd", text))


def bound_line(text: str, max_chars: int) -> BoundedText:
    """The same for text that must stay on one line: white space runs become one space."""
    return bound_text(" ".join(text.split()), max_chars)
