"""A run as a blind rater sees it: task, answers, proposals, check and cited results, in an order that tells nothing.

What would name or imply an arm is left out by construction: a side is built from a few texts, never from a lane's
page. No menu, no counts, no times, no tool, no letter, no order of calls (issue 8, blind mode).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from arena.evidence.lane_record import calls
from arena.live import rows, story_events, story_patches
from arena.live.story_patches import Proposal
from arena.models import Event, Lane, LaneState, Run
from policy.engine.selection import Outcome

MAX_CITED = 12
CITED_CHARS = 2_000
# Shorter words and numbers turn up in an answer by chance.
_LEAST_CHARS = 4
_ENDS = "It ends as the case asks for"
_WITHHELD = {
    Outcome.NEEDS_CLARIFICATION.value: "Asked what exactly is wanted, and did nothing until that is answered.",
    Outcome.NO_MATCH.value: "Said that nothing at hand fits the task, and did nothing.",
}


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that the automatic check looked at; `got` is blank where it would name a tool or how a lane ended."""

    title: str
    passed: bool | None
    got: str


@dataclass(frozen=True, slots=True)
class Side:
    """What one lane left, without anything that tells which."""

    lane: Lane
    answer: str
    proposals: tuple[Proposal, ...]
    items: tuple[Item, ...]
    cited: tuple[str, ...]


def of(run: Run, *, rater_id: int) -> tuple[Side, ...]:
    """The sides of a settled run in this rater's own order."""
    snapshots, events = rows.of(run)
    tools = frozenset(tool.id for tool in snapshots.catalog.tools)
    lanes = order(list(run.lanes.all()), run_id=run.public_id, rater_id=rater_id)
    whole = any(lane.state == LaneState.WITHHELD for lane in lanes)
    return tuple(_side(lane, events, _items(lane, tools, whole=whole), outcome=run.outcome) for lane in lanes)


def order(lanes: Sequence[Lane], *, run_id: str, rater_id: int) -> list[Lane]:
    """Shuffled by a digest of run and rater: the same at every look, and nobody's guess beforehand."""

    def drawn(lane: Lane) -> bytes:
        return hashlib.sha256(f"{run_id}/{rater_id}/{lane.public_id}".encode()).digest()

    return sorted(lanes, key=drawn)


def _side(lane: Lane, events: Sequence[Event], items: tuple[Item, ...], *, outcome: str) -> Side:
    own = [event for event in events if event.lane_id == lane.pk]
    answer = _WITHHELD.get(outcome, lane.answer) if lane.state == LaneState.WITHHELD else lane.answer
    return Side(
        lane=lane,
        answer=answer.strip(),
        proposals=story_patches.tell([story_events.lane_log(lane, events)]),
        items=items,
        cited=tuple(cited(answer, (call.content for call in calls(own) if call.ok))),
    )


def _items(lane: Lane, tools: frozenset[str], *, whole: bool) -> tuple[Item, ...]:
    """What was checked; one item on both sides where a menu was withheld, since the check of that lane says so."""
    if whole:
        return (Item(_ENDS, lane.passed, ""),)
    found = (lane.check_result or {}).get("items", ())
    return tuple(
        Item(_plain(item["title"], tools), item["passed"], _without_hints(item["got"], tools)) for item in found
    )


def _plain(title: str, tools: Iterable[str]) -> str:
    """The title of an item without names of tools and without the word menu."""
    if "menu" in title:
        return _ENDS
    return "It was found out in the way that the case asks for" if any(tool in title for tool in tools) else title


def _without_hints(got: str, tools: Iterable[str]) -> str:
    """What the check read, unless it names a tool, tells of calls or says how the lane ended."""
    telling = got.startswith(("the lane ", "called: ")) or any(tool in got for tool in tools)
    return "" if telling else got


def cited(answer: str, results: Iterable[Any]) -> Iterator[str]:
    """The results that the answer quotes something of, once each, by content and never in the order of the calls."""
    said = answer.casefold()
    texts = {json.dumps(result, ensure_ascii=False, indent=1, sort_keys=True): result for result in results}
    quoted = [text for text, result in texts.items() if any(value in said for value in _values(result))]
    for text in sorted(quoted)[:MAX_CITED]:
        yield text if len(text) <= CITED_CHARS else f"{text[:CITED_CHARS]} …"


def _values(result: Any) -> Iterator[str]:
    """The values inside a result that are long enough to be quoted on purpose."""
    if isinstance(result, dict):
        for value in result.values():
            yield from _values(value)
    elif isinstance(result, list):
        for value in result:
            yield from _values(value)
    elif result is not None and not isinstance(result, bool):
        text = str(result).strip().casefold()
        if len(text) >= _LEAST_CHARS:
            yield text
