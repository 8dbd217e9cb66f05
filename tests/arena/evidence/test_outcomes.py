"""Faults planted in the events of a lane, each booked in its column; far sides and fixtures are planted elsewhere."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena import events as closed
from arena.evidence import outcomes
from arena.evidence.outcomes import Circumstances, Column, booked
from arena.evidence.statistics.pairs import Void

NEEDS = Circumstances(needed=frozenset({"get_order", "refund"}), recall=True)
Line = tuple[str, dict[str, Any]]


@dataclass(frozen=True)
class Event:
    seq: int
    kind: str
    payload: dict[str, Any] = field(default_factory=dict)


def told(*lines: Line) -> list[Event]:
    """The lines as events, each sound by the closed set."""
    for kind, payload in lines:
        assert closed.problem(kind, payload, next(iter(closed.KINDS[kind].emitters))) is None
    return [Event(seq, kind, payload) for seq, (kind, payload) in enumerate(lines, 1)]


def state(name: str, message: str = "") -> Line:
    return "lane.state", {"state": name, "message": message}


def called(tool: str, number: int = 1, *, ok: bool = True, **more: Any) -> Line:
    return "call.finished", {"step": number, "call": number, "tool": tool, "ok": ok, "duration_ms": 1.0, **more}


def checked(passed: bool) -> Line:
    return "lane.checked", {
        "passed": passed,
        "items": [{"title": "The refund is booked", "passed": passed, "got": "-"}],
    }


def decided(action: str, tool: str = "refund", *, rule: str = "assessment.violates", applied: bool = True) -> Line:
    said = {"call": 2, "tool": tool, "action": action, "rule": rule, "reason": "0.9 is at least 0.5"}
    return "gate.decided", {**said, "mode": "enforce", "applied": applied, "latency_ms": 1.0}


def broke(tool: str = "refund", number: int = 2) -> Line:
    return called(tool, number, ok=False, error="The server went away.", fault="tool")


MENU: Line = ("lane.menu", {"tools": [], "of": 20})
WRONG: tuple[Line, ...] = (state("completed"), checked(False))
FIVE_HUNDRED: Line = ("agent.failed", {"fault": "provider", "code": "server", "message": "It answered 500."})
OWN_FAULT: Line = ("agent.failed", {"fault": "host", "code": "key", "message": "There is no key."})
STOP: Line = ("run.stop_requested", {"by": "maria"})
ANSWERED = {"approval": "x", "call": 2, "by": "maria"}


def routing(outcome: str) -> Line:
    return "routing.decided", {"outcome": outcome, "rule": "r", "selection": {}}


def judge_failed(code: str) -> Line:
    return "judge.failed", {"judge": "typesafe", "stage": "pick", "code": code, "message": "No usable reply."}


PLANTED: dict[str, tuple[Column, tuple[Line, ...]]] = {
    "the agent does something else": (Column.AGENT, (MENU, called("get_order"), *WRONG)),
    "a malformed call is no abstention": (
        Column.AGENT,
        (MENU, ("call.rejected", {"step": 1, "tool": "refund", "arguments": "{", "error": "no JSON"}), *WRONG),
    ),
    "the tool refuses the agent's arguments": (Column.AGENT, (MENU, called("refund", ok=False, error="x"), *WRONG)),
    "a tool that is not needed breaks": (Column.AGENT, (MENU, broke("search"), *WRONG)),
    "a tool that breaks works at the second try": (Column.AGENT, (MENU, broke(), called("refund", 3), *WRONG)),
    "a needed tool breaks": (Column.TOOL, (MENU, broke(), *WRONG)),
    "the gate denies a needed call": (Column.GATE, (MENU, decided("deny"), *WRONG)),
    "the gate asks and nobody is there": (Column.GATE, (MENU, decided("ask"), *WRONG)),
    "the gate denies in shadow": (Column.AGENT, (MENU, decided("deny", applied=False), *WRONG)),
    "the gate denies what is not needed": (Column.AGENT, (MENU, decided("deny", "erase"), *WRONG)),
    "the gate ends a loop": (Column.AGENT, (MENU, decided("deny", rule="gate.loop"), *WRONG)),
    "a person denies a needed call": (
        Column.PERSON,
        (MENU, decided("ask"), ("approval.answered", {**ANSWERED, "answer": "denied"}), *WRONG),
    ),
    "a person approves it": (
        Column.AGENT,
        (MENU, decided("ask"), ("approval.answered", {**ANSWERED, "answer": "approved"}), *WRONG),
    ),
    "the provider answers 500": (Column.PROVIDER, (MENU, FIVE_HUNDRED, state("failed"))),
    "this site has no key": (Column.HARNESS, (MENU, OWN_FAULT, state("failed"))),
    "it breaks in our own code": (Column.HARNESS, (MENU, state("failed"))),
    "its worker is lost": (Column.HARNESS, (MENU, state("working"), state("abandoned"))),
    "its check does not run": (Column.HARNESS, (MENU, state("completed"))),
    "a person stops it": (Column.PERSON, (MENU, STOP, state("stopped"))),
    "its worker does not confirm a stop": (Column.PERSON, (MENU, STOP, state("abandoned"))),
    "the judge finds no tool": (Column.SELECTOR, (routing("no_match"), state("withheld"), checked(False))),
    "the judge's provider is away": (
        Column.PROVIDER,
        (judge_failed("TIMEOUT"), routing("unavailable"), state("withheld"), checked(False)),
    ),
    "the judge's key is wrong": (
        Column.HARNESS,
        (judge_failed("AUTHENTICATION"), routing("unavailable"), state("withheld"), checked(False)),
    ),
    "the judge's reply breaks the contract": (
        Column.SELECTOR,
        (judge_failed("INVALID_RESPONSE"), routing("unavailable"), state("withheld"), checked(False)),
    ),
    # Two faults: what broke the lane off, else the earlier one.
    "a tool breaks, then a person stops": (Column.PERSON, (MENU, broke(), STOP, state("stopped"))),
    "the gate denies, then the provider answers 500": (
        Column.PROVIDER,
        (MENU, decided("deny"), FIVE_HUNDRED, state("failed")),
    ),
    "a tool breaks, then the gate denies": (Column.TOOL, (MENU, broke("get_order"), decided("deny"), *WRONG)),
    "the gate denies, then a tool breaks": (Column.GATE, (MENU, decided("deny"), broke("get_order", 3), *WRONG)),
}


@pytest.mark.parametrize(("column", "lines"), PLANTED.values(), ids=PLANTED)
def test_a_fault_lands_in_its_column(column: Column, lines: tuple[Line, ...]) -> None:
    found = booked(told(*lines), NEEDS)
    assert found is not None
    assert found.column == column


def test_a_menu_without_what_is_needed_is_the_selectors() -> None:
    found = booked(told(MENU, broke(), *WRONG), Circumstances(NEEDS.needed, recall=False))
    assert found is not None
    assert (found.column, found.cause.seq) == (Column.SELECTOR, 1)
    assert [cause.column for cause in found.others] == [Column.TOOL]


def test_a_case_marked_as_faulty_takes_the_blame_from_all() -> None:
    found = booked(told(MENU, decided("deny"), *WRONG), Circumstances(NEEDS.needed, recall=True, faulty=True))
    assert found is not None
    assert [found.column, *(cause.column for cause in found.others)] == [Column.CASE, Column.GATE]


def test_a_control_that_has_no_menu_blames_no_judge() -> None:
    found = booked(told(routing("no_match"), state("withheld")), Circumstances(control=True))
    assert found is not None
    assert found.column == Column.HARNESS


@pytest.mark.parametrize("lines", [(MENU, *(state("completed"), checked(True))), (state("withheld"), checked(True))])
def test_what_the_case_wants_is_not_booked(lines: tuple[Line, ...]) -> None:
    assert booked(told(*lines), NEEDS) is None


def test_a_lane_that_still_works_is_not_booked() -> None:
    assert booked(told(MENU, state("working")), NEEDS) is None
    assert booked([], NEEDS) is None


def test_the_reason_names_what_the_check_missed() -> None:
    found = booked(told(MENU, *WRONG), NEEDS)
    assert found is not None
    assert found.cause.reason == "did not do what the case wants: The refund is booked"


def test_a_pair_is_void_only_where_no_arm_is_to_blame() -> None:
    agent, provider, person = (
        booked(told(*PLANTED[name][1]), NEEDS)
        for name in ("the agent does something else", "the provider answers 500", "a person stops it")
    )
    assert outcomes.void(None, agent) is None
    assert outcomes.void(agent, provider) == Void("b", "B: provider, It answered 500.")
    both = outcomes.void(person, provider)
    assert both is not None
    assert both.broke == "both"


@given(st.lists(st.sampled_from(sorted(PLANTED)), max_size=40), st.integers(0, 9))
def test_the_columns_sum_to_the_lanes(names: list[str], passed: int) -> None:
    lanes = [booked(told(*PLANTED[name][1]), NEEDS) for name in names] + [None] * passed
    counted = outcomes.tally(lanes)
    assert sum(counted.values()) == len(lanes)
    assert counted["as the case wants"] == passed
    for column in Column:
        assert counted[column] == sum(PLANTED[name][0] == column for name in names)
