"""Plain JSON data and nothing that only looks like it (seed 002): subclasses are refused without running their code."""

from __future__ import annotations

import sys
from typing import Any, TypeGuard

# What JavaScript calls white space: `str.strip` takes other characters as well, and leaves U+FEFF.
_BLANKS = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)


def is_record(value: object) -> TypeGuard[dict[str, Any]]:
    """A dict of exactly that type whose keys are texts."""
    return type(value) is dict and all(type(key) is str for key in value)


def is_list(value: object) -> TypeGuard[list[Any]]:
    """A list of exactly that type."""
    return type(value) is list


def is_number(value: object) -> TypeGuard[int | float]:
    """A finite number that a binary64 can hold; a boolean is none."""
    return (type(value) is int or type(value) is float) and -sys.float_info.max <= value <= sys.float_info.max


def is_unit(value: object) -> TypeGuard[int | float]:
    """A number in [0, 1]."""
    return is_number(value) and 0 <= value <= 1


def is_text(value: object) -> TypeGuard[str]:
    """A text with something else than white space in it."""
    return type(value) is str and bool(value.strip(_BLANKS))


def utf16_units(text: str) -> int:
    """The length as JavaScript counts it; half of a surrogate pair is one unit."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def utf8_bytes(text: str) -> int:
    """The length in UTF-8, where half of a surrogate pair counts as U+FFFD: three bytes."""
    return len(text.encode("utf-8", "surrogatepass"))
