"""A model that writes what a test wrote down, and remembers what it was asked."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any

from arena.agents.gguf.model import Message, Unwanted, Written

Reply = Written | Exception


class ScriptedModel:
    """Gives its replies in order, letter by letter; an exception among them is raised instead."""

    name = "Scripted 1M"

    def __init__(self, *replies: str | Reply) -> None:
        self._replies = iter(replies)
        self.asked: list[tuple[Sequence[Message], Mapping[str, Any] | None]] = []

    def write(
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any] | None,
        max_tokens: int,
        timeout_s: float,
        cancelled: Callable[[], bool],
    ) -> Generator[str, None, Written]:
        self.asked.append((messages, schema))
        reply = next(self._replies)
        if isinstance(reply, Exception):
            raise reply
        written = reply if isinstance(reply, Written) else Written(reply, False, 100, 60, 9)
        for letter in written.text:
            if cancelled():
                raise Unwanted
            yield letter
        return written

    @property
    def last(self) -> str:
        """The last thing that it was told."""
        return self.asked[-1][0][-1]["content"]
