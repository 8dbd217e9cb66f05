"""Dates in arguments of tools: a day or a UTC time as text, and the span between two of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from arena.worlds.handlers import ToolError
from arena.worlds.sources import shown

_DAY_LENGTH = len("2026-03-11")
_LAST_INSTANT = timedelta(days=1) - timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Span:
    """From `since` to `until`, both included; None leaves that side open."""

    since: datetime | None
    until: datetime | None

    def holds(self, at: str) -> bool:
        instant = parse(at)
        return (self.since is None or self.since <= instant) and (self.until is None or instant <= self.until)


def span(arguments: Mapping[str, Any], since: str = "since", until: str = "until") -> Span:
    """The span of two optional arguments; a plain day as the end counts whole. Raises ToolError."""
    start = moment(arguments, since) if since in arguments else None
    end = moment(arguments, until) if until in arguments else None
    if end is not None and len(arguments[until]) == _DAY_LENGTH:
        end += _LAST_INSTANT
    if start is not None and end is not None and start > end:
        raise ToolError(f"The argument {since} lies after {until}; exchange the two.")
    return Span(start, end)


def moment(arguments: Mapping[str, Any], name: str) -> datetime:
    """The instant that an argument names, a plain day as its first moment; raises ToolError."""
    try:
        return parse(arguments[name])
    except ValueError:
        cause = f"The argument {name} is no date: {shown(arguments[name])}"
        raise ToolError(f"{cause}; write it like 2026-03-11 or 2026-03-11T08:00:00Z.") from None


def parse(text: str) -> datetime:
    """A day or a time as an aware datetime, UTC where it names no offset; raises ValueError."""
    instant = datetime.fromisoformat(text)
    return instant if instant.tzinfo else instant.replace(tzinfo=UTC)
