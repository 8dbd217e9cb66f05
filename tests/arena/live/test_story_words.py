"""What an agent says and waits for on its way, beside the calls that it leads to."""

from __future__ import annotations

from arena.live import frames
from arena.live.story_lanes import LaneStory
from tests.arena.live.scenes import Scene


def begun() -> Scene:
    return Scene("full").menus().lane("A", "starting")


def lane(scene: Scene) -> LaneStory:
    return scene.tell().lanes[0]


def test_words_before_a_call_stand_above_it_as_one_text() -> None:
    steps = lane(begun().says("A", "I will ").says("A", "read it.").calls("A").calls("A")).steps
    assert [step.said for step in steps] == ["I will read it.", ""]


def test_words_after_the_last_call_are_shown_while_they_come() -> None:
    now = lane(begun().calls("A").says("A", "The total ").says("A", "is 12")).now
    assert now is not None
    assert now.said == "The total is 12"


def test_last_words_that_are_the_answer_are_shown_once() -> None:
    scene = begun().calls("A").says("A", "Done.")
    ending = lane(scene.happens("lane.answered", "A", ending="answered", text="Done.").lane("A", "completed")).ending
    assert ending is not None
    assert (ending.text, ending.said) == ("Done.", "")


def test_a_lane_that_broke_off_keeps_what_it_was_saying() -> None:
    told = lane(begun().says("A", "The total is").fails("A").lane("A", "failed", message="The provider broke off."))
    assert (told.left_off, told.message) == ("The total is", "The provider broke off.")


def test_a_wait_is_told_with_its_reason_where_it_happened() -> None:
    scene = begun().waits("A", 3.0)
    now = lane(scene).now
    assert now is not None
    assert now.text == "waiting 3.00\u202fs: the provider asks for a pause"
    assert lane(scene.calls("A")).steps[0].waited == "waited 3.00\u202fs: the provider asks for a pause"


def test_malformed_arguments_are_a_step_and_no_call() -> None:
    told = lane(begun().malformed("A").calls("A"))
    first, second = told.steps
    assert (first.refusal, first.arguments, second.refusal) == ("malformed", '{"path": ', "")
    assert (told.stats[2].value, told.stats[2].label) == ("1", "tool call")


def test_waiting_for_others_is_not_called_a_pause_to_watch() -> None:
    scene = begun().ends("A", measured={"waiting_ms": 3000.0, "provider_wait_ms": 3000.0}).settled()
    assert [stat.label for stat in lane(scene).stats][-1] == "waiting"


def test_words_go_down_the_socket_once_and_escaped() -> None:
    scene = begun().calls("A").says("A", "see <b>this</b>")
    html = frames.of(scene.tell(), len(scene.events) - 1).html
    assert html.count("see &lt;b&gt;this&lt;/b&gt;") == 2  # the lane and the list of events
    scene.calls("A")
    later = frames.of(scene.tell(), len(scene.events) - 3).html
    assert later.count("see &lt;b&gt;this&lt;/b&gt;") == 1
