"""The headline of a settled run: what came out, in words; what it cannot say, it says too."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from arena.live import figures, story_clock
from arena.live.story_events import LaneLog
from arena.models import Event, RunState
from policy.people.services import LOCAL


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of the sentence: plain, strong (`b`), or the letter of a lane."""

    text: str
    strong: bool = False
    css: str = ""


@dataclass(frozen=True, slots=True)
class Headline:
    """`note` stands on the run's own page, `brief` where the sentence is quoted elsewhere."""

    spans: tuple[Span, ...]
    note: str
    brief: str


# Times that one run cannot tell apart: the machine's own unrest is as large.
_SAME_MS = 500
_SAME_SHARE = 0.1
_BROKEN = {
    RunState.PARTIAL: "Only part of the comparison has a result",
    RunState.FAILED: "The comparison failed",
    RunState.STOPPED: "The comparison was stopped",
    RunState.ABANDONED: "The comparison was abandoned",
}
_KEPT = {
    RunState.PARTIAL: "Not every lane has a result, so nothing is compared.",
    RunState.FAILED: "No lane came to a result.",
    RunState.STOPPED: "What had been done is kept, and nothing more was started.",
    RunState.ABANDONED: "What had been done is kept; nothing was run a second time by itself.",
}


def tell(lanes: Sequence[LaneLog], events: Sequence[Event]) -> Headline:
    """The sentence of a run whose events have come to an end."""
    state = RunState(story_clock.state(events))
    if state == RunState.COMPLETE:
        return Headline(tuple(_complete(lanes)), _sample(lanes), _sample(lanes))
    kept = f"{_KEPT[state]} All {figures.plural(len(events), 'event')} are below."
    note = f"{kept} Run it again for a new comparison."
    return Headline(tuple(_broken(state, events)), note, _KEPT[state])


def _sample(lanes: Sequence[LaneLog]) -> str:
    if len(lanes) == 1:
        return "One lane: nothing to compare it with."
    return "One pair: not enough runs for a verdict." if len(lanes) == 2 else "One run: not enough for a verdict."


def _broken(state: RunState, events: Sequence[Event]) -> Iterator[Span]:
    stop = next((event for event in events if event.kind == "run.stop_requested"), None)
    if state == RunState.STOPPED and stop is not None:
        who = "you" if stop.payload["by"] == LOCAL else stop.payload["by"]
        yield Span(f"Stopped by {who}", strong=True)
        yield Span(f" at event {stop.seq}.")
        return
    message = story_clock.message(events).rstrip(".")
    yield Span(_BROKEN[state], strong=True)
    yield Span(f": {message}." if message else ".")


def _complete(lanes: Sequence[LaneLog]) -> Iterator[Span]:
    yield from _checks(lanes)
    for lane in lanes:
        if lane.state == "withheld":
            yield Span(" ")
            yield _letter(lane)
            yield Span(f" got no menu. {lane.message}")
    other = next((lane for lane in lanes[1:] if lane.arm == "selected"), None) or (lanes[1] if lanes[1:] else None)
    if other is not None and other.state == lanes[0].state == "completed":
        yield from _compared(lanes[0], other)


def _checks(lanes: Sequence[LaneLog]) -> Iterator[Span]:
    """A control without a menu has not been checked: it has neither passed nor missed."""
    passed = [lane for lane in lanes if lane.checked and lane.checked["passed"]]
    missed = [lane for lane in lanes if lane.checked and lane not in passed]
    if not passed and not missed:
        yield Span("There is no automatic check here.")
    elif len(passed) + len(missed) < len(lanes) and (not passed or not missed):
        yield from _listed(passed or missed)
        yield Span(" passed the check." if passed else " did not pass the check.")
    elif len(lanes) == 1:
        yield _letter(lanes[0])
        yield Span(" passed the check." if passed else " did not pass the check.")
    elif not missed:
        yield Span(f"{'Both' if len(lanes) == 2 else 'All'} lanes passed the check.")
    elif not passed:
        yield Span(f"{'Neither lane' if len(lanes) == 2 else 'No lane'} passed the check.")
    else:
        yield from _listed(passed)
        yield Span(" passed the check, ")
        yield from _listed(missed)
        yield Span(" did not.")


def _listed(lanes: Sequence[LaneLog]) -> Iterable[Span]:
    for number, lane in enumerate(lanes):
        if number:
            yield Span(" and " if number == len(lanes) - 1 else ", ")
        yield _letter(lane)


def _letter(lane: LaneLog) -> Span:
    return Span(lane.letter, css=lane.css)


def _compared(first: LaneLog, other: LaneLog) -> Iterator[Span]:
    parts = [part for part in (_tools(first, other), _tokens(first, other), _sooner(first, other)) if part]
    if not parts:
        return
    yield Span(" ")
    yield _letter(other)
    for number, part in enumerate(parts):
        yield Span(" " if number == 0 else ", and " if number == len(parts) - 1 else ", ")
        yield from part
    yield Span(".")


def _tools(first: LaneLog, other: LaneLog) -> list[Span]:
    one, two = first.menu, other.menu
    if one is None or two is None or len(one) == len(two):
        return []
    return [Span(f"saw {figures.plural(len(two), 'tool')} instead of {len(one)}")]


def _tokens(first: LaneLog, other: LaneLog) -> list[Span]:
    one, two = first.measured("input_tokens"), other.measured("input_tokens")
    if one is None or two is None or one == two:
        return []
    word = "fewer" if two < one else "more"
    judge = ", judge included" if other.arm == "selected" else ""
    return [Span("used "), Span(f"{abs(one - two):,.0f} {word} input tokens", strong=True), Span(judge)]


def _sooner(first: LaneLog, other: LaneLog) -> list[Span]:
    one, two = first.measured("working_ms"), other.measured("working_ms")
    if one is None or two is None:
        return []
    apart = abs(one - two)
    if apart < _SAME_MS or apart < _SAME_SHARE * max(one, two):
        return [Span("was done in about the same time")]
    return [Span(f"was done {figures.seconds(apart / 1000)} {'sooner' if two < one else 'later'}")]
