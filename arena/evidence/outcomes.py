"""The outcome ledger: a lane that ended badly is booked once, to the one whose fault it was, from its events alone.

A lane that broke off is booked to what broke it off. One that came to an end of its own and failed its check is booked
to the earliest cause that its events show, and to the agent where they show none. What else went wrong stays beside it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from arena.evidence.statistics.pairs import Void


class Column(StrEnum):
    AGENT = "agent"
    SELECTOR = "selector"
    GATE = "gate"
    TOOL = "tool"
    PROVIDER = "provider"
    HARNESS = "harness"
    PERSON = "person"
    CASE = "case"

    @property
    def void(self) -> bool:
        """Whether no arm can influence it, so that its pair does not count. A broken tool does: arms choose tools."""
        return self in _VOID


_VOID = frozenset({Column.PROVIDER, Column.HARNESS, Column.PERSON, Column.CASE})
# What a judge's failure says of whom: its provider, this site, or else the reply that no selection could be made of.
_PROVIDER = frozenset({"RATE_LIMIT", "SERVER", "TIMEOUT", "CONNECTION"})
_HARNESS = frozenset({"AUTHENTICATION", "PERMISSION", "NOT_FOUND", "INVALID_CONFIG", "OFF", "ABORTED", "UNKNOWN"})
# A gate that stops these stops the agent's own mistake.
_AGENTS_RULES = ("gate.no-such-tool", "gate.malformed-arguments", "gate.loop")
_FINAL = frozenset({"completed", "failed", "stopped", "abandoned", "withheld"})


class Told(Protocol):
    """An event as stored: its number within the run, its kind and what it carries."""

    @property
    def seq(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def payload(self) -> Mapping[str, Any]: ...


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What the events of a lane do not carry.

    `needed` are the tools of the case's acceptable sets with their prerequisites; `recall` says whether one set is
    complete in the menu, None where the case needs none. A `control` has no judge to blame; `faulty` is a mark.
    """

    needed: frozenset[str] = frozenset()
    recall: bool | None = None
    control: bool = False
    faulty: bool = False


@dataclass(frozen=True, slots=True)
class Cause:
    column: Column
    seq: int
    reason: str


@dataclass(frozen=True, slots=True)
class Booking:
    """One line of the ledger: `cause` with the event that shows it, and other causes in their order."""

    cause: Cause
    others: tuple[Cause, ...] = ()

    @property
    def column(self) -> Column:
        return self.cause.column


def booked(events: Sequence[Told], given: Circumstances) -> Booking | None:
    """None for a lane that did what its case wants or has not ended.

    `events` are those of the lane and of its run as a whole (judge, stop), in the order of their numbers; what other
    lanes did is not among them.
    """
    state = _last(events, "lane.state")
    if state is None or state.payload["state"] not in _FINAL:
        return None
    check = _last(events, "lane.checked")
    if check is not None and check.payload["passed"] and state.payload["state"] in ("completed", "withheld"):
        return None
    broke = _broke_off(events, state, given) or ([_unchecked(state)] if check is None else [])
    marked = [Cause(Column.CASE, state.seq, "the case is marked as faulty")] if given.faulty else []
    flaws = sorted(_flaws(events, given), key=lambda cause: cause.seq)
    agent = Cause(Column.AGENT, (check or state).seq, _failed_items(check))
    causes = [*marked, *broke, *flaws]
    return Booking(causes[0], tuple(causes[1:])) if causes else Booking(agent)


def tally(bookings: Iterable[Booking | None]) -> dict[str, int]:
    """Lanes by column, with `as the case wants` for the rest: the numbers sum to the lanes that were given."""
    counts = Counter("as the case wants" if one is None else one.column.value for one in bookings)
    return {name: counts[name] for name in ("as the case wants", *Column)}


def void(a: Booking | None, b: Booking | None) -> Void | None:
    """Whether a pair of lanes counts for nothing, which arm broke, and why."""
    broken = {arm: one for arm, one in (("a", a), ("b", b)) if one is not None and one.column.void}
    if not broken:
        return None
    reason = "; ".join(f"{arm.upper()}: {one.column.value}, {one.cause.reason}" for arm, one in broken.items())
    return Void("both" if len(broken) == 2 else "a" if "a" in broken else "b", reason)


def _broke_off(events: Sequence[Told], state: Told, given: Circumstances) -> list[Cause]:
    """What ended a lane that came to no end of its own."""
    name, message = state.payload["state"], state.payload.get("message", "")
    asked = _last(events, "run.stop_requested")
    if name == "stopped" or (name == "abandoned" and asked is not None):
        # A stop that its worker did not confirm in time leaves the lane abandoned: the person came first.
        return [Cause(Column.PERSON, (asked or state).seq, message or "stopped by a person")]
    if name == "abandoned":
        return [Cause(Column.HARNESS, state.seq, message or "its worker was lost")]
    if name == "failed":
        failed = _last(events, "agent.failed")
        if failed is None:
            return [Cause(Column.HARNESS, state.seq, message or "it broke in our own code")]
        column = Column.PROVIDER if failed.payload["fault"] == "provider" else Column.HARNESS
        return [Cause(column, failed.seq, failed.payload["message"])]
    return [_withheld(events, state, given)] if name == "withheld" else []


def _withheld(events: Sequence[Told], state: Told, given: Circumstances) -> Cause:
    message = state.payload.get("message", "") or "its menu was withheld"
    decided = _last(events, "routing.decided")
    failed = _last(events, "judge.failed")
    if failed is not None and decided is not None and decided.payload["outcome"] == "unavailable":
        code = failed.payload["code"]
        column = Column.PROVIDER if code in _PROVIDER else Column.HARNESS if code in _HARNESS else Column.SELECTOR
        return Cause(column, failed.seq, failed.payload["message"])
    return Cause(Column.HARNESS if given.control else Column.SELECTOR, state.seq, message)


def _flaws(events: Sequence[Told], given: Circumstances) -> Iterable[Cause]:
    """What stood in the way of a lane that worked on: its menu, a tool that broke, a call that was not let through."""
    menu = _last(events, "lane.menu")
    if given.recall is False and menu is not None:
        yield Cause(Column.SELECTOR, menu.seq, "no set of tools that is enough was in the menu")
    done = {
        event.payload["tool"]: event.seq for event in events if event.kind == "call.finished" and event.payload["ok"]
    }
    for event in events:
        tool = event.payload.get("tool")
        if tool not in given.needed or done.get(str(tool), 0) > event.seq:
            continue
        if event.kind == "call.finished" and event.payload.get("fault") == "tool":
            yield Cause(Column.TOOL, event.seq, f"{tool} broke: {event.payload.get('error', 'no reason given')}")
        elif event.kind == "gate.decided" and (cause := _stopped(event, events)):
            yield cause


def _stopped(decision: Told, events: Sequence[Told]) -> Cause | None:
    """Who kept a needed call from being carried out, where the gate's decision was more than a record."""
    said = decision.payload
    if not said["applied"] or said["action"] == "allow" or _agents_own(said["rule"]):
        return None
    reason = f"{said['tool']} was not let through by {said['rule']}: {said['reason']}"
    if said["action"] == "ask":
        answers = [one for one in events if one.kind == "approval.answered" and one.payload["call"] == said["call"]]
        if answers:
            denied = answers[-1].payload["answer"] != "approved"
            return Cause(Column.PERSON, answers[-1].seq, f"a person denied {said['tool']}") if denied else None
    return Cause(Column.GATE, decision.seq, reason)


def _agents_own(rule: str) -> bool:
    return rule in _AGENTS_RULES


def _unchecked(state: Told) -> Cause:
    return Cause(Column.HARNESS, state.seq, "the automatic check did not run")


def _failed_items(check: Told | None) -> str:
    items: Collection[Mapping[str, Any]] = check.payload["items"] if check is not None else ()
    failed = [str(item["title"]) for item in items if not item["passed"]]
    return f"did not do what the case wants: {'; '.join(failed)}" if failed else "did not do what the case wants"


def _last(events: Sequence[Told], kind: str) -> Told | None:
    return next((event for event in reversed(events) if event.kind == kind), None)
