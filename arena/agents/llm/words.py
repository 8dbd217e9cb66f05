"""What a far side says on its way to events: in batches, and never with the key that it was sent."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

BATCH_S = 0.3
BATCH_CHARS = 400
HIDDEN = "[key]"


@dataclass(slots=True)
class Words:
    """Words of one reply as they come. `hide` a key even where it comes in pieces: its possible beginning waits."""

    secret: str = ""
    clock: Callable[[], float] = time.monotonic
    _held: str = ""
    _since: float | None = None

    def add(self, text: str) -> str:
        """Take some words; returns a batch when it is due, else nothing."""
        if text and self._since is None:
            self._since = self.clock()
        self._held += text
        due = self._since is not None and self.clock() - self._since >= BATCH_S
        return self._give(keep=self._open_end()) if due or len(self._held) >= BATCH_CHARS else ""

    def rest(self) -> str:
        """What is left, when nothing more will come."""
        return self._give(keep=0)

    def _give(self, *, keep: int) -> str:
        whole = hidden(self._held, self.secret)
        cut = len(whole) - keep
        batch, self._held = whole[:cut], whole[cut:]
        self._since = self.clock() if self._held else None
        return batch

    def _open_end(self) -> int:
        """How many characters at the end may be the beginning of the key."""
        longest = min(len(self.secret) - 1, len(self._held))
        return next((n for n in range(longest, 0, -1) if self._held.endswith(self.secret[:n])), 0)


def hidden(text: str, secret: str) -> str:
    """The text without the key."""
    return text.replace(secret, HIDDEN) if secret else text
