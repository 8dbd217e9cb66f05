"""Rules that hold for the agent without a language model whatever it is given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from arena.agents.agent import Brief, CallOutcome, Ending, Limits, Progress
from arena.agents.estimate import Meter
from arena.catalogs.tool import Tool
from tests.arena.agents.desk import TOOLS, Desk, StopAfter, finish, tool

WORDS = (
    *(
        "show",
        "page",
        "notes/day.md",
        "reserve",
        "room",
        "Ada Lovell",
        "G-12",
        "3",
        "nights",
        "erase",
        "it",
        "and",
        "then",
    ),
    *(
        "do not",
        "change",
        "search",
        "guest",
        "zeige",
        "Seite",
        "für",
        "Frau Hill,",
        "please?",
        "what",
        ".",
        ";",
        "which",
    ),
    *("“quoted”", "2026-03-01", "a@b.example", "hotel", "breakfast", "tell me"),
)
Menu = tuple[Tool, ...]
tasks = st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join) | st.text(max_size=60)
menus = st.lists(st.sampled_from(TOOLS), unique_by=lambda each: each.id).map(tuple)
scalars = st.none() | st.booleans() | st.integers() | st.text(max_size=12)
contents = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["id", "guest_id", "guests", "path", "name", "nights"]), inner, max_size=4)
    ),
)
outcomes = st.lists(
    st.builds(CallOutcome, ok=st.just(True), content=contents)
    | st.builds(CallOutcome, ok=st.just(False), error=st.none() | st.text(max_size=40)),
    min_size=1,
    max_size=5,
)


class Scripted:
    """A toolbox that gives prepared outcomes in turn, whatever is called."""

    def __init__(self, prepared: list[CallOutcome]) -> None:
        self._prepared = prepared
        self.calls: list[tuple[str, dict[str, Any]]] = []

    def call(self, tool_id: str, arguments: Mapping[str, Any]) -> CallOutcome:
        self.calls.append((tool_id, dict(arguments)))
        return self._prepared[(len(self.calls) - 1) % len(self._prepared)]


@given(tasks, menus, outcomes)
def test_no_tool_outside_the_menu_is_ever_called(task: str, menu: Menu, prepared: list[CallOutcome]) -> None:
    toolbox = Scripted(prepared)
    finish(Brief(task, menu), toolbox)
    assert {tool_id for tool_id, _ in toolbox.calls} <= {each.id for each in menu}


@given(tasks, menus, outcomes)
def test_required_arguments_are_always_there(task: str, menu: Menu, prepared: list[CallOutcome]) -> None:
    toolbox = Scripted(prepared)
    finish(Brief(task, menu), toolbox)
    required = {each.id: set(each.required) for each in menu}
    assert all(required[tool_id] <= arguments.keys() for tool_id, arguments in toolbox.calls)


@given(tasks, menus, outcomes)
def test_the_same_brief_gives_the_same_transcript(task: str, menu: Menu, prepared: list[CallOutcome]) -> None:
    brief, first, second = Brief(task, menu), Scripted(prepared), Scripted(prepared)
    assert finish(brief, first) == finish(brief, second)
    assert first.calls == second.calls


@given(tasks, outcomes, st.integers(min_value=0, max_value=4))
def test_the_limit_of_steps_is_never_passed(task: str, prepared: list[CallOutcome], most: int) -> None:
    toolbox = Scripted(prepared)
    result, _ = finish(Brief(task, TOOLS, limits=Limits(max_steps=most)), toolbox)
    assert result.steps == len(toolbox.calls) <= most


@given(tasks, outcomes)
def test_nothing_is_changed_when_a_restriction_forbids_changes(task: str, prepared: list[CallOutcome]) -> None:
    toolbox = Scripted(prepared)
    finish(Brief(task, TOOLS, restrictions=("Do not change anything.",)), toolbox)
    effects = {each.id: each.effect for each in TOOLS}
    assert all(effects[tool_id] == "observe" for tool_id, _ in toolbox.calls)


@given(st.integers(min_value=0, max_value=5))
def test_a_stop_at_any_point_is_obeyed_and_keeps_the_usage(looks: int) -> None:
    brief = Brief("Reserve a room for Grace Hill for 3 nights.", TOOLS)
    result, events = finish(brief, Desk(), StopAfter(looks))
    progress = [event.usage for event in events if isinstance(event, Progress)]
    assert (result.ending is Ending.STOPPED) == (looks < 4)
    assert result.usage == progress[-1]


@given(st.integers(min_value=0, max_value=3))
def test_no_call_follows_a_stop(looks: int) -> None:
    class Stopping(Desk):
        def call(self, tool_id: str, arguments: Mapping[str, Any]) -> CallOutcome:
            assert not stop.seen
            return super().call(tool_id, arguments)

    class Seen(StopAfter):
        seen = False

        def requested(self) -> bool:
            self.seen = super().requested()
            return self.seen

    stop = Seen(looks)
    finish(Brief("Reserve a room for Grace Hill for 3 nights.", TOOLS), Stopping(), stop)
    assert stop.seen


@given(tasks, st.integers(min_value=1, max_value=30))
def test_more_tools_on_the_menu_cost_more_tokens(task: str, more: int) -> None:
    extra = tuple(tool(f"spare_{number}", "Turns a wheel.") for number in range(more))
    small, large = Meter(Brief(task, TOOLS)), Meter(Brief(task, TOOLS + extra))
    for meter in (small, large):
        meter.call("open_page", {"path": "a.md"})
        meter.answer("seven")
    assert (large.usage().input_tokens or 0) > (small.usage().input_tokens or 0) > 0
    assert large.usage().output_tokens == small.usage().output_tokens
