"""Names of fields whose values are secrets, whatever their case and separators (seed 000, Redaction and bounds)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

from policy.engine.profile import InvalidConfig

REDACTED = "[redacted]"

# The twelve of seed 000, then ours.
FRAGMENTS = (
    "password",
    "passwd",
    "secret",
    "token",
    "apikey",
    "api_key",
    "authorization",
    "cookie",
    "credential",
    "private_key",
    "access_key",
    "session_key",
    "bearer",
    "pwd",
    "passphrase",
    "passwort",
)

LONGEST_KEPT = 64
_SEPARATORS = re.compile(r"[\W_]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
# Plain words that hold a fragment; a field named so is no secret unless something else in its name says so.
_HARMLESS = frozenset(
    {"secretary", "secretaries", "secretariat", "tokenizer", "tokenizers", "tokenize", "tokenized", "tokenization"}
)
# A number of tokens. The whole name must be one, so `max_token_secret` and `new_tokens` stay secret.
_COUNT = re.compile(
    r"(?:max|min|num|n|total|input|output|prompt|completion|reasoning)_(?:(?:new|output|input|completion)_)?tokens"
    r"|(?:max_|min_|total_|input_|output_)?tokens?_(?:count|limit|budget|usage|used)"
)


def secret_name(name: str, extra: Iterable[str] = ()) -> bool:
    """Whether a field of this name holds a secret: `api-key`, `apiKey` and `X_API_KEY` all do.

    `extra` are more fragments, added to ours; raises `InvalidConfig` for one without a letter or digit. Numbers of
    tokens (`max_tokens`) and a `secretary` are not secret, unless an extra fragment says so.
    """
    added = extra_fragments(extra) if extra else ()
    return _known(name, added) if len(name) <= LONGEST_KEPT else _secret(name, added)


def extra_fragments(extra: Iterable[str]) -> tuple[str, ...]:
    """Fragments of a host in the form in which names are compared; raises `InvalidConfig` for unusable ones."""
    if isinstance(extra, str):
        raise InvalidConfig(f"redactKeys must be a list of name fragments; got the text {extra!r:.80}")
    return _normalised(tuple(extra))


@lru_cache(maxsize=64)
def _normalised(extra: tuple[str, ...]) -> tuple[str, ...]:
    for fragment in extra:
        if not isinstance(fragment, str) or not _bare(fragment):
            raise InvalidConfig(
                f"redactKeys holds {fragment!r:.80}, which would match no name or every name; "
                "give fragments with at least one letter or digit"
            )
    return tuple(dict.fromkeys(map(_bare, extra)))


def _bare(name: str) -> str:
    """Lower case, without anything that is no letter or digit."""
    return _SEPARATORS.sub("", _compatible(name).casefold())


def _compatible(name: str) -> str:
    """Wide and other forms of a letter as the letter itself."""
    return name if name.isascii() else unicodedata.normalize("NFKC", name)


BARE_FRAGMENTS = tuple(dict.fromkeys(map(_bare, FRAGMENTS)))


def _secret(name: str, added: Sequence[str]) -> bool:
    bare = _bare(name)
    if any(fragment in bare for fragment in added):
        return True
    return any(fragment in bare for fragment in BARE_FRAGMENTS) and not _harmless(name)


def _harmless(name: str) -> bool:
    """Whether what looks like a fragment is only a plain word or a number of tokens."""
    words = [word for word in _SEPARATORS.split(_CAMEL.sub("_", _compatible(name)).casefold()) if word]
    if _COUNT.fullmatch("_".join(words)):
        return True
    rest = "".join(" " if word in _HARMLESS else word for word in words)
    return not any(fragment in rest for fragment in BARE_FRAGMENTS)


# Long names are not kept: whoever sends them would decide how much memory they take.
_known = lru_cache(maxsize=2_048)(_secret)
