"""Whether a text names a value: whole words and whole numbers only, in English or German spelling."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from typing import Any

_NUMBER = re.compile(
    r"(?<!\w)(?<!\d[.,:/-])(?<!\w-)-?\d+(?:[.,]\d+|[\u00a0\u202f' ]\d{3}(?!\d))*"
    r"(?![\w:/-]*\d)(?=(?:ms|s|min|h|d|kb|mb|gb|eur|usd|x)?(?!\w))",
    re.IGNORECASE,
)
_GROUPED = re.compile(r"-?\d{1,3}(?:([.,\u00a0\u202f' ])\d{3})(?:\1\d{3})*")
_PLAIN = re.compile(r"-?\d+(?:\.\d+)?")


def names(text: str, value: str) -> bool:
    """True if `text` holds `value`: a number by its value (`1,500`, `1.500`, `89,90`), a text without case.

    Neither may be a part of a longer word, number, date or id: 5 is not in 15, 2.5, A-5 or 2026-05-01.
    """
    if _PLAIN.fullmatch(value.strip()):
        wanted = Decimal(value.strip())
        return any(wanted in readings(found.group()) for found in _NUMBER.finditer(text))
    return _plain(value) != "" and re.search(rf"(?<!\w){re.escape(_plain(value))}(?!\w)", _plain(text)) is not None


def readings(number: str) -> set[Decimal]:
    """What a written number may mean: `1,500` is 1500 in English and 1.5 in German."""
    spellings = {number, number.replace(",", "."), *number.split(" ")}
    grouped = _GROUPED.match(number)
    if grouped:
        whole, rest = grouped.group(), number[grouped.end() :]
        spellings.add(re.sub(r"[^\d-]", "", whole) + rest.replace(",", "."))
    return {parsed for spelling in spellings if (parsed := _decimal(spelling)) is not None}


def same(found: Any, wanted: Any) -> bool:
    """Equal as people read it: numbers by value, texts without case and outer spaces, lists item by item."""
    if isinstance(wanted, list | tuple):
        listed = isinstance(found, list | tuple) and len(found) == len(wanted)
        return listed and all(map(same, found, wanted))
    if isinstance(wanted, bool) or isinstance(found, bool):
        return found is wanted
    left, right = _decimal(str(found)), _decimal(str(wanted))
    if left is not None and right is not None:
        return left == right
    return _plain(str(found)) == _plain(str(wanted))


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _decimal(text: str) -> Decimal | None:
    try:
        parsed = Decimal(text.strip())
    except InvalidOperation:
        return None
    return parsed if parsed.is_finite() else None
