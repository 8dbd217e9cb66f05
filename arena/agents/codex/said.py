"""What Codex CLI writes to standard output, line by line, as what it means here. What is unknown is passed over."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from arena.agents.agent import Usage


@dataclass(frozen=True, slots=True)
class Began:
    """The model is asked."""


@dataclass(frozen=True, slots=True)
class Thought:
    """A summary of the model's reasoning."""

    text: str


@dataclass(frozen=True, slots=True)
class Message:
    """Words of the model; the last ones are its answer."""

    text: str


@dataclass(frozen=True, slots=True)
class CallBegan:
    """A call leaves for a tool; it arrives at the lane by another way, perhaps before this line."""

    tool: str


@dataclass(frozen=True, slots=True)
class Trouble:
    """Codex CLI says that something went wrong; only a `final` one ends its work."""

    text: str
    final: bool


@dataclass(frozen=True, slots=True)
class Done:
    """The work has come to its end, with its tokens."""

    usage: Usage


Said = Began | Thought | Message | CallBegan | Trouble | Done


def read(line: bytes) -> Said | None:
    """The meaning of one line, None for what has none here: other kinds, and what is no JSON object."""
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(said, dict):
        return None
    match said.get("type"):
        case "turn.started":
            return Began()
        case "item.started" | "item.completed" | "item.updated":
            return _item(said.get("item"), completed=said["type"] == "item.completed")
        case "turn.completed":
            return Done(usage(said.get("usage")))
        case "turn.failed":
            return Trouble(_words(said.get("error")), final=True)
        case "error":
            return Trouble(_words(said), final=False)
    return None


def _item(item: object, *, completed: bool) -> Said | None:
    if not isinstance(item, dict):
        return None
    match item.get("type"):
        case "mcp_tool_call" if not completed:
            return CallBegan(str(item.get("tool", "")))
        case "agent_message" if completed:
            return Message(str(item.get("text", "")))
        case "reasoning" if completed:
            return Thought(str(item.get("text", "")))
        case "error" if completed:
            return Trouble(str(item.get("message", "")), final=False)
    return None


def usage(counts: object) -> Usage:
    """The tokens of one report; what is missing, no whole number or contradicts itself is unknown."""
    if not isinstance(counts, Mapping):
        return Usage()
    whole = {name: _count(counts.get(name)) for name in _COUNTS}
    cached, reasoning = whole["cached_input_tokens"], whole["reasoning_output_tokens"]
    sent, written = whole["input_tokens"], whole["output_tokens"]
    return Usage(
        input_tokens=sent,
        output_tokens=written,
        # More cached than sent cannot be (seed 002 drops it, too).
        cached_input_tokens=cached if cached is None or sent is None or cached <= sent else None,
        cache_write_tokens=whole["cache_write_input_tokens"],
        reasoning_tokens=reasoning if reasoning is None or written is None or reasoning <= written else None,
    )


_COUNTS = (
    "input_tokens",
    "cached_input_tokens",
    "cache_write_input_tokens",
    "output_tokens",
    "reasoning_output_tokens",
)


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _words(value: Any) -> str:
    said = value.get("message") if isinstance(value, dict) else value
    return said if isinstance(said, str) else ""
