"""Whether a smaller menu pays under a prompt cache, in a sentence and four bars."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from arena.live import figures
from arena.live.story_clock import percent
from arena.models import Run

_WAYS = (
    ("kept", "Selected once and kept"),
    ("changed_once", "Changed once, half-way"),
    ("anew_uncached", "Selected anew every turn"),
    ("anew_written", "Anew, and written to the cache each time"),
)


@dataclass(frozen=True, slots=True)
class Way:
    """One way to serve the menu; `times` is its cost over that of the whole menu in the cache, `dearer` above 1."""

    name: str
    times: str
    bar: str
    dearer: bool


@dataclass(frozen=True, slots=True)
class PaysStory:
    sentence: str
    assumed: bool
    turns: int
    one: str
    ways: tuple[Way, ...]


def of(run: Run) -> PaysStory | None:
    """None for a run without a whole menu beside a selected one, and for runs of older days."""
    found = next((lane.metrics["pays"] for lane in run.lanes.all() if lane.metrics.get("pays")), None)
    return None if found is None else tell(found)


def tell(found: Mapping[str, Any]) -> PaysStory:
    longest = max(1.0, *(found[key] for key, _ in _WAYS))
    ways = tuple(Way(name, f"{found[key]:.2f}×", percent(found[key] / longest), found[key] > 1) for key, name in _WAYS)
    return PaysStory(_sentence(found), found["assumed"], found["turns"], percent(1 / longest), ways)


def _sentence(found: Mapping[str, Any]) -> str:
    share = f"The selected menu is {found['share'] * 100:.0f}{figures.GAP}% of the whole one."
    turn = found["break_even_turn"]
    if turn is None:
        return f"{share} It pays however it is served."
    if turn == 0:
        return f"{share} Selected anew every turn it never pays against a whole menu in the cache; kept, it does."
    turns = figures.plural(turn, "turn")
    return f"{share} Selected anew every turn it pays for {turns}, and no longer; kept, it pays at any length."
