"""The time strip: one ruler, one track for the judge and one for every lane."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from arena.live import figures, story_states
from arena.live.story_clock import Clock, Scale, live_scale, settled_scale
from arena.live.story_events import Asked, LaneLog, requests
from arena.models import Event

Look = Literal["thinks", "calls", "judges", "asks"]

# Widths in share of a track of about 800 px: what lies closer than this is drawn as one chip.
_CHIP = 0.026
_MERGED = 0.07


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of a track; an open one has no end yet and grows with the clock."""

    look: Look
    left: str
    width: str
    open: bool = False


@dataclass(frozen=True, slots=True)
class Chip:
    """A numbered call of a settled run, or a few that would overlap; links to its step."""

    left: str
    text: str
    href: str
    title: str
    rejected: bool


@dataclass(frozen=True, slots=True)
class Track:
    """`letter` is empty for the judge; `total` is time at work, counted on from `since_ms` while the lane works."""

    letter: str
    css: str
    name: str
    stretches: tuple[Stretch, ...]
    chips: tuple[Chip, ...]
    end: str | None
    total: str
    since_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Strip:
    """`now` is the place of the running clock, None on a settled run."""

    scale: Scale
    tracks: tuple[Track, ...]
    now: str | None
    now_text: str
    sentence: str
    paused: bool
    asked: bool = False


def tell(events: Sequence[Event], lanes: Sequence[LaneLog], clock: Clock) -> Strip:
    scale = settled_scale(clock.elapsed) if clock.stopped else live_scale(clock.elapsed)
    asked = requests(events)
    tracks = [_judge(asked, clock, scale)] if asked else []
    tracks += [_lane(lane, clock, scale) for lane in lanes]
    totals = ", ".join(f"{track.letter or 'judge'} {track.total}" for track in tracks)
    now = None if clock.stopped else scale.left(clock.elapsed)
    paused = any(lane.measured("waiting_ms") for lane in lanes)
    return Strip(
        scale,
        tuple(tracks),
        now,
        figures.now(clock.elapsed),
        f"Time at work: {totals}",
        paused,
        any(lane.approvals for lane in lanes),
    )


def _judge(asked: Sequence[Asked], clock: Clock, scale: Scale) -> Track:
    stretches = []
    for request in asked:
        start = clock.at(request.at)
        end = clock.elapsed if request.ended_at is None else clock.at(request.ended_at)
        open_ = request.ended_at is None and not clock.stopped
        stretches.append(Stretch("judges", scale.left(start), scale.width(start, end), open_))
    known = [request.latency_s for request in asked if request.latency_s is not None]
    total = figures.seconds(sum(known) if known else None)
    return Track("", "", "Judge", tuple(stretches), (), None, total)


def _lane(lane: LaneLog, clock: Clock, scale: Scale) -> Track:
    busy = (*_stretches(lane, clock, scale), *_asked(lane, clock, scale))
    end = None
    if clock.stopped and lane.began_at is not None:
        end = scale.left(clock.at(lane.ended_at or clock.now))
    chips = tuple(_chips(lane, clock, scale)) if clock.stopped else ()
    working = lane.began_at is not None and lane.ended_at is None and not clock.stopped
    return Track(
        letter=lane.letter,
        css=story_states.lane_class(lane.letter),
        name=lane.arm_short,
        stretches=busy,
        chips=chips,
        end=end,
        total=_total(lane, clock),
        since_ms=round(lane.began_at.timestamp() * 1000) if working and lane.began_at else None,
    )


def _total(lane: LaneLog, clock: Clock) -> str:
    working = lane.measured("agent_working_ms")
    if working is not None:
        return figures.seconds(working / 1000)
    if lane.began_at is None:
        return figures.UNKNOWN
    return figures.seconds(clock.at(lane.ended_at or clock.now) - clock.at(lane.began_at))


def _stretches(lane: LaneLog, clock: Clock, scale: Scale) -> Iterable[Stretch]:
    """Thinking is what lies between the calls, from the lane's start to its end."""
    if lane.began_at is None:
        return
    at = clock.at(lane.began_at)
    for call in lane.calls:
        start = clock.at(call.at)
        yield Stretch("thinks", scale.left(at), scale.width(at, start))
        at = clock.at(call.ended_at or lane.ended_at or clock.now)
        if not clock.stopped:
            yield Stretch("calls", scale.left(start), scale.width(start, at), call.ended_at is None)
    if not (lane.calls and lane.calls[-1].ended_at is None):
        end = clock.at(lane.ended_at or clock.now)
        yield Stretch("thinks", scale.left(at), scale.width(at, end), lane.ended_at is None and not clock.stopped)


def _asked(lane: LaneLog, clock: Clock, scale: Scale) -> Iterable[Stretch]:
    """Where the lane waited for a person: over its call, and no part of its working time."""
    ends = {event.payload["approval"]: event.at for event in reversed(lane.approvals) if event.kind != "approval.asked"}
    for event in lane.approvals:
        if event.kind == "approval.asked":
            end = ends.get(event.payload["approval"]) or lane.ended_at
            open_ = end is None and not clock.stopped
            start = clock.at(event.at)
            yield Stretch("asks", scale.left(start), scale.width(start, clock.at(end or clock.now)), open_)


def _chips(lane: LaneLog, clock: Clock, scale: Scale) -> Iterable[Chip]:
    group: list[int] = []
    for index in range(len(lane.calls)):
        if group and _overlap(lane, group, index, clock, scale):
            group.append(index)
        else:
            if group:
                yield _chip(lane, group, clock, scale)
            group = [index]
    if group:
        yield _chip(lane, group, clock, scale)


def _overlap(lane: LaneLog, group: Sequence[int], index: int, clock: Clock, scale: Scale) -> bool:
    centre = (_place(lane, group[0], clock, scale) + _place(lane, group[-1], clock, scale)) / 2
    half = (_MERGED if len(group) > 1 else _CHIP) / 2
    return _place(lane, index, clock, scale) - _CHIP / 2 < centre + half


def _place(lane: LaneLog, index: int, clock: Clock, scale: Scale) -> float:
    return clock.at(lane.calls[index].at) / scale.length


def _chip(lane: LaneLog, group: Sequence[int], clock: Clock, scale: Scale) -> Chip:
    first, last = lane.calls[group[0]], lane.calls[group[-1]]
    centre = (clock.at(first.at) + clock.at(last.at)) / 2
    names = ", ".join(lane.calls[index].tool for index in group)
    return Chip(
        left=scale.left(centre),
        text=_numbers(first.number, last.number),
        href=f"#{first.dom_id}",
        title=f"{lane.letter}: {names}",
        rejected=any(lane.calls[index].ok is False for index in group),
    )


def _numbers(first: int, last: int) -> str:
    """`4`, `4, 5`, `4 to 7`."""
    return f"{first}" if first == last else f"{first}{', ' if last == first + 1 else ' to '}{last}"
