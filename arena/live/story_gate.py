"""What the gate said and what a person was asked: the decision at a step, the card at the head of a lane."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena.live import figures, story_meters
from arena.live.story_clock import Clock
from arena.live.story_meters import Meter
from arena.live.story_states import State
from arena.models import Event

# From here on a value is cut on the card; the whole one is in the step.
_SHOWN_CHARS = 400
_STATES = {
    "open": State("open", "asking", "waits for you", "ask"),
    "approved": State("approved", "good", "approved", "ok"),
    "denied": State("denied", "deny", "denied", "bad"),
    "used": State("used", "good", "approved and carried out", "ok"),
    "expired": State("expired", "void", "expired, not carried out", "off"),
    "void": State("void", "void", "void, not carried out", "off"),
}
_ACTIONS = {
    "allow": State("allow", "allow", "allowed", "off"),
    "ask": State("ask", "asking", "asks", "ask"),
    "hold": State("hold", "hold", "held", "bad"),
    "deny": State("deny", "deny", "denied", "bad"),
}


@dataclass(frozen=True, slots=True)
class Decision:
    """The gate's word on one call; `applied` False: a record of what it would have done."""

    state: State
    rule: str
    reason: str
    applied: bool
    mode: str
    took: str
    meter: Meter | None
    loud: bool


@dataclass(frozen=True, slots=True)
class Argument:
    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Card:
    """One question to a person; `until_ms` is when silence becomes a no. `value` is what a button sends."""

    id: str
    digest: str
    letter: str
    tool: str
    effect: str
    arguments: tuple[Argument, ...]
    rule: str
    reason: str
    meter: Meter | None
    state: State
    step: str
    until_ms: int
    left: str
    by: str
    message: str
    at: str

    @property
    def open(self) -> bool:
        return self.state.key == "open"

    @property
    def value(self) -> str:
        return f"{self.id}:{self.digest}"


def decision(payload: Mapping[str, Any] | None) -> Decision | None:
    if payload is None:
        return None
    state = _ACTIONS[payload["action"]]
    return Decision(
        state=state,
        rule=payload["rule"],
        reason=payload["reason"],
        applied=payload["applied"],
        mode=payload["mode"],
        took=figures.seconds(payload["latency_ms"] / 1000),
        meter=_meter(payload),
        loud=payload["action"] != "allow",
    )


def cards(letter: str, own: Sequence[Event], steps: Mapping[int, str], clock: Clock) -> tuple[Card, ...]:
    """Every question of a lane in order; `steps` names the step of each call."""
    answers = {event.payload["approval"]: event for event in own if event.kind == "approval.answered"}
    ends = {event.payload["approval"]: event.payload for event in own if event.kind == "approval.closed"}
    asked = (event for event in own if event.kind == "approval.asked")
    return tuple(_card(letter, event, answers, ends, steps, clock) for event in asked)


def _card(
    letter: str,
    event: Event,
    answers: Mapping[str, Event],
    ends: Mapping[str, Mapping[str, Any]],
    steps: Mapping[int, str],
    clock: Clock,
) -> Card:
    asked = event.payload
    id_ = asked["approval"]
    answer, end = answers.get(id_), ends.get(id_)
    key = end["state"] if end else answer.payload["answer"] if answer else "void" if clock.stopped else "open"
    until = event.at.timestamp() + asked["within_s"]
    return Card(
        id=id_,
        digest=asked["digest"],
        letter=letter,
        tool=asked["tool"],
        effect=asked["effect"],
        arguments=tuple(Argument(name, _value(value)) for name, value in asked["arguments"].items()),
        rule=asked["rule"],
        reason=asked["reason"],
        meter=_meter(asked),
        state=_STATES[key],
        step=steps.get(asked["call"], ""),
        until_ms=round(until * 1000),
        left=figures.seconds(max(until - clock.now.timestamp(), 0.0)),
        by=answer.payload["by"] if answer else "",
        message=(end or {}).get("message", ""),
        at=figures.since_start(clock.at(event.at)),
    )


def _meter(payload: Mapping[str, Any]) -> Meter | None:
    measured, threshold = payload.get("measured"), payload.get("threshold")
    if measured is None or threshold is None or not (0 <= measured <= 1 and 0 <= threshold <= 1):
        return None
    return story_meters.meter("measured", measured, threshold)


def _value(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHOWN_CHARS else text[:_SHOWN_CHARS].rstrip() + f"… ({len(text):,} characters)"
