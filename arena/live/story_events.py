"""The events of a run sorted out: what each lane did, what the judge was asked, nothing interpreted yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from arena.live import story_clock, story_states
from arena.models import LANE_FINAL, RUN_FINAL, Arm, Event, Lane, LaneState


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a lane; `ok` is None while it has not come back.

    `said` are the words before it, `waits` what the agent waited for before it. A `malformed` one reached no tool:
    `raw` is the text of its arguments. `decided` is what the gate said, `news_seq` the last news of it and of a person.
    """

    letter: str
    number: int
    seq: int
    at: datetime
    tool: str
    effect: str
    arguments: Mapping[str, Any]
    thinking: Mapping[str, Any]
    end_seq: int | None = None
    ended_at: datetime | None = None
    ok: bool | None = None
    content: Any = None
    error: str = ""
    bytes: int | None = None
    duration_ms: float | None = None
    effects: tuple[Mapping[str, Any], ...] = ()
    said: str = ""
    waits: tuple[Mapping[str, Any], ...] = ()
    malformed: bool = False
    raw: str = ""
    id: int = 0
    decided: Mapping[str, Any] | None = None
    news_seq: int = 0

    @property
    def dom_id(self) -> str:
        return f"step-{self.letter.lower()}-{self.number}"


@dataclass(frozen=True, slots=True)
class LaneLog:
    """A lane as its own events tell it; `metrics` are the measured figures, kept once the run has settled;
    `prices` says where those of its costs are from.

    `checked` is None before the check, and for good where the lane did not come to an end of its own. `words` and
    `waits` are what came after the last call: what the agent is saying, and waiting for, now.
    """

    letter: str
    arm: str
    state: str
    message: str
    menu: tuple[Mapping[str, Any], ...] | None
    menu_of: int | None
    calls: tuple[Call, ...]
    usage: Mapping[str, Any] | None
    answered: Event | None
    checked: Mapping[str, Any] | None
    began_at: datetime | None
    ended_at: datetime | None
    ended_seq: int | None
    thinking: Event | None
    settled: bool
    metrics: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    prices: Mapping[str, str] = field(default_factory=dict)
    words: str = ""
    waits: tuple[Mapping[str, Any], ...] = ()
    approvals: tuple[Event, ...] = ()
    gate: str = ""

    @property
    def made(self) -> int:
        """Calls that reached the toolbox."""
        return sum(not call.malformed for call in self.calls)

    @property
    def css(self) -> str:
        return story_states.lane_class(self.letter)

    @property
    def arm_short(self) -> str:
        return story_states.ARM_SHORT[Arm(self.arm)]

    @property
    def arm_title(self) -> str:
        gate = f", gate {'off' if self.gate == 'off' else self.gate + 's'}" if self.gate else ""
        return f"{Arm(self.arm).label}{gate}"

    @property
    def final(self) -> bool:
        return self.state in LANE_FINAL

    @property
    def check(self) -> story_states.State:
        """A lane that came to its own end without a check has none; any other has not finished."""
        whole = self.state in (LaneState.COMPLETED, LaneState.WITHHELD)
        return story_states.of_check(self.checked["passed"] if self.checked else None, ended=self.settled and not whole)

    @property
    def cut_short(self) -> bool:
        """Whether what was counted is a lower bound: the lane goes on, or did not come to its own end."""
        limit = self.answered is not None and self.answered.payload["ending"] == "limit"
        return limit or self.state not in (LaneState.COMPLETED, LaneState.WITHHELD)

    def measured(self, name: str) -> float | None:
        """A measured figure; None where unknown or not measured yet."""
        return self.metrics.get(name, {}).get("value")


@dataclass(frozen=True, slots=True)
class Asked:
    """One request to the judge with what became of it."""

    seq: int
    at: datetime
    stage: str
    judge: str
    request: Any
    bytes: int
    digest: str
    ended_at: datetime | None = None
    reply: Mapping[str, Any] | None = None
    failure: Mapping[str, Any] | None = None

    @property
    def latency_s(self) -> float | None:
        return None if self.reply is None else self.reply["latency_ms"] / 1000


def requests(events: Sequence[Event]) -> tuple[Asked, ...]:
    """Requests and replies in pairs: a judge is asked one thing after the other."""
    asked: list[Asked] = []
    for event in events:
        payload = event.payload
        if event.kind == "judge.asked":
            given = {name: payload[name] for name in ("stage", "judge", "request", "bytes", "digest")}
            asked.append(Asked(seq=event.seq, at=event.at, **given))
        elif event.kind in ("judge.answered", "judge.failed") and asked:
            open_ = next((n for n, each in enumerate(asked) if _waits(each, payload["stage"])), len(asked) - 1)
            reply = payload if event.kind == "judge.answered" else None
            failure = None if reply else payload
            asked[open_] = replace(asked[open_], ended_at=event.at, reply=reply, failure=failure)
    return tuple(asked)


def _waits(asked: Asked, stage: str) -> bool:
    return asked.ended_at is None and asked.stage == stage


def decided(events: Sequence[Event]) -> Mapping[str, Any] | None:
    """The decision of the routing, None before it or where no judge was asked."""
    return next((event.payload for event in events if event.kind == "routing.decided"), None)


def lane_log(lane: Lane, events: Sequence[Event]) -> LaneLog:
    """The log of one lane from the run's events in order."""
    own = [event for event in events if event.lane_id == lane.pk]
    last = {event.kind: event for event in own}
    states = [event for event in own if event.kind == "lane.state"]
    state = states[-1].payload if states else {"state": "waiting"}
    menu = last["lane.menu"].payload if "lane.menu" in last else None
    began = next((event.at for event in reversed(states) if event.payload["state"] == "starting"), None)
    ended = states[-1].at if states and state["state"] in LANE_FINAL else None
    settled = story_clock.state(events) in RUN_FINAL
    calls, rest = _calls(lane.letter, own)
    calls = tuple(_gated(call, own) for call in calls)
    return LaneLog(
        letter=lane.letter,
        arm=lane.arm,
        state=state["state"],
        message=state.get("message", ""),
        menu=None if menu is None else tuple(menu["tools"]),
        menu_of=None if menu is None else menu["of"],
        calls=calls,
        words=rest.words,
        waits=tuple(rest.waits),
        usage=last["lane.usage"].payload if "lane.usage" in last else None,
        answered=last.get("lane.answered"),
        checked=last["lane.checked"].payload if "lane.checked" in last else None,
        settled=settled,
        began_at=began,
        ended_at=ended,
        ended_seq=states[-1].seq if ended else None,
        thinking=next((event for event in reversed(own) if event.kind in _BUSY), None),
        metrics=lane.metrics.get("measured", {}) if settled else {},
        approvals=tuple(event for event in own if event.kind.startswith("approval.")),
        prices=lane.metrics.get("prices", {}),
    )


_BUSY = ("step.thinking", "step.waiting", "call.started", "call.finished", "call.rejected", "lane.answered")


@dataclass(slots=True)
class _Before:
    """What an agent said and waited for since its last call."""

    said: list[str] = field(default_factory=list)
    waits: list[Mapping[str, Any]] = field(default_factory=list)

    @property
    def words(self) -> str:
        return "".join(self.said).strip()


def _calls(letter: str, own: Sequence[Event]) -> tuple[tuple[Call, ...], _Before]:
    """The calls in order, each with what came before it, and what came after the last one."""
    ends = {event.payload["call"]: event for event in own if event.kind == "call.finished"}
    thoughts = {event.payload["step"]: event.payload for event in own if event.kind == "step.thinking"}
    calls: list[Call] = []
    before = _Before()
    for event in own:
        if event.kind == "step.said":
            before.said.append(event.payload["text"])
        elif event.kind == "step.waiting":
            before.waits.append(event.payload)
        elif event.kind in ("call.started", "call.rejected"):
            number = len(calls) + 1
            started = event.kind == "call.started"
            call = _call(letter, number, event, ends, thoughts) if started else _malformed(letter, number, event)
            calls.append(replace(call, said=before.words, waits=tuple(before.waits)))
            before = _Before()
    return tuple(calls), before


def _gated(call: Call, own: Sequence[Event]) -> Call:
    """The call with what the gate and a person said about it."""
    if call.malformed:
        return call
    news = [event for event in own if event.kind in _NEWS and event.payload["call"] == call.id]
    said = next((event.payload for event in reversed(news) if event.kind == "gate.decided"), None)
    return replace(call, decided=said, news_seq=news[-1].seq if news else 0)


_NEWS = ("gate.decided", "approval.asked", "approval.answered", "approval.closed")


def _malformed(letter: str, number: int, event: Event) -> Call:
    given = event.payload
    return Call(
        letter=letter,
        number=number,
        seq=event.seq,
        at=event.at,
        tool=given["tool"],
        effect="",
        arguments={},
        thinking={},
        end_seq=event.seq,
        ended_at=event.at,
        ok=False,
        error=given["error"],
        malformed=True,
        raw=given["arguments"],
    )


def _call(
    letter: str, number: int, start: Event, ends: Mapping[Any, Event], thoughts: Mapping[Any, Mapping[str, Any]]
) -> Call:
    given = start.payload
    end = ends.get(given["call"])
    came = {} if end is None else end.payload
    return Call(
        letter=letter,
        number=number,
        seq=start.seq,
        at=start.at,
        tool=given["tool"],
        effect=given["effect"],
        arguments=given["arguments"],
        thinking=thoughts.get(given["step"], {}),
        end_seq=None if end is None else end.seq,
        ended_at=None if end is None else end.at,
        ok=came.get("ok"),
        content=came.get("content"),
        error=came.get("error") or "",
        bytes=came.get("bytes"),
        duration_ms=came.get("duration_ms"),
        effects=tuple(came.get("effects") or ()),
        id=given["call"],
    )
