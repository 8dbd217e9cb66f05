"""A key to somebody's account: it can be used, and cannot be seen."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NoReturn
from urllib.parse import quote

from policy.engine.profile import InvalidConfig

MOST_CHARS = 1024
REDACTED = "[redacted]"
# Left in place by a launcher that did not fill in its template.
_UNEXPANDED = re.compile(
    r"\$\{[^}]*\}|\$\([^)]*\)|\{\{.*\}\}|\{env:[^}]*\}|<[^>]*>|\$[A-Z_][A-Z0-9_]*|%[A-Z_][A-Z0-9_]*%"
)
# Whoever sees four characters of a short key sees a good part of it.
_LEAST_FOR_HINT = 16


class Key:
    """A secret that shows as `[redacted]` everywhere; `reveal()` is for the request that needs it.

    `source` says where it came from (shown to people). Raises `InvalidConfig` for what cannot be a key, without
    repeating it.
    """

    __slots__ = ("_reveal", "source")

    def __init__(self, value: str, *, source: str = "given") -> None:
        found = _checked(value)
        self._reveal: Callable[[], str] = lambda: found
        self.source = source

    def reveal(self) -> str:
        return self._reveal()

    @property
    def hint(self) -> str:
        """The last four characters of a long key, for people who have several."""
        value = self.reveal()
        return f"…{value[-4:]}" if len(value) >= _LEAST_FOR_HINT else "…"

    def erased(self, text: str) -> str:
        """The text without the key, whatever its case (host names lose theirs) and however a URL would write it."""
        written = {self.reveal(), quote(self.reveal(), safe="")}
        return re.sub("|".join(map(re.escape, written)), REDACTED, text, flags=re.IGNORECASE)

    def erased_bytes(self, raw: bytes) -> bytes:
        return raw.replace(self.reveal().encode("ascii"), REDACTED.encode("ascii"))

    def __repr__(self) -> str:
        return f"<Key {REDACTED}>"

    def __format__(self, spec: str) -> str:
        return repr(self)

    def __copy__(self) -> Key:
        return self

    def __deepcopy__(self, memo: object) -> Key:
        return self

    def __reduce__(self) -> NoReturn:
        raise TypeError("a key is not written anywhere: give it to the process that needs it")


def _checked(value: object) -> str:
    """The key without surrounding white space; the refusals never quote it."""
    if not isinstance(value, str):
        raise InvalidConfig(f"a key is a text, not {type(value).__name__}")
    key = value.strip()
    if not key:
        raise InvalidConfig("the key is blank: enter one, or choose a judge that needs none")
    if _UNEXPANDED.fullmatch(key):
        raise InvalidConfig(
            "the key is the name of a variable that was not filled in, such as ${NAME}: "
            "set the variable where the site starts, or enter the key itself"
        )
    if key.lower().startswith("bearer "):
        raise InvalidConfig("the key begins with the word Bearer: enter only what follows it")
    if len(key) > MOST_CHARS:
        raise InvalidConfig(f"the key is longer than {MOST_CHARS} characters: enter the key only")
    if not all("!" <= char <= "~" for char in key):
        raise InvalidConfig("the key has a space, a line break or a character outside ASCII: copy it again")
    return key
