"""Which names a set or a saved profile may have: they stand in addresses, references and files."""

from __future__ import annotations

from policy.errors import Invalid

MOST_NAME = 100
# They part a reference and a path; a path of dots alone is resolved away by browsers.
_PARTING, _RESOLVED = frozenset("@/\\"), frozenset({".", ".."})


def checked(name: str, what: str) -> str:
    """The name without white space at its ends; raises `Invalid`. `what` begins the sentence, as in "A set"."""
    name = name.strip()
    if not name or len(name) > MOST_NAME or _PARTING & set(name) or name in _RESOLVED:
        raise Invalid(f"{what} needs a name of 1 to {MOST_NAME} characters without @ and slashes; got {name!r:.80}.")
    if not name.isprintable():
        raise Invalid(
            f"{what} needs a name that can be seen: no line break and no control character; got {name!r:.80}."
        )
    return name
