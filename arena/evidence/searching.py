"""What the search for more tools did in a lane: how often it was used, what joined, whether any of it was called."""

from __future__ import annotations

from collections.abc import Sequence

from arena.catalogs.tool import FIND_TOOL
from arena.evidence.metrics import Metric
from arena.models import Event, Lane

NONE_JOINED = "no tool joined the menu"


def metrics(lane: Lane, events: Sequence[Event]) -> dict[str, Metric]:
    """Of one lane's own events: searches, tools that joined, and 1 where one of them was called, else 0."""
    calls = [event.payload["tool"] for event in events if event.kind == "call.started"]
    joined = {entry["id"] for entry in lane.menu or () if entry["role"] == "joined"}
    used = float(bool(joined & set(calls))) if joined else None
    return {
        "find_tool_calls": Metric(calls.count(FIND_TOOL), "calls", "lower", "computed"),
        "tools_joined": Metric(len(joined), "tools", "lower", "computed"),
        "joined_used": Metric(
            used, "share", "higher", None if used is None else "computed", "" if joined else NONE_JOINED
        ),
    }
