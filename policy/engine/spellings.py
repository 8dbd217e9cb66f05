"""Other spellings of the same thing: what a rule must see through, and what it must not take for granted.

Folding brings spellings together that tools, file systems and servers commonly take for one; it is no proof that no
further spelling exists. A rule that forbids counts every spelling, one that allows wants all of them.
"""

from __future__ import annotations

import posixpath
import unicodedata
from urllib.parse import unquote

# Undone this often: `%252e` is a dot that was encoded twice.
_DECODED_TIMES = 4
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
_NEWLINES = frozenset("\t\n\r\v\f")


def name(given: str, *, keep: str = "") -> str:
    """A tool's or field's name without case, width, accents' form, dashes, dots, blanks and invisible characters.

    `keep` are marks that stay, such as the wildcards of a pattern.
    """
    return "".join(each for each in _plain(given) if each.isalnum() or each in keep)


def texts(given: str) -> tuple[str, ...]:
    """A value as it is, and its further spellings without repetition; the first is the value itself."""
    plain = _plain(_decoded(given))
    path = plain.replace("\\", "/")
    for scheme in ("file://localhost", "file://"):
        path = path.removeprefix(scheme)
    path = _normal(path)
    found = (given, _plain(given), plain, path, path.lstrip("/"))
    return tuple(dict.fromkeys(found))


def number(given: object) -> float | None:
    """A number, also one that was written as text (`1,000`, `１０００`, `1e3`); None for anything else."""
    if isinstance(given, bool) or not isinstance(given, int | float | str):
        return None
    text = str(given) if not isinstance(given, str) else _plain(given).replace(",", "").replace("_", "")
    try:
        read = float("".join(text.split()))
    except (ValueError, OverflowError):
        return None
    return read if read == read else None


def _plain(given: str) -> str:
    """Compatibility forms, case and invisible characters folded; runs of blanks are one."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", given).casefold())
    seen = [each for each in folded if each in _NEWLINES or unicodedata.category(each) not in _HIDDEN]
    return " ".join("".join(seen).split())


def _decoded(given: str) -> str:
    for _ in range(_DECODED_TIMES):
        decoded = unquote(given)
        if decoded == given:
            break
        given = decoded
    return given


def _normal(path: str) -> str:
    """Without `.`, `..`, doubled and closing slashes, and blanks at the edges of a part, as file systems read it."""
    if "/" not in path and path not in (".", ".."):
        return path.strip()
    parts = "/".join(part.strip() for part in path.split("/"))
    return "/" + posixpath.normpath(parts).lstrip("/") if parts.startswith("/") else posixpath.normpath(parts)
