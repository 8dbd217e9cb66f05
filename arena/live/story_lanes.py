"""A lane as its panel shows it: state, figures, steps with arguments and results, and how it ended."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from arena.live import figures, story_gate, story_states
from arena.live.story_clock import Clock
from arena.live.story_events import Call, LaneLog
from arena.live.story_menu import MenuStory
from arena.live.story_states import State
from arena.models import Event

SHOWN_BYTES = 2_000
_LINE = 96


@dataclass(frozen=True, slots=True)
class Stat:
    """A figure over its label; `since_ms` makes the browser count on from there."""

    value: str
    label: str
    unit: str = ""
    since_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """What a call gave back, or the first part of it; `size` says how much of how much."""

    text: str
    size: str


@dataclass(frozen=True, slots=True)
class Step:
    """One call. `seq` is its first event, `changed_seq` the last one that changed the row."""

    dom_id: str
    number: int
    seq: int
    changed_seq: int
    at: str
    tool: str
    effect: str
    running_since_ms: int | None
    rejected: bool
    took: str
    line: str
    note: str
    weighed: str
    arguments: str
    result: Result | None
    changes: tuple[str, ...]
    said: str
    waited: str
    refusal: str
    gate: story_gate.Decision | None = None


@dataclass(frozen=True, slots=True)
class Now:
    """What the lane is at while no call runs; `said` are the words that came since the last call."""

    text: str
    since_ms: int
    said: str = ""


@dataclass(frozen=True, slots=True)
class Ending:
    """The lane's last words: `kind` chooses the icon, `seq` is the event that wrote them.

    `said` are words of the agent that stand before them, where they are not the same.
    """

    kind: Literal["answer", "question", "declined", "withheld", "broken"]
    icon: str
    title: str
    text: str
    at: str
    seq: int
    said: str = ""


@dataclass(frozen=True, slots=True)
class LaneStory:
    letter: str
    css: str
    arm: str
    title: str
    short: str
    state: State
    message: str
    check: State
    stats: tuple[Stat, ...]
    menu: MenuStory
    steps: tuple[Step, ...]
    now: Now | None
    ending: Ending | None
    final: bool
    left_off: str = ""
    asks: tuple[story_gate.Card, ...] = ()

    @property
    def waiting(self) -> tuple[story_gate.Card, ...]:
        """What waits for a person now."""
        return tuple(card for card in self.asks if card.open)


def tell(lane: LaneLog, menu: MenuStory, clock: Clock) -> LaneStory:
    return LaneStory(
        letter=lane.letter,
        css=lane.css,
        arm=lane.arm,
        title=lane.arm_title,
        short=lane.arm_short,
        state=story_states.of_lane(lane.state),
        message=lane.message,
        check=lane.check,
        stats=tuple(_stats(lane, clock)),
        menu=menu,
        steps=tuple(_step(call, lane, clock) for call in lane.calls),
        now=_now(lane, clock),
        ending=_ending(lane, clock),
        final=lane.final,
        left_off=lane.words if lane.final and lane.answered is None else "",
        asks=story_gate.cards(lane.letter, lane.approvals, {call.id: call.dom_id for call in lane.calls}, clock),
    )


def _stats(lane: LaneLog, clock: Clock) -> Iterable[Stat]:
    usage = lane.usage or {}
    est = ", est." if usage.get("source") == "estimated" else ""
    yield Stat(_tokens(lane, usage.get("input_tokens")), f"input tokens{est}")
    yield Stat(_tokens(lane, usage.get("output_tokens")), f"output{est}")
    yield Stat(figures.count(lane.made), "tool call" if lane.made == 1 else "tool calls")
    working, waiting = lane.measured("agent_working_ms"), lane.measured("waiting_ms")
    if working is not None:
        yield _time(working / 1000, "working")
        if waiting:
            others = lane.measured("provider_wait_ms") or lane.measured("person_wait_ms")
            yield _time(waiting / 1000, "waiting" if others else "paused to watch")
    elif lane.began_at is not None:
        since = None if lane.ended_at or clock.stopped else round(lane.began_at.timestamp() * 1000)
        yield _time(clock.at(lane.ended_at or clock.now) - clock.at(lane.began_at), "elapsed", since)


def _tokens(lane: LaneLog, number: int | None) -> str:
    if number is None and lane.state == "withheld":
        return "0"
    return figures.count(number, at_least=lane.cut_short)


def _time(amount: float, label: str, since_ms: int | None = None) -> Stat:
    value, _, unit = figures.seconds(amount).partition(figures.GAP)
    return Stat(value, label, unit, since_ms)


def _step(call: Call, lane: LaneLog, clock: Clock) -> Step:
    running = call.ok is None and not lane.final and not clock.stopped
    return Step(
        dom_id=call.dom_id,
        number=call.number,
        seq=call.seq,
        changed_seq=max(call.end_seq or lane.ended_seq or call.seq, call.news_seq),
        at=figures.since_start(clock.at(call.at)),
        tool=call.tool,
        effect=call.effect,
        running_since_ms=round(call.at.timestamp() * 1000) if running else None,
        rejected=call.ok is False,
        took="" if call.duration_ms is None else figures.seconds(call.duration_ms / 1000),
        line=_line(call, running),
        note=str(call.thinking.get("note", "")),
        weighed=_weighed(call.thinking.get("candidates") or ()),
        arguments=call.raw if call.malformed else json.dumps(call.arguments, ensure_ascii=False, indent=1),
        result=_result(call),
        changes=tuple(_change(effect) for effect in call.effects),
        said=call.said,
        waited=_waited(call.waits),
        refusal="malformed" if call.malformed else "refused" if call.ok is False else "",
        gate=story_gate.decision(call.decided),
    )


def _waited(waits: Sequence[Mapping[str, Any]]) -> str:
    """What the agent waited for, in words: `waited 3.0 s: the provider asks for a pause (429)`."""
    return "; ".join(f"waited {figures.seconds(wait['seconds'])}: {wait['reason']}" for wait in waits)


def _weighed(candidates: Sequence[Sequence[Any]]) -> str:
    return ", ".join(f"{tool} {figures.probability(value)}" for tool, value in candidates[:5])


def _line(call: Call, running: bool) -> str:
    """One line under the tool's name: the refusal, or the first plain values of what came back."""
    if call.ok is None:
        return "" if running else "did not come back"
    text = ", ".join(_gist(call.content)) if call.ok else call.error
    return text if len(text) <= _LINE else text[: _LINE - 1].rstrip() + "…"


def _gist(content: Any) -> Iterable[str]:
    if not isinstance(content, Mapping):
        yield f"{len(content)} entries" if isinstance(content, list) else _flat(content)
        return
    shown = 0
    for name, value in content.items():
        if shown == 3:
            return
        if isinstance(value, list):
            yield f"{len(value)} {name.replace('_', ' ')}"
        elif _is_plain(value):
            yield _flat(value) if shown == 0 and isinstance(value, str) else f"{name.replace('_', ' ')} {_flat(value)}"
        else:
            continue
        shown += 1


def _is_plain(value: Any) -> bool:
    """A value that says something in a few words; longer texts are in the box below."""
    if isinstance(value, str):
        return 0 < len(value) <= 48 and "\n" not in value
    return isinstance(value, int | float)


def _flat(value: Any) -> str:
    text = " ".join(str(value).split()) if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 48 else text[:47].rstrip() + "…"


def _result(call: Call) -> Result | None:
    if call.ok is None:
        return None
    if not call.ok:
        return Result(call.error, "")
    raw = json.dumps(call.content, ensure_ascii=False).encode()
    total = figures.count(call.bytes if call.bytes is not None else len(raw))
    if len(raw) <= SHOWN_BYTES:
        return Result(json.dumps(call.content, ensure_ascii=False, indent=1), f"{total} bytes")
    cut = raw[:SHOWN_BYTES].decode(errors="ignore")
    return Result(cut, f"first {SHOWN_BYTES:,} of {total} bytes")


def _change(effect: Mapping[str, Any]) -> str:
    """An effect in words: `orders/LL-1 updated: status, note`."""
    word = {"create": "created", "update": "updated", "delete": "deleted"}[effect["op"]]
    names = ", ".join(effect["fields"]) if effect["op"] == "update" else ""
    return f"{effect['collection']}/{effect['id']} {word}" + (f": {names}" if names else "")


def _now(lane: LaneLog, clock: Clock) -> Now | None:
    if clock.stopped or lane.final or lane.thinking is None:
        return None
    if lane.thinking.kind == "call.started":
        return None
    said = "" if lane.answered is not None else lane.words
    return Now(_about(lane.thinking), round(lane.thinking.at.timestamp() * 1000), said)


def _about(event: Event) -> str:
    if event.kind == "step.waiting":
        return f"waiting {figures.seconds(event.payload['seconds'])}: {event.payload['reason']}"
    if event.kind == "lane.answered":
        return "answering"
    return str(event.payload.get("note") or "choosing the next step")


_ENDINGS: dict[str, tuple[Literal["answer", "question", "declined", "broken"], str, str]] = {
    "answered": ("answer", "answering", "answer"),
    "asked": ("question", "asking", "question"),
    "declined": ("declined", "void", "no tool fits"),
    "stopped": ("broken", "stopped", "stopped"),
    "limit": ("broken", "bad", "limit reached"),
}


def _ending(lane: LaneLog, clock: Clock) -> Ending | None:
    if lane.answered is not None:
        kind, icon, title = _ENDINGS[lane.answered.payload["ending"]]
        at = figures.since_start(clock.at(lane.answered.at))
        text = lane.answered.payload["text"]
        said = "" if lane.words in text else lane.words
        return Ending(kind, icon, title, text, at, lane.answered.seq, said)
    return None
