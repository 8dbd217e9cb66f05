"""The clock of a run: seconds since it was asked for, its phases, and the scale of the time strip."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from arena.live import figures, story_states
from arena.live.story_states import State
from arena.models import RUN_FINAL, Event, RunState

_LIVE_SCALES = (15.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1800.0, 3600.0)
_TICKS = (0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0, 60.0, 300.0, 600.0)
_MAX_TICKS = 60
_CANONICAL = (RunState.QUEUED, RunState.ROUTING, RunState.RUNNING, RunState.SETTLING, RunState.COMPLETE)


@dataclass(frozen=True, slots=True)
class Clock:
    """`origin` is the first event; `now` the last one of a run that has settled, else the present."""

    origin: datetime
    now: datetime
    stopped: bool

    def at(self, moment: datetime) -> float:
        """Seconds since the run was asked for."""
        return max((moment - self.origin).total_seconds(), 0.0)

    @property
    def elapsed(self) -> float:
        return self.at(self.now)

    @property
    def text(self) -> str:
        return figures.clock(self.elapsed)

    @property
    def origin_ms(self) -> int:
        """For the browser's own clock: milliseconds since the epoch."""
        return round(self.origin.timestamp() * 1000)

    @property
    def now_ms(self) -> int:
        return round(self.now.timestamp() * 1000)


@dataclass(frozen=True, slots=True)
class Phase:
    """One state of the run on its way; `took` is empty for what is still to come."""

    state: State
    standing: Literal["done", "now", "next"]
    took: str = ""
    since_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Mark:
    """A number on the ruler; every second one is left out on phones."""

    left: str
    text: str
    optional: bool


@dataclass(frozen=True, slots=True)
class Scale:
    """`length` seconds from edge to edge, a tick every `tick`."""

    length: float
    tick: float

    def left(self, seconds: float) -> str:
        """A place on the track in percent."""
        return percent(seconds / self.length)

    def width(self, start: float, end: float) -> str:
        return percent(max(end - start, 0) / self.length)

    @property
    def tick_width(self) -> str:
        return percent(self.tick / self.length)

    @property
    def marks(self) -> tuple[Mark, ...]:
        # A tick of 0.5 is counted in twos, so that the numbers beside it are whole.
        steps = (1, 2, 5, 10, 20) if f"{self.tick:g}".lstrip("0.").startswith("1") else (1, 2, 4, 10, 20)
        every = next((n for n in steps if self.length / (self.tick * n) <= 9), 20) * self.tick
        numbers = range(int(self.length / every - 0.02) + 1)
        return tuple(Mark(self.left(n * every), _mark(n * every), n % 2 == 1) for n in numbers)


def of(events: Sequence[Event], now: datetime) -> Clock:
    final = state(events) in RUN_FINAL
    return Clock(events[0].at, events[-1].at if final else max(now, events[-1].at), final)


def state(events: Sequence[Event]) -> str:
    """The state of the run, from its events alone."""
    return next((str(event.payload["state"]) for event in reversed(events) if event.kind == "run.state"), "queued")


def message(events: Sequence[Event]) -> str:
    """Why the run is in its last state, where somebody said so."""
    said = (event.payload.get("message", "") for event in reversed(events) if event.kind == "run.state")
    return str(next(said, ""))


def phases(events: Sequence[Event], clock: Clock) -> tuple[Phase, ...]:
    """The states so far with how long each took, then the ones that a run in order would still pass."""
    changes = [event for event in events if event.kind == "run.state"]
    ends = [*(event.at for event in changes[1:]), clock.now]
    rows = []
    for change, end in zip(changes, ends, strict=False):
        shown = story_states.of_run(change.payload["state"])
        final = shown.key in RUN_FINAL
        now = change is changes[-1] and not final
        took = "" if final else figures.seconds((end - change.at).total_seconds())
        since = round(change.at.timestamp() * 1000) if now else None
        rows.append(Phase(shown, "now" if now else "done", took, since))
    return (*rows, *_to_come([row.state.key for row in rows]))


def _to_come(seen: Sequence[str]) -> tuple[Phase, ...]:
    if not seen or seen[-1] in RUN_FINAL:
        return ()
    if RunState.STOPPING in seen:
        rest = [each for each in (RunState.SETTLING, RunState.STOPPED) if each not in seen]
    else:
        rest = list(_CANONICAL[_CANONICAL.index(RunState(seen[-1])) + 1 :])
    return tuple(Phase(story_states.of_run(each), "next") for each in rest)


def live_scale(elapsed: float) -> Scale:
    """Grows in steps, never at every frame."""
    length = next((step for step in _LIVE_SCALES if elapsed <= step * 0.97), elapsed * 1.25)
    return Scale(length, _tick(length))


def settled_scale(elapsed: float) -> Scale:
    """A little longer than the run, ending on a tick."""
    tick = _tick(max(elapsed, 0.05) * 1.06)
    return Scale((int(max(elapsed, 0.05) * 1.04 / tick) + 1) * tick, tick)


def _tick(length: float) -> float:
    return next((tick for tick in _TICKS if length / tick <= _MAX_TICKS), length / _MAX_TICKS)


def percent(ratio: float) -> str:
    """CSS wants a point whatever the language: `12.34%`."""
    return f"{100 * min(max(ratio, 0.0), 1.0):.2f}%"


def _mark(seconds: float) -> str:
    text = f"{seconds:g}" if seconds < 60 else f"{int(seconds // 60)}:{int(seconds % 60):02d}"
    return f"{text}{figures.GAP}s" if seconds == 0 else text
