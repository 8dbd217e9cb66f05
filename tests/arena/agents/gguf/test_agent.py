"""The loop around the model: one step at a time, a second try, limits, a stop between letters, reported usage."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import Any

import pytest

from arena.agents.agent import (
    AgentEvent,
    AgentResult,
    Brief,
    CallOutcome,
    Cancel,
    Ending,
    Limits,
    Progress,
    Rejected,
    Said,
    Thinking,
    Toolbox,
)
from arena.agents.gguf.agent import Gguf, steps
from arena.agents.gguf.model import ModelFailed, ModelSlow, Written
from tests.arena.agents.desk import ERASE, FIND, OPEN, TOOLS, Desk, StopAfter
from tests.arena.agents.gguf.scripted import ScriptedModel

TASK = "Open the page a/b.md."
TWO = "Open the page a/b.md and then erase the page a/c.md."


def call(tool: str, **arguments: Any) -> str:
    return json.dumps({"tool": tool, "arguments": arguments})


OPENED = call("open_page", path="a/b.md")


def finish(
    model: ScriptedModel,
    task: str = TASK,
    toolbox: Toolbox | None = None,
    cancel: Cancel | None = None,
    **brief: Any,
) -> tuple[AgentResult, list[AgentEvent]]:
    work = Gguf(model).run(Brief(task, brief.pop("menu", TOOLS), **brief), toolbox or Desk(), cancel or StopAfter())
    events: list[AgentEvent] = []
    while True:
        try:
            events.append(next(work))
        except StopIteration as stop:
            result: AgentResult = stop.value
            return result, events


def test_a_step_is_one_call_and_then_comes_the_answer_in_words() -> None:
    desk, model = Desk(), ScriptedModel(OPENED, "Breakfast is at 7. " * 12)
    result, events = finish(model, toolbox=desk)
    assert desk.calls == [("open_page", {"path": "a/b.md"})]
    assert (result.ending, result.model, result.steps) == (Ending.ANSWERED, "Scripted 1M", 1)
    assert [schema is None for _, schema in model.asked] == [False, True]
    said = [event.text for event in events if isinstance(event, Said)]
    assert "".join(said).strip() == result.text
    assert len(said) < 5


def test_the_steps_of_a_task_are_done_one_at_a_time_with_what_came_before() -> None:
    desk = Desk()
    model = ScriptedModel(OPENED, call("erase_page", path="a/c.md"), "Done.")
    finish(model, TWO, desk)
    assert desk.tools == ["open_page", "erase_page"]
    second = model.asked[1][0][-1]["content"]
    assert "erase the page a/c.md" in second.partition("Do only this step now:")[2]
    assert "dinner at 19" in second


def test_every_arm_reads_the_same_but_for_its_menu() -> None:
    wide, narrow = ScriptedModel(OPENED, "Done."), ScriptedModel(OPENED, "Done.")
    finish(wide, menu=TOOLS)
    finish(narrow, menu=(OPEN,))
    (wide_system, wide_user), (narrow_system, narrow_user) = wide.asked[0][0], narrow.asked[0][0]
    assert wide_user == narrow_user
    assert wide_system["content"].partition("Menu:")[0] == narrow_system["content"].partition("Menu:")[0]
    assert "erase_page" not in narrow_system["content"]


def test_usage_is_the_sum_of_what_the_server_reported() -> None:
    result, events = finish(ScriptedModel(OPENED, "Done."))
    assert (result.usage.input_tokens, result.usage.cached_input_tokens, result.usage.output_tokens) == (200, 120, 18)
    assert result.usage.source == "reported"
    assert [event.usage for event in events if isinstance(event, Progress)][-1] == result.usage


def test_usage_that_was_not_reported_once_is_unknown() -> None:
    result, _ = finish(ScriptedModel(OPENED, Written("Done.", input_tokens=5, output_tokens=1)))
    assert (result.usage.input_tokens, result.usage.cached_input_tokens) == (105, None)


def test_a_refused_call_is_tried_once_more_with_the_refusal_in_front() -> None:
    def refuse(arguments: Mapping[str, Any]) -> Any:
        if arguments["path"] == "x":
            raise ValueError("There is no page x.")
        return {"text": "breakfast"}

    desk, model = Desk(open_page=refuse), ScriptedModel(call("open_page", path="x"), OPENED, "At 7.")
    result, _ = finish(model, toolbox=desk)
    assert "was refused: There is no page x." in model.asked[1][0][-1]["content"]
    assert (result.ending, result.steps) == (Ending.ANSWERED, 2)


def test_what_cannot_be_read_is_rejected_and_never_called() -> None:
    desk, model = Desk(), ScriptedModel(Written('{"tool": "open_pa', cut=True), OPENED, "Done.")
    _, events = finish(model, toolbox=desk)
    assert [event.arguments for event in events if isinstance(event, Rejected)] == ['{"tool": "open_pa']
    assert desk.tools == ["open_page"]


def test_a_question_of_the_model_ends_the_work() -> None:
    result, _ = finish(ScriptedModel('{"ask": "Which page?"}'))
    assert (result.ending, result.text) == (Ending.ASKED, "Which page?")


def test_no_fitting_tool_is_a_refusal_where_nothing_was_called() -> None:
    desk = Desk()
    result, _ = finish(ScriptedModel('{"none": "No tool reads the weather."}'), toolbox=desk)
    assert (result.ending, result.text, desk.calls) == (Ending.DECLINED, "No tool reads the weather.", [])


def test_the_same_call_is_not_made_twice() -> None:
    desk, model = Desk(), ScriptedModel(OPENED, OPENED, "Done.")
    finish(model, TWO, desk)
    assert desk.tools == ["open_page"]


def test_tools_that_join_are_offered_from_the_next_step_on() -> None:
    class Finder(Desk):
        def call(self, tool_id: str, arguments: Mapping[str, Any]) -> CallOutcome:
            super().call(tool_id, arguments)
            return CallOutcome(True, content={}, joined=(FIND,))

    model = ScriptedModel(OPENED, call("find_guest", query="Ada"), "Done.")
    desk = Finder()
    finish(model, TWO, desk, menu=(OPEN, ERASE))
    assert "find_guest" not in model.asked[0][0][0]["content"]
    assert "find_guest" in model.asked[1][0][0]["content"]
    assert desk.tools == ["open_page", "find_guest"]


def test_a_stop_is_heard_between_two_letters() -> None:
    desk = Desk()
    result, _ = finish(ScriptedModel(OPENED), toolbox=desk, cancel=StopAfter(10))
    assert (result.ending, desk.calls) == (Ending.STOPPED, [])


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (Limits(max_steps=1), "step limit"),
        (Limits(max_tokens=100), "token limit"),
        (Limits(time_s=0.0), "time limit"),
    ],
)
def test_limits_end_the_work(limits: Limits, reason: str) -> None:
    model = ScriptedModel(OPENED, call("erase_page", path="a/c.md"), "Done.")
    result, _ = finish(model, TWO, limits=limits)
    assert (result.ending, result.stop_reason) == (Ending.LIMIT, reason)


def test_a_model_that_takes_too_long_is_a_limit() -> None:
    result, _ = finish(ScriptedModel(ModelSlow()))
    assert (result.ending, result.stop_reason) == (Ending.LIMIT, "time limit")


def test_a_person_who_takes_long_does_not_use_up_the_time() -> None:
    class Asking(Desk):
        def call(self, tool_id: str, arguments: Mapping[str, Any]) -> CallOutcome:
            time.sleep(0.3)
            outcome = super().call(tool_id, arguments)
            return CallOutcome(outcome.ok, outcome.content, waited_s=100)

    result, _ = finish(ScriptedModel(OPENED, "Done."), toolbox=Asking(), limits=Limits(time_s=0.25))
    assert result.ending is Ending.ANSWERED


def test_a_model_that_fails_is_the_fault_of_this_host() -> None:
    result, _ = finish(ScriptedModel(OPENED, ModelFailed("The model gave no answer.", "context")))
    assert (result.ending, result.fault, result.code) == (Ending.FAILED, "host", "context")
    assert result.steps == 1


def test_a_step_is_thought_of_before_it_is_taken() -> None:
    _, events = finish(ScriptedModel(OPENED, "Done."))
    assert isinstance(events[0], Thinking)
    assert events[0].note.startswith("Open the page")


def test_first_times_are_measured() -> None:
    result, _ = finish(ScriptedModel(OPENED, "Done."))
    assert result.first_token_ms is not None
    assert result.first_tool_ms is not None
    assert 0 <= result.first_token_ms <= result.first_tool_ms


def test_a_clause_that_only_reports_is_left_to_the_answer() -> None:
    assert len(steps(Brief("Open the page a/b.md and tell me when breakfast is.", TOOLS))) == 1
    assert len(steps(Brief(TWO, TOOLS))) == 2
    assert steps(Brief("When is breakfast?", TOOLS))
