"""What is measured of a lane: value, unit, direction, source, and the reason where the value is unknown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from arena.evidence.lane import CallRecord, LaneEnding
from arena.models import Arm, Event, Lane, LaneState

Source = Literal["reported", "estimated", "computed"]
Direction = Literal["lower", "higher"]


@dataclass(frozen=True, slots=True)
class Metric:
    """`value` None is unknown and then `reason` says why. A share is from 0 to 1; `direction` says what is better.

    `at_least` marks a lower bound: what was counted until the lane, or the judge, was cut short.
    """

    value: float | None
    unit: str
    direction: Direction
    source: Source | None
    reason: str = ""
    at_least: bool = False

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class JudgeUsage:
    """What the judge of a run cost: tokens (None where one request did not say), time in ms, and how it is known.

    `timed` is false where a request never came back: then the time is a lower bound.
    """

    input_tokens: int | None
    output_tokens: int | None
    latency_ms: float
    source: Source | None
    timed: bool = True


NO_JUDGE = JudgeUsage(0, 0, 0.0, "computed")
# Counts and times that a lane which was cut short would have gone on adding to.
_GROWING = ("tokens", "ms", "calls")
FIRSTS = ("first_token_ms", "first_tool_ms")
"""Moments that a lane which was cut short has had: they grow no more."""
WAITS = ("paused_ms", "provider_wait_ms", "person_wait_ms")


def judge_usage(events: Sequence[Event]) -> JudgeUsage:
    """Summed over every request of the run; one request without a count makes the sum unknown."""
    asked = sum(event.kind == "judge.asked" for event in events)
    replies = [event.payload for event in events if event.kind == "judge.answered"]

    def total(name: str) -> int | None:
        counts = [reply[name] for reply in replies]
        return sum(counts) if len(counts) == asked and None not in counts else None

    sources = {reply["token_source"] for reply in replies} - {""}
    source: Source | None = "estimated" if "estimated" in sources else "reported" if sources else None
    failed = [event.payload.get("latency_ms") for event in events if event.kind == "judge.failed"]
    times = [time for time in (*(reply["latency_ms"] for reply in replies), *failed) if time is not None]
    return JudgeUsage(total("input_tokens"), total("output_tokens"), sum(times), source, timed=len(times) == asked)


def lane_metrics(
    lane: Lane, calls: Sequence[CallRecord], judge: JudgeUsage, *, recall: bool | None, passed: bool | None
) -> dict[str, Metric]:
    """Every metric of one lane. A selected lane's totals include the judge; a shadow lane shows it beside them.

    A control borrows a size from the judge and nothing else, so the judge is no part of its figures.
    """
    asked = judge if lane.arm in (Arm.SELECTED, Arm.SHADOW) else NO_JUDGE
    paid = judge if lane.arm == Arm.SELECTED else NO_JUDGE
    agent = _AgentUsage(lane)
    found = {
        "success": _share(passed, agent.why),
        "recall_at_menu": _share(recall, "the case needs no tool" if lane.menu is not None else agent.why),
        "tools_exposed": _metric(None if lane.menu is None else len(lane.menu), "tools", "computed", agent.why),
        **_token_metrics("input_tokens", agent, asked, paid),
        **_token_metrics("output_tokens", agent, asked, paid),
        "agent_working_ms": _metric(agent.number("working_ms"), "ms", "computed", agent.why),
        "judge_ms": _metric(asked.latency_ms, "ms", "computed"),
        "working_ms": _metric(_sum(agent.number("working_ms"), paid.latency_ms), "ms", "computed", agent.why),
        "waiting_ms": _metric(agent.number("waiting_ms"), "ms", "computed", agent.why),
        **_known(agent, WAITS),
        "tool_calls": _metric(len(calls), "calls", "computed"),
        "rejected_calls": _metric(sum(call.ok is False for call in calls), "calls", "computed"),
    }
    bounded = {name: _bounded(metric, cut=cut_short(lane), timed=asked.timed) for name, metric in found.items()}
    return bounded | _known(agent, FIRSTS)


def cut_short(lane: Lane) -> bool:
    """Whether the lane did not come to an end of its own, so that its counts are lower bounds."""
    return lane.state not in (LaneState.COMPLETED, LaneState.WITHHELD) or lane.ending == LaneEnding.LIMIT


def _bounded(metric: Metric, *, cut: bool, timed: bool) -> Metric:
    grows = metric.unit in _GROWING and (cut or (metric.unit == "ms" and not timed))
    return replace(metric, at_least=grows and metric.value is not None)


class _AgentUsage:
    """What the agent of a lane used. A withheld lane's agent never ran: that is a known 0, not an unknown."""

    def __init__(self, lane: Lane) -> None:
        self._kept = lane.metrics
        self._never_ran = lane.state == LaneState.WITHHELD
        self.why = f"the lane is {lane.state}" + (f": {lane.message}" if lane.message else "")
        self.source: Source | None = "computed" if self._never_ran else self._kept.get("usage", {}).get("source")

    def number(self, name: str, *, missing: float | None = 0) -> float | None:
        """`missing` is what a lane has whose agent never ran."""
        value: float | None = self._kept.get(name, missing if self._never_ran else None)
        return value

    def tokens(self, name: str) -> int | None:
        value: int | None = self._kept.get("usage", {}).get(name, 0 if self._never_ran else None)
        return value


def _token_metrics(name: str, agent: _AgentUsage, asked: JudgeUsage, paid: JudgeUsage) -> dict[str, Metric]:
    own = agent.tokens(name)
    judged: int | None = getattr(asked, name)
    total = _sum(own, getattr(paid, name))
    sources = {agent.source, paid.source} - {"computed", None}
    mixed: Source = "estimated" if "estimated" in sources else "reported" if sources else "computed"
    silent = "the judge gave no reply that reports its tokens"
    return {
        f"agent_{name}": _metric(own, "tokens", agent.source or "computed", agent.why),
        f"judge_{name}": _metric(judged, "tokens", asked.source or "computed", silent),
        name: _metric(total, "tokens", mixed, agent.why if own is None else silent),
    }


def _sum(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one + other


def _known(agent: _AgentUsage, names: Sequence[str]) -> dict[str, Metric]:
    """Times that only some agents have."""
    found = {name: value for name in names if (value := agent.number(name, missing=None)) is not None}
    return {name: _metric(value, "ms", "computed") for name, value in found.items()}


def _share(value: bool | None, why: str) -> Metric:
    return _metric(None if value is None else float(value), "share", "computed", why, direction="higher")


def _metric(value: float | None, unit: str, source: Source, why: str = "", *, direction: Direction = "lower") -> Metric:
    return Metric(value, unit, direction, None if value is None else source, "" if value is not None else why)
