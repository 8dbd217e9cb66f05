"""What a lane keeps of an agent's events, of its times and of a provider that fails it."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

import pytest

from arena.agents import registry
from arena.agents.agent import (
    AgentEvent,
    AgentResult,
    Brief,
    Cancel,
    Ending,
    Rejected,
    Said,
    Thinking,
    Toolbox,
    Usage,
    Waiting,
)
from arena.models import Event, Run, RunState

Compare = Callable[..., Run]
USAGE = Usage(120, 40, cached_input_tokens=100, cache_write_tokens=None, reasoning_tokens=7)


class Talker:
    """Says, waits, is malformed once, calls once with arguments of its own, and ends as it was told."""

    name = "offline"
    label = "scripted"

    def __init__(self, arguments: dict[str, Any], **end: Any) -> None:
        self.arguments, self.end = arguments, end
        self.error: str | None = None

    def run(self, brief: Brief, toolbox: Toolbox, cancel: Cancel) -> Generator[AgentEvent, None, AgentResult]:
        yield Thinking(1, "")
        yield Said("I look.")
        yield Waiting(0.25, "the provider asks for a pause")
        yield Rejected("read_file", "{" * 5_000, "The arguments are no JSON object.")
        self.error = toolbox.call("read_file", self.arguments).error
        given = {"ending": Ending.ANSWERED, "text": "Done.", "stop_reason": "answered", "model": "m-2026", **self.end}
        return AgentResult(usage=USAGE, steps=1, first_token_ms=12.0, first_tool_ms=20.0, waiting_ms=250.0, **given)


@pytest.fixture
def talk(compare: Compare, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[Run, Talker]]:
    def run(arguments: dict[str, Any] | None = None, **end: Any) -> tuple[Run, Talker]:
        agent = Talker(arguments or {"path": "README.md"}, **end)
        monkeypatch.setitem(registry._agents, "offline", agent)
        return compare("patch", arms=["full"]), agent

    return run


Talk = Callable[..., tuple[Run, Talker]]


def payloads(run: Run, kind: str) -> list[dict[str, Any]]:
    return [event.payload for event in Event.objects.filter(run=run, kind=kind)]


def test_words_waits_and_malformed_calls_are_events(talk: Talk) -> None:
    run, _ = talk()
    assert payloads(run, "step.said") == [{"step": 1, "text": "I look."}]
    assert payloads(run, "step.waiting") == [{"step": 1, "seconds": 0.25, "reason": "the provider asks for a pause"}]
    (rejected,) = payloads(run, "call.rejected")
    assert len(rejected["arguments"]) == 2_000
    assert len(payloads(run, "call.started")) == 1


def test_every_kind_of_token_and_the_answering_model_are_kept(talk: Talk) -> None:
    run, _ = talk()
    assert payloads(run, "lane.usage")[-1] == USAGE.to_json()
    assert payloads(run, "lane.answered")[0]["model"] == "m-2026"


def test_times_of_first_word_and_call_are_kept_and_waiting_is_not_working(talk: Talk) -> None:
    run, _ = talk()
    measured = run.lanes.get().metrics["measured"]
    assert (measured["first_token_ms"]["value"], measured["first_tool_ms"]["value"]) == (12.0, 20.0)
    assert measured["waiting_ms"]["value"] >= measured["provider_wait_ms"]["value"] == 250.0
    assert run.lanes.get().metrics["working_ms"] >= 0


def test_a_provider_that_fails_fails_the_lane_with_its_sentence_and_whose_fault_it_was(talk: Talk) -> None:
    run, _ = talk(ending=Ending.FAILED, text="The provider broke off.", fault="provider", code="disconnected")
    lane = run.lanes.get()
    assert (lane.state, lane.message, run.state) == ("failed", "The provider broke off.", RunState.FAILED)
    (failed,) = payloads(run, "agent.failed")
    assert (failed["fault"], failed["code"]) == ("provider", "disconnected")
    assert payloads(run, "lane.answered") == []
    assert lane.metrics["usage"]["input_tokens"] == 120
    measured = lane.metrics["measured"]
    assert (measured["agent_input_tokens"]["at_least"], measured["first_token_ms"]["at_least"]) == (True, False)


def test_arguments_outside_the_schema_are_refused_before_the_tool_is_reached(talk: Talk) -> None:
    run, agent = talk({"path": "README.md", "colour": "red"})
    (finished,) = payloads(run, "call.finished")
    assert finished["ok"] is False
    assert agent.error == finished["error"]
    assert "colour" in finished["error"]
