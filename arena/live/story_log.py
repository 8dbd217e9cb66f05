"""Every event of a run as one line: number, time, who, and a sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena import events as kinds
from arena.live import figures, story_states
from arena.live.story_clock import Clock
from arena.models import Event

Payload = Mapping[str, Any]
# Longest words of an agent in one line of the list, in characters.
_SAID = 160


@dataclass(frozen=True, slots=True)
class EventRow:
    """`letter` is empty for the host and the judge."""

    seq: int
    at: str
    kind: str
    letter: str
    css: str
    judge: bool
    sentence: str


def tell(events: Sequence[Event], letters: Mapping[int, str], clock: Clock) -> tuple[EventRow, ...]:
    """`letters` names each lane by its row."""
    return tuple(_row(event, letters.get(event.lane_id or 0, ""), clock) for event in events)


ANNOUNCED = ("run.state", "routing.decided", "lane.answered", "approval.asked")
"""What a page says aloud: start, decision, every lane's end, end."""


def said(rows: Sequence[EventRow]) -> str:
    """The last thing worth saying aloud; empty before anything is."""
    row = next((row for row in reversed(rows) if row.kind in ANNOUNCED), None)
    if row is None:
        return ""
    return f"Lane {row.letter}: {row.sentence}" if row.letter else f"{_WHO[row.kind]}: {row.sentence}"


_WHO = {"run.state": "The run", "routing.decided": "The judge"}


def _row(event: Event, letter: str, clock: Clock) -> EventRow:
    return EventRow(
        seq=event.seq,
        at=figures.since_start(clock.at(event.at)),
        kind=event.kind,
        letter=letter,
        css=story_states.lane_class(letter) if letter else "",
        judge=event.kind.startswith(("judge.", "routing.")),
        sentence=_SENTENCES.get(event.kind, _says(event.kind))(event.payload),
    )


def _says(kind: str) -> Callable[[Payload], str]:
    known = kinds.KINDS.get(kind)
    return lambda payload: known.says if known else kind


def _created(payload: Payload) -> str:
    how = ", answered" if "continues" in payload else ""
    return f"Asked for by {payload['by']} with the lanes {', '.join(payload['arms'])}{how}."


def _state(payload: Payload) -> str:
    message = f": {payload['message']}" if payload.get("message") else ""
    return f"{payload['state']}{message}"


def _judge_failed(payload: Payload) -> str:
    return f"{payload['stage']} failed with {payload['code']}: {payload['message']}"


def _judge_answered(payload: Payload) -> str:
    tokens = figures.count(payload["input_tokens"])
    return f"{payload['stage']} answered after {figures.seconds(payload['latency_ms'] / 1000)}, {tokens} tokens in."


def _decided(payload: Payload) -> str:
    return f"Decided {payload['outcome'].replace('_', ' ')} by the rule {payload['rule']}."


def _menu(payload: Payload) -> str:
    return f"Sees {len(payload['tools'])} of {figures.plural(payload['of'], 'tool')}."


def _thinking(payload: Payload) -> str:
    return f"Step {payload['step']}: {payload.get('note') or 'choosing the next step'}"


def _called(payload: Payload) -> str:
    return f"Calls {payload['tool']} ({payload['effect']})."


def _returned(payload: Payload) -> str:
    took = figures.seconds(payload["duration_ms"] / 1000)
    if not payload["ok"]:
        return f"{payload['tool']} refused after {took}: {payload.get('error')}"
    return f"{payload['tool']} returned {figures.count(payload.get('bytes'))} bytes after {took}."


def _usage(payload: Payload) -> str:
    given, made = figures.count(payload["input_tokens"]), figures.count(payload["output_tokens"])
    return f"{given} tokens in, {made} out so far, {payload['source']}."


def _failed(payload: Payload) -> str:
    whose = "The provider failed" if payload["fault"] == "provider" else "This site failed"
    return f"{whose} ({payload['code'] or 'no code'}): {payload['message']}"


def _said(payload: Payload) -> str:
    text = " ".join(str(payload["text"]).split())
    return f"Says: {text if len(text) <= _SAID else text[: _SAID - 1].rstrip() + '…'}"


def _checked(payload: Payload) -> str:
    items = payload["items"]
    passed = sum(item["passed"] for item in items)
    return f"Check {'passed' if payload['passed'] else 'not passed'}: {passed} of {figures.plural(len(items), 'item')}."


def _gated(payload: Payload) -> str:
    word = {"allow": "allows", "ask": "asks about", "hold": "holds", "deny": "denies"}[payload["action"]]
    would = "" if payload["applied"] else " (recorded only)"
    return f"The gate {word} {payload['tool']} by {payload['rule']}{would}: {payload['reason']}"


def _gate_answered(payload: Payload) -> str:
    return f"The gate’s judge answered after {figures.seconds(payload['latency_ms'] / 1000)}."


def _asked(payload: Payload) -> str:
    return f"Waits for a person: may it call {payload['tool']}? No answer within {payload['within_s']:g} s means no."


def _closed(payload: Payload) -> str:
    word = {"used": "was carried out", "expired": "expired", "void": "is void"}[payload["state"]]
    why = f": {payload['message']}" if payload.get("message") else "."
    return f"The approval of call {payload['call']} {word}{why}"


_SENTENCES: dict[str, Callable[[Payload], str]] = {
    "run.created": _created,
    "run.state": _state,
    "run.stop_requested": lambda payload: f"{payload['by']} asked to stop.",
    "judge.asked": lambda payload: f"{payload['stage']} asked with {figures.count(payload['bytes'])} bytes.",
    "judge.answered": _judge_answered,
    "judge.failed": _judge_failed,
    "routing.decided": _decided,
    "lane.menu": _menu,
    "lane.state": _state,
    "step.thinking": _thinking,
    "step.said": _said,
    "step.waiting": lambda payload: f"Waits {figures.seconds(payload['seconds'])}: {payload['reason']}",
    "call.rejected": lambda payload: f"{payload['tool']} was called with malformed arguments: {payload['error']}",
    "call.started": _called,
    "call.finished": _returned,
    "gate.decided": _gated,
    "gate.asked": lambda payload: f"The gate asks the judge with {figures.count(payload['bytes'])} bytes.",
    "gate.answered": _gate_answered,
    "gate.failed": lambda payload: f"The gate’s judge failed with {payload['code']}: {payload['message']}",
    "approval.asked": _asked,
    "approval.answered": lambda payload: f"{payload['by']} {payload['answer']} call {payload['call']}.",
    "approval.closed": _closed,
    "lane.usage": _usage,
    "lane.answered": lambda payload: f"Ended: {payload['ending']}.",
    "agent.failed": _failed,
    "lane.checked": _checked,
}
