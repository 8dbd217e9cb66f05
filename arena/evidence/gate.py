"""What the gate of a lane did and cost, and how much of what was executed it was asked about."""

from __future__ import annotations

from collections.abc import Sequence

from arena.evidence.metrics import Metric, Source
from arena.models import Event, Lane, LaneState

OFF = "the gate is off"
NOTHING = "no call was executed"
UNSAID = "the judge gave the gate no reply that reports its tokens"


def gate_metrics(lane: Lane, events: Sequence[Event]) -> dict[str, Metric]:
    """Coverage for every lane, and for one with a gate what it decided and cost; `events` are the lane's own.

    Coverage is the share of executed calls (counted where they are executed) that the gate was asked about (counted
    by the gate). Its cost stands beside the totals of a lane, which it is no part of: both lanes have the same gate.
    """
    if lane.gate == "off":
        return {"gate_coverage": _unknown("share", OFF, higher=True)}
    decided = [event.payload for event in events if event.kind == "gate.decided"]
    stopped = [each for each in decided if each["applied"] and each["action"] in ("deny", "hold")]
    asked = [event for event in events if event.kind == "approval.asked"]
    times = sum(each["latency_ms"] for each in decided)
    return {
        "gate_coverage": _coverage(lane),
        "gate_decisions": Metric(len(decided), "calls", "lower", "computed"),
        "gate_refused": Metric(len(stopped), "calls", "lower", "computed"),
        "gate_asked": Metric(len(asked), "calls", "lower", "computed"),
        "gate_ms": Metric(round(times, 1), "ms", "lower", "computed"),
        "gate_input_tokens": _tokens(events, "input_tokens"),
        "gate_output_tokens": _tokens(events, "output_tokens"),
    }


def _coverage(lane: Lane) -> Metric:
    counts = lane.metrics.get("gate")
    if counts is None:
        why = NOTHING if lane.state == LaneState.WITHHELD else f"the lane is {lane.state}"
        return _unknown("share", why, higher=True)
    if not counts["executed"]:
        return _unknown("share", NOTHING, higher=True)
    return Metric(counts["covered"] / counts["executed"], "share", "higher", "computed")


def _tokens(events: Sequence[Event], name: str) -> Metric:
    asked = sum(event.kind == "gate.asked" for event in events)
    replies = [event.payload for event in events if event.kind == "gate.answered"]
    counts = [reply[name] for reply in replies]
    if len(counts) != asked or None in counts:
        return _unknown("tokens", UNSAID)
    sources = {reply["token_source"] for reply in replies}
    source: Source = "estimated" if "estimated" in sources else "reported" if sources - {""} else "computed"
    return Metric(sum(counts), "tokens", "lower", source)


def _unknown(unit: str, why: str, *, higher: bool = False) -> Metric:
    return Metric(None, unit, "higher" if higher else "lower", None, why)
