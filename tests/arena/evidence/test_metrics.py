"""Metrics: unknown is never 0, a sum of parts says so, what was cut short is a lower bound."""

from __future__ import annotations

from typing import Any

import pytest

from arena.evidence import metrics
from arena.evidence.lane import CallRecord
from arena.models import Event, Lane

USED = {
    "usage": {"input_tokens": 100, "output_tokens": 10, "source": "estimated"},
    "working_ms": 50.0,
    "waiting_ms": 0.0,
}
ASKED = {"judge": "local", "stage": "pick", "request": {}, "bytes": 2, "digest": "d"}


def lane(**fields: Any) -> Lane:
    return Lane(**{"position": 1, "arm": "selected", "state": "completed", "menu": [{}], "metrics": USED, **fields})


def event(kind: str, **payload: Any) -> Event:
    return Event(kind=kind, payload=payload)


def answered(**more: Any) -> Event:
    said = {"latency_ms": 20.0, "input_tokens": 40, "output_tokens": 4, "token_source": "estimated"}
    return event("judge.answered", **(said | more))


def measured(one: Lane, judge: metrics.JudgeUsage, **more: Any) -> dict[str, metrics.Metric]:
    return metrics.lane_metrics(one, (), judge, **{"recall": True, "passed": True, **more})


JUDGE = metrics.judge_usage([event("judge.asked", **ASKED), answered()])


@pytest.mark.parametrize(
    ("arm", "tokens", "time"), [("selected", 140, 70.0), ("shadow", 100, 50.0), ("full", 100, 50.0)]
)
def test_only_the_selected_lane_pays_for_the_judge(arm: str, tokens: int, time: float) -> None:
    found = measured(lane(arm=arm), JUDGE)
    assert (found["input_tokens"].value, found["working_ms"].value) == (tokens, time)


def test_a_request_without_a_reply_makes_the_sum_unknown_and_the_time_a_lower_bound() -> None:
    usage = metrics.judge_usage([event("judge.asked", **ASKED), answered(), event("judge.asked", **ASKED)])
    found = measured(lane(), usage)
    assert (found["input_tokens"].value, found["input_tokens"].reason != "") == (None, True)
    assert (found["judge_ms"].value, found["judge_ms"].at_least) == (20.0, True)


def test_the_time_of_a_failed_request_counts() -> None:
    failed = event("judge.failed", judge="local", stage="pick", code="TIMEOUT", message="", latency_ms=300.0)
    usage = metrics.judge_usage([event("judge.asked", **ASKED), failed])
    assert (usage.latency_ms, usage.timed, usage.input_tokens) == (300.0, True, None)


def test_a_withheld_lane_has_a_known_nothing_and_pays_for_the_judge() -> None:
    found = measured(lane(state="withheld", menu=[], metrics={}), JUDGE)
    assert (found["agent_input_tokens"].value, found["input_tokens"].value) == (0, 40)
    assert not found["input_tokens"].at_least


def test_a_lane_that_was_cut_short_has_lower_bounds() -> None:
    found = measured(lane(state="abandoned", message="lost"), JUDGE, passed=None)
    assert found["input_tokens"].at_least
    assert (found["success"].value, found["success"].reason) == (None, "the lane is abandoned: lost")
    assert not found["tools_exposed"].at_least


def test_a_lane_that_never_had_a_menu_has_no_recall() -> None:
    found = measured(lane(state="stopped", menu=None, metrics={}), metrics.NO_JUDGE, recall=None, passed=None)
    assert (found["recall_at_menu"].value, found["recall_at_menu"].reason) == (None, "the lane is stopped")
    assert found["input_tokens"].value is None


def test_a_call_that_never_came_back_was_not_refused() -> None:
    calls = (CallRecord("a", {}, None), CallRecord("b", {}, False), CallRecord("c", {}, True))
    found = metrics.lane_metrics(lane(), calls, JUDGE, recall=None, passed=True)
    assert (found["tool_calls"].value, found["rejected_calls"].value) == (3, 1)
