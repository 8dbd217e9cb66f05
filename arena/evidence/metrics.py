"""What is measured of a lane: value, unit, direction, source, and the reason where the value is unknown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from arena.evidence.lane import CallRecord
from arena.models import Arm, Event, Lane

Source = Literal["reported", "estimated", "computed"]
Direction = Literal["lower", "higher", "none"]


@dataclass(frozen=True, slots=True)
class Metric:
    """`value` None is unknown and then `reason` says why; a share or a flag is 0 or 1 with unit `share`."""

    value: float | None
    unit: str
    direction: Direction
    source: Source | None
    reason: str = ""

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class JudgeUsage:
    """What the judge of a run cost: tokens (None where one request did not say), time, and how it is known."""

    input_tokens: int | None
    output_tokens: int | None
    latency_ms: float
    requests: int
    source: Source | None


def judge_usage(events: Sequence[Event]) -> JudgeUsage:
    """Summed over every request of the run; one request without a count makes the sum unknown."""
    asked = sum(event.kind == "judge.asked" for event in events)
    replies = [event.payload for event in events if event.kind == "judge.answered"]
    complete = len(replies) == asked

    def total(name: str) -> int | None:
        counts = [reply[name] for reply in replies]
        return sum(counts) if complete and None not in counts else None

    sources = {reply["token_source"] for reply in replies} - {""}
    source: Source | None = "estimated" if "estimated" in sources else "reported" if sources else None
    latency = sum(reply["latency_ms"] for reply in replies)
    return JudgeUsage(total("input_tokens"), total("output_tokens"), latency, asked, source)


def lane_metrics(
    lane: Lane, calls: Sequence[CallRecord], judge: JudgeUsage, *, recall: bool | None, passed: bool | None
) -> dict[str, Metric]:
    """Every metric of one lane. What the judge cost is part of the arms that asked it (`selected`, and `shadow` apart)."""
    kept = lane.metrics
    usage = kept.get("usage", {})
    ran = "working_ms" in kept
    why = "" if ran else _why_unknown(lane)
    asks_judge = lane.arm == Arm.SELECTED
    agent_in = usage.get("input_tokens") if ran else (0 if lane.state == "withheld" else None)
    agent_out = usage.get("output_tokens") if ran else (0 if lane.state == "withheld" else None)
    source: Source | None = usage.get("source") or ("computed" if agent_in is not None else None)
    judged = lane.arm in (Arm.SELECTED, Arm.SHADOW)
    return {
        "success": _known(None if passed is None else float(passed), "share", "higher", "computed", "no check ran"),
        "tools_exposed": _known(None if lane.menu is None else len(lane.menu), "tools", "lower", "computed", why),
        "recall_at_menu": _known(
            None if recall is None else float(recall), "share", "higher", "computed", "the case needs no tool"
        ),
        "agent_input_tokens": _known(agent_in, "tokens", "lower", source, why),
        "agent_output_tokens": _known(agent_out, "tokens", "lower", source, why),
        "judge_input_tokens": _known(
            judge.input_tokens if judged else 0,
            "tokens",
            "lower",
            judge.source if judged else "computed",
            "not reported",
        ),
        "judge_output_tokens": _known(
            judge.output_tokens if judged else 0,
            "tokens",
            "lower",
            judge.source if judged else "computed",
            "not reported",
        ),
        "input_tokens": _sum(agent_in, judge.input_tokens if asks_judge else 0, source, why),
        "output_tokens": _sum(agent_out, judge.output_tokens if asks_judge else 0, source, why),
        "agent_working_ms": _known(
            kept.get("working_ms", 0 if lane.state == "withheld" else None), "ms", "lower", "computed", why
        ),
        "judge_ms": _known(judge.latency_ms if judged else 0, "ms", "lower", "computed", why),
        "working_ms": _known(_working(lane, judge, asks_judge), "ms", "lower", "computed", why),
        "waiting_ms": _known(
            kept.get("waiting_ms", 0 if lane.state == "withheld" else None), "ms", "lower", "computed", why
        ),
        "tool_calls": _known(len(calls), "calls", "lower", "computed", ""),
        "rejected_calls": _known(sum(not call.ok for call in calls), "calls", "lower", "computed", ""),
    }


def _known(value: float | None, unit: str, direction: Direction, source: Source | None, why: str) -> Metric:
    if value is None:
        return Metric(None, unit, direction, None, why or "not reported")
    return Metric(value, unit, direction, source)


def _sum(agent: int | None, judge: int | None, source: Source | None, why: str) -> Metric:
    if agent is None or judge is None:
        return Metric(None, "tokens", "lower", None, why or "the judge did not report its tokens")
    return Metric(agent + judge, "tokens", "lower", source)


def _working(lane: Lane, judge: JudgeUsage, asks_judge: bool) -> float | None:
    agent: float | None = lane.metrics.get("working_ms", 0 if lane.state == "withheld" else None)
    return None if agent is None else agent + (judge.latency_ms if asks_judge else 0)


def _why_unknown(lane: Lane) -> str:
    return f"the lane is {lane.state}" + (f": {lane.message}" if lane.message else "")
