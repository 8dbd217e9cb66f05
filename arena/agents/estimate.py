"""Token counts of an agent without a language model: what one would have been sent and would have written.

A language model is stateless: every request carries the prompt, the task, the schemas of the whole menu and
all messages so far. The agent counts exactly these bytes, so its figures grow with the menu as an LLM's would.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from arena.agents.agent import Brief, CallOutcome, Usage
from arena.agents.prompt import PROMPT, opening
from arena.catalogs.tool import Tool

BYTES_PER_TOKEN = 4
"""Common rule of thumb for English text and JSON; the figures are marked as estimated for this reason."""


def tokens(size: int) -> int:
    """Tokens of `size` UTF-8 bytes, rounded up."""
    return -(-size // BYTES_PER_TOKEN)


def wire_bytes(value: Any) -> int:
    """UTF-8 bytes of a value as compact JSON; a string counts as it is."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return len(text.encode())


class Meter:
    """Counts the requests of one lane; nothing sent yet is 0 tokens, and known."""

    def __init__(self, brief: Brief) -> None:
        self._standing = (
            wire_bytes(PROMPT) + wire_bytes(opening(brief)) + sum(wire_bytes(t.to_wire()) for t in brief.menu)
        )
        self._messages = 0
        self._input = 0
        self._output = 0

    def join(self, tools: Iterable[Tool]) -> None:
        """Tools that joined the menu: every later request carries them."""
        self._standing += sum(wire_bytes(tool.to_wire()) for tool in tools)

    def call(self, tool_id: str, arguments: Mapping[str, Any]) -> None:
        """One request whose reply is a tool call."""
        self._reply(wire_bytes({"name": tool_id, "input": dict(arguments)}))

    def returned(self, outcome: CallOutcome) -> None:
        """The result of the call joins the messages of later requests."""
        self._messages += wire_bytes(outcome.content if outcome.ok else {"error": outcome.error})

    def answer(self, text: str) -> None:
        """One request whose reply is the closing text."""
        self._reply(wire_bytes(text))

    def usage(self) -> Usage:
        return Usage(input_tokens=self._input, output_tokens=self._output, source="estimated")

    def _reply(self, size: int) -> None:
        self._input += tokens(self._standing + self._messages)
        self._output += tokens(size)
        self._messages += size
