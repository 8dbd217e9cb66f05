"""Text of a far side as it may be shown and stored: without secrets first, on one line and short only then."""

from __future__ import annotations

from dataclasses import dataclass

from policy.engine.bounds import bound_line
from policy.engine.redaction import masked
from policy.judges.keys import Key

MOST_CHARS = 200
# What is read for secrets at most: a page of a mistaken address may have a megabyte.
MOST_READ = 16_384
# A shorter key is a stand-in for a server that wants any: erasing it would shred a reply.
LEAST_SECRET = 8


@dataclass(frozen=True, slots=True)
class Scrub:
    """Erases one key and whatever else looks like a secret. Cutting first could leave half of one standing."""

    key: Key | None = None

    def __call__(self, text: str, most: int = MOST_CHARS) -> str:
        without = self.key.erased(text) if self.key else text
        return bound_line(masked(without[:MOST_READ]), most).text

    def raw(self, raw: bytes) -> bytes:
        """The bytes of a reply without the key, should the far side repeat it."""
        return self.key.erased_bytes(raw) if self.key and len(self.key.reveal()) >= LEAST_SECRET else raw
