"""What a lane sees: cells in one order for every lane, and the reasons in words."""

from __future__ import annotations

import re

from arena.live.story_menu import MenuStory
from tests.arena.live.scenes import SELECTION, Scene, whole


def menu(scene: Scene, lane: int) -> MenuStory:
    return scene.tell().lanes[lane].menu


def roles(told: MenuStory) -> dict[str, str]:
    return {cell.tool: cell.role for group in told.groups for cell in group.cells}


def test_both_lanes_have_the_same_cells_in_the_same_order() -> None:
    first, second = (menu(whole(), lane) for lane in (0, 1))
    assert list(roles(first)) == list(roles(second)) == ["read_file", "list_files", "propose_patch", "send_mail"]


def test_a_selected_menu_says_why_each_tool_is_there() -> None:
    told = menu(whole(), 1)
    assert roles(told) == {
        "read_file": "prerequisite",
        "list_files": "off",
        "propose_patch": "selected",
        "send_mail": "off",
    }
    assert told.sentence == "2 of 4 tools: 1 selected, 1 prerequisite"


def test_dropped_tools_have_their_reason_and_the_nearest_miss_comes_first() -> None:
    told = menu(whole(), 1)
    assert [(tool.id, tool.probability) for tool in told.dropped] == [("list_files", ".34"), ("send_mail", "")]
    assert told.nearest is not None
    assert told.nearest.id == "list_files"


def test_a_prerequisite_is_not_listed_as_dropped() -> None:
    assert "read_file" not in {tool.id for tool in menu(whole(), 1).dropped}


def test_the_full_menu_is_known_before_the_judge_has_answered_the_selected_one_is_not() -> None:
    scene = Scene()
    assert set(roles(menu(scene, 0)).values()) == {"given"}
    assert set(roles(menu(scene, 1)).values()) == {"open"}


def test_a_withheld_menu_says_so() -> None:
    scene = Scene().routed(outcome="no_match").menus(B=[]).lane("B", "withheld", message="Nothing fits.")
    told = menu(scene, 1)
    assert told.title == "Sees none of 4 tools"
    assert told.words == "The menu is withheld; the agent was not started."


def test_a_run_that_ended_before_its_menus_says_so() -> None:
    scene = Scene().lane("A", "stopped").lane("B", "stopped").state("stopped")
    assert menu(scene, 0).title == "Got no menu"


def test_a_shadow_lane_shows_the_menu_that_the_judge_would_have_given() -> None:
    told, selected = (menu(Scene(arm).routed().menus(), 0) for arm in ("shadow", "selected"))
    assert set(roles(told).values()) == {"given"}
    assert (told.rows, told.dropped) == (selected.rows, selected.dropped)
    assert told.would == "The judge would select 2 of 4 tools: 1 selected, 1 prerequisite."


def test_a_shadow_lane_says_when_the_menu_would_be_withheld() -> None:
    told = menu(Scene("shadow").routed(outcome="no_match").menus(), 0)
    assert told.rows == ()
    assert told.would == "The judge would select nothing: a selected menu would be withheld."


def test_a_tool_over_the_limit_is_told_with_the_limit() -> None:
    dropped = [{"id": "list_files", "reason": "maxSelected cap", "probability": 0.6, "category": "files"}]
    told = menu(Scene().routed(selection=SELECTION | {"dropped": dropped}).menus(), 1)
    assert re.fullmatch(r"over the limit of \d+ tools", told.dropped[0].reason)
