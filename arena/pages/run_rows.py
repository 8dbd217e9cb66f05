"""The rows of the history: per lane its check, its tokens and its time; figures say when they are not whole."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from arena.evidence.metrics import cut_short
from arena.live import figures, story_states
from arena.live.story_states import State
from arena.models import Arm, Event, Lane, LaneState, Run, RunState

_ENDED_WELL = (LaneState.COMPLETED, LaneState.WITHHELD)


@dataclass(frozen=True, slots=True)
class LaneCells:
    """One lane's cells: its arm, its check, its input tokens with the judge's, its time at work.

    `difference` is to lane A, as a share; of A itself there is none.
    """

    letter: str
    css: str
    arm: str
    check: State
    tokens: str
    time: str
    difference: str


@dataclass(frozen=True, slots=True)
class RunRow:
    public_id: str
    number: int
    created_at: datetime
    title: str
    setup: str
    state: State
    reason: str
    lanes: tuple[LaneCells, ...]
    tags: tuple[str, ...]
    archived: bool

    @property
    def pair(self) -> tuple[LaneCells | None, LaneCells | None]:
        """The first two lanes, None where a run has fewer."""
        first, second = (*self.lanes, None, None)[:2]
        return first, second

    @property
    def rest(self) -> tuple[LaneCells | None, ...]:
        """The third and the fourth lane, which stand under the first two; empty where there are none."""
        further: tuple[LaneCells | None, ...] = self.lanes[2:4]
        return (*further, None)[:2] if further else ()


def of(shown: Sequence[Run]) -> list[RunRow]:
    """One row a run, from what was fetched with them."""
    usage = _usage_so_far([run.pk for run in shown if not run.is_final])
    return [_row(run, usage) for run in shown]


def version(shown: Sequence[Run]) -> str:
    """Changes whenever a row of these runs would read otherwise; short enough for an address."""
    seen = [[run.pk, run.seq, run.state, bool(run.archived_at), [each.tag for each in run.tags.all()]] for run in shown]
    return hashlib.sha256(json.dumps(seen).encode()).hexdigest()[:16]


def _usage_so_far(active: Sequence[int]) -> dict[int, int | None]:
    """Input tokens of the lanes of running comparisons, by lane: the last word of each."""
    events = Event.objects.filter(run__in=active, kind="lane.usage").order_by("seq") if active else []
    return {event.lane_id: event.payload["input_tokens"] for event in events if event.lane_id is not None}


def _row(run: Run, usage: Mapping[int, int | None]) -> RunRow:
    lanes = list(run.lanes.all())
    setup = run.setup
    arms = "" if setup["arms"] == ["full", "selected"] else f", {_listed(setup['arms'])}"
    return RunRow(
        public_id=run.public_id,
        number=run.number,
        created_at=run.created_at,
        title=run.case_title,
        setup=f"{figures.plural(setup['menu_size'], 'tool')}, {setup['agent']}, {setup['judge']}{arms}",
        state=story_states.of_run(run.state),
        reason=run.message if run.is_final else "",
        lanes=tuple(_cells(lane, usage, _compared(run, lanes[0], lane), ended=run.is_final) for lane in lanes),
        tags=tuple(each.tag for each in run.tags.all()),
        archived=run.archived_at is not None,
    )


def _listed(arms: Sequence[str]) -> str:
    *first, last = arms
    return f"{', '.join(first)} and {last}" if first else last


def _cells(lane: Lane, usage: Mapping[int, int | None], difference: str, *, ended: bool) -> LaneCells:
    measured = lane.metrics.get("measured", {})
    lower_bound = cut_short(lane)
    tokens = _value(measured, "input_tokens") if measured else usage.get(lane.pk)
    time = _value(measured, "working_ms")
    shown = figures.seconds(None if time is None else time / 1000)
    return LaneCells(
        letter=lane.letter,
        css=story_states.lane_class(lane.letter),
        arm=story_states.ARM_SHORT[Arm(lane.arm)],
        check=story_states.of_check(lane.passed, ended=ended and lane.state not in _ENDED_WELL),
        tokens=figures.count(None if tokens is None else round(tokens), at_least=lower_bound),
        time=f"{figures.AT_LEAST}{figures.GAP}{shown}" if lower_bound and time is not None else shown,
        difference=difference,
    )


def _value(measured: Mapping[str, Any], name: str) -> float | None:
    value: float | None = measured.get(name, {}).get("value")
    return value


def _compared(run: Run, one: Lane, other: Lane) -> str:
    """The other lane minus A as a share of A; unknown where the run is not whole, or the lane is A itself."""
    idle = other.state == LaneState.WITHHELD and Arm(other.arm).is_control
    if run.state != RunState.COMPLETE or one.pk == other.pk or idle:
        return figures.UNKNOWN
    first, second = (_value(lane.metrics.get("measured", {}), "input_tokens") for lane in (one, other))
    return figures.UNKNOWN if first is None or second is None else figures.share(second - first, first)
