"""A lane's panel: figures, steps, results of any size, and how it ended."""

from __future__ import annotations

from typing import Any

from arena.live.story_lanes import LaneStory, Step
from tests.arena.live.scenes import Scene, whole


def lane(scene: Scene, number: int = 0) -> LaneStory:
    return scene.tell().lanes[number]


def only_step(**came: Any) -> Step:
    return lane(Scene("full").menus().lane("A", "starting").calls("A", **came)).steps[0]


def test_a_step_says_when_what_how_long_and_what_came_of_it() -> None:
    step = only_step(content={"path": "src/sum.ts", "hits": [1, 2], "note": "x" * 90})
    assert (step.at, step.tool, step.took) == ("3.0\u202fs", "read_file", "0.06\u202fs")
    assert step.line == "src/sum.ts, 2 hits"


def test_a_short_result_is_shown_whole() -> None:
    result = only_step(content={"n": 1}, bytes=8).result
    assert result is not None
    assert (result.text, result.size) == ('{\n "n": 1\n}', "8 bytes")


def test_a_long_result_is_cut_and_says_of_how_much() -> None:
    result = only_step(content="ä" * 30_000, bytes=60_002).result
    assert result is not None
    assert result.size == "first 2,000 of 60,002 bytes"
    assert len(result.text.encode()) <= 2_000


def test_a_refused_call_shows_the_refusal() -> None:
    step = only_step(ok=False, content=None, error="read_file: there is no src/nope.ts.")
    assert step.rejected
    assert step.line == "read_file: there is no src/nope.ts."


def test_a_running_call_has_no_result_and_counts() -> None:
    scene = Scene("full").menus().lane("A", "starting").calls("A")
    step = scene.tell(upto=-1).lanes[0].steps[0]
    assert step.running_since_ms is not None
    assert step.result is None


def test_a_call_that_never_came_back_stops_counting_when_its_lane_ends() -> None:
    scene = Scene("full").menus().lane("A", "starting").calls("A")
    scene.events.pop()
    step = lane(scene.lane("A", "abandoned", message="worker lost")).steps[0]
    assert (step.running_since_ms, step.line) == (None, "did not come back")


def test_what_a_call_changed_is_told_in_words() -> None:
    effect = {"op": "update", "collection": "orders", "id": "4711", "fields": {"state": "refunded"}}
    assert only_step(effects=[effect]).changes == ("orders/4711 updated: state",)


def test_usage_of_a_lane_at_work_is_a_lower_bound() -> None:
    scene = Scene("full").menus().lane("A", "starting")
    scene.happens("lane.usage", "A", input_tokens=28317, output_tokens=None, source="estimated")
    first, second, *_ = lane(scene).stats
    assert (first.value, first.label) == ("≥\u202f28,317", "input tokens, est.")
    assert second.value == "—"


def test_a_withheld_lane_used_nothing_and_says_why() -> None:
    scene = Scene().routed(outcome="no_match").menus(B=[]).lane("B", "withheld", message="Nothing fits.")
    told = lane(scene, 1)
    assert told.stats[0].value == "0"
    assert told.message == "Nothing fits."


def test_between_two_calls_the_lane_says_what_it_is_about() -> None:
    scene = Scene("full").menus().lane("A", "starting")
    scene.happens("step.thinking", "A", step=1, note="find the order")
    now = lane(scene).now
    assert now is not None
    assert now.text == "find the order"


def test_a_question_is_not_an_answer() -> None:
    scene = Scene("full").menus().lane("A", "starting")
    scene.happens("lane.answered", "A", ending="asked", text="Which Meyer?").lane("A", "completed")
    ending = lane(scene).ending
    assert ending is not None
    assert (ending.title, ending.text) == ("question", "Which Meyer?")


def test_the_third_lane_is_neutral() -> None:
    lanes = Scene("full", "selected", "shadow").tell().lanes
    assert [each.css for each in lanes] == ["lane-a", "lane-b", "lane-n"]


def test_a_settled_lane_shows_its_check() -> None:
    assert [each.check.word for each in whole().tell().lanes] == ["passed", "passed"]
