"""A small menu has a way out where the setup says so: what is searched for joins, and nothing that is forbidden."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from arena import arms, controls
from arena.agents import registry
from arena.agents.agent import AgentResult, Ending, Thinking, Usage
from arena.library import library
from arena.models import LaneState, Run
from arena.runs import dialogue, escape, history, inline, keeping, start
from arena.runs.inputs import Inputs
from arena.runs.setup import Setup
from policy.people.models import User

Compare = Callable[..., Run]


def inputs_of(case: str = "patch", size: int = 60) -> Inputs:
    shelf = library()
    found = shelf.case(case)
    return Inputs(found, shelf.catalog, shelf.worlds[found.world], Setup(menu_size=size, find_tool=True))


@pytest.fixture
def searcher(monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    """An agent that searches, calls the first tool that joined, then one that does not exist; it keeps what it saw."""
    seen: dict[str, object] = {}

    class Searcher:
        name = "searcher"
        label = "searches"

        def run(self, brief, toolbox, cancel):  # type: ignore[no-untyped-def]
            seen["menu"] = [tool.id for tool in brief.menu]
            yield Thinking(1, "look around")
            found = toolbox.call("find_tool", {"query": "read a source file"})
            seen["joined"] = [tool.id for tool in found.joined]
            yield Thinking(2, "use it")
            seen["used"] = toolbox.call("read_file", {"path": "src/sum.ts"})
            seen["malformed"] = toolbox.call("find_tool", {"words": "x"})
            return AgentResult(Ending.ANSWERED, "It gives 5.", Usage(10, 2), None, 3, "answered")

    monkeypatch.setitem(registry._agents, "searcher", Searcher())
    return seen


def test_what_is_found_joins_the_menu_and_can_be_called(compare: Compare, searcher: dict[str, object]) -> None:
    run = compare("refund", arms=["oracle"], menu_size=60, agent="searcher", find_tool=True)
    lane = run.lanes.get()
    assert lane.state == LaneState.COMPLETED
    assert searcher["menu"][-1] == "find_tool"  # type: ignore[index]
    assert "read_file" in searcher["joined"]  # type: ignore[operator]
    assert searcher["used"].ok  # type: ignore[attr-defined]
    assert not searcher["malformed"].ok  # type: ignore[attr-defined]
    roles = {entry["id"]: entry["role"] for entry in lane.menu or []}
    assert {name for name, role in roles.items() if role == "joined"} == set(searcher["joined"])  # type: ignore[call-overload]
    menus = [event.payload["tools"] for event in history.events(run) if event.kind == "lane.menu"]
    assert len(menus[0]) < len(menus[1]) == len(roles)
    measured = lane.metrics["measured"]
    assert (measured["find_tool_calls"]["value"], measured["joined_used"]["value"]) == (2, 1.0)
    assert measured["tools_joined"]["value"] == len(searcher["joined"])  # type: ignore[arg-type]


def test_the_page_shows_what_joined(client: Client, compare: Compare, searcher: dict[str, object]) -> None:
    run = compare("refund", arms=["oracle"], menu_size=60, agent="searcher", find_tool=True)
    page = client.get(f"/runs/{run.public_id}/").content.decode()
    assert "joined" in page
    assert "find_tool" in page


def test_without_the_option_there_is_no_search(compare: Compare, searcher: dict[str, object]) -> None:
    run = compare("refund", arms=["oracle"], menu_size=60, agent="searcher")
    assert "find_tool" not in searcher["menu"]  # type: ignore[operator]
    assert searcher["joined"] == []
    assert not searcher["used"].ok  # type: ignore[attr-defined]
    assert run.lanes.get().metrics["measured"]["joined_used"]["reason"] == "no tool joined the menu"


def test_a_lane_that_sees_everything_has_nothing_to_search(compare: Compare, searcher: dict[str, object]) -> None:
    compare("refund", arms=["full"], menu_size=60, agent="searcher", find_tool=True)
    assert "find_tool" not in searcher["menu"]  # type: ignore[operator]


@given(st.sampled_from(["patch", "refund", "which-meyer"]), st.text("abcdefghij klmnorstu", max_size=40))
def test_a_search_finds_only_what_may_be_used_and_never_twice(name: str, query: str) -> None:
    given_inputs = inputs_of(name)
    forbidden = given_inputs.menu.ids[5]
    case = replace(given_inputs.case, forbids=(forbidden,), restrictions=("No.",))
    given_inputs = replace(given_inputs, case=case)
    way = escape.Escape(given_inputs, controls.oracle(case, given_inputs.menu, given_inputs.catalog))
    before = [entry.id for entry in way.entries]
    first, second = way.search(query), way.search(query)
    names = [tool.id for tool in (*first, *second)]
    assert len(names) == len(set(names))
    assert not set(names) & {*before, forbidden}
    assert set(names) <= set(given_inputs.menu.ids)
    after = {entry.id for entry in way.entries}
    assert given_inputs.catalog.with_prerequisites(after & set(names) | set(before))[0] == ()


def test_the_offline_agent_searches_where_nothing_fits_and_reaches_the_goal() -> None:
    from tests.bench import escape_table

    hidden = escape_table.hidden("read", needed=("read_file", "read_lines", "inspect_agent"))
    without, with_search = escape_table.one(hidden, search=False), escape_table.one(hidden, search=True)
    assert not without.passed
    assert (with_search.passed, with_search.searches >= 1, with_search.used) == (True, True, True)
    assert with_search.input_tokens > without.input_tokens


def test_options_are_part_of_the_comparison_key_and_of_no_older_one(
    owner: User, unpublished: list[tuple[str, int]]
) -> None:
    plain = start.start("patch", by=owner, origin="api")
    assert not {"find_tool", "stable_menu"} & plain.setup.keys()
    searching = start.start("patch", by=owner, origin="api", find_tool=True)
    keeping_it = start.start("patch", by=owner, origin="api", stable_menu=True)
    assert len({plain.setup_digest, searching.setup_digest, keeping_it.setup_digest}) == 3


@pytest.mark.parametrize("stable", [False, True])
def test_a_kept_selection_needs_no_second_judgment_and_is_the_same_menu(compare: Compare, stable: bool) -> None:
    before = compare("which-meyer", arms=["full", "selected"], menu_size=40, stable_menu=stable)
    assert before.outcome == "selected"
    with inline.worker() as wait:
        after = dialogue.answer(before, "I mean C-304.", by=before.by, origin="page")
        wait()
    after = history.find(after.public_id)
    events = history.events(after)
    asked = [event for event in events if event.kind == "judge.asked"]
    decided = next(event.payload for event in events if event.kind == "routing.decided")
    one, two = (run.lanes.get(arm="selected") for run in (before, after))
    assert bool(asked) is not stable
    assert (decided["rule"] == keeping.RULE) is stable
    if stable:
        assert two.menu == one.menu
        assert two.metrics["measured"]["judge_input_tokens"]["value"] == 0


def test_nothing_is_kept_where_nothing_was_selected(compare: Compare) -> None:
    before = compare("ambiguous", arms=["full", "selected"], stable_menu=True)
    after = dialogue.answer(before, "Read src/sum.ts.", by=before.by, origin="page")
    assert keeping.kept(after, inputs_of("ambiguous")) is None


def test_the_slip_offers_both_options_and_keeps_them(client: Client, owner: User) -> None:
    page = client.get("/?case=patch&ordered=1&arms=full&arms=selected&find_tool=on&stable_menu=on").content.decode()
    for name in ("find_tool", "stable_menu"):
        assert f'name="{name}"' in " ".join(page.split())
    assert arms.MenuEntry("x", "joined").to_json()["role"] == "joined"
