"""The headline: what came out in words, and what it cannot say."""

from __future__ import annotations

from arena.live.story_headline import Headline
from tests.arena.live.scenes import Scene, whole


def headline(scene: Scene) -> Headline:
    told = scene.tell().headline
    assert told is not None
    return told


def sentence(scene: Scene) -> str:
    return "".join(span.text for span in headline(scene).spans)


def test_a_pair_is_told_with_its_difference_and_without_a_verdict() -> None:
    assert sentence(whole()) == (
        "Both lanes passed the check. B saw 2 tools instead of 4, used 13,058 fewer input tokens, judge included, "
        "and was done 4.30\u202fs sooner."
    )
    assert headline(whole()).note == "One pair: not enough runs for a verdict."


def test_a_lane_that_failed_its_check_is_named_first() -> None:
    scene = whole()
    scene.events[-2].payload["passed"] = False
    assert sentence(scene).startswith("A passed the check, B did not.")


def test_a_withheld_lane_is_told_with_its_reason() -> None:
    scene = Scene().routed(outcome="no_match").menus(B=[]).lane("A", "starting").ends("A")
    scene.lane("B", "withheld", message="No tool fits.").measure("B", {"input_tokens": 1.0}).settled()
    assert sentence(scene) == "Both lanes passed the check. B got no menu. No tool fits."


def test_more_tokens_are_called_more() -> None:
    scene = whole().measure("B", {"input_tokens": 20000.0})
    assert "used 1,588 more input tokens, judge included" in sentence(scene)


def test_times_that_hardly_differ_are_about_the_same() -> None:
    close = whole().measure("B", {"working_ms": 9600.0}).measure("A", {"working_ms": 9000.0})
    assert "was done in about the same time" in sentence(close)
    near = whole().measure("B", {"working_ms": 700.0}).measure("A", {"working_ms": 300.0})
    assert "was done in about the same time" in sentence(near)


def test_a_quoted_headline_points_to_nothing_below() -> None:
    told = headline(Scene().routed().menus().settled("stopped", message="stopped by a person"))
    assert "below" in told.note
    assert told.brief == "What had been done is kept, and nothing more was started."


def test_a_stop_says_who_and_where() -> None:
    scene = Scene().routed().menus().happens("run.stop_requested", by="local").state("stopping")
    seq = len(scene.events) - 1
    assert sentence(scene.settled("stopped", message="stopped by a person")) == f"Stopped by you at event {seq}."


def test_a_broken_run_says_what_happened_what_is_kept_and_what_can_be_done() -> None:
    told = headline(Scene().routed().menus().settled("partial", message="B: the worker was lost."))
    assert "".join(span.text for span in told.spans) == (
        "Only part of the comparison has a result: B: the worker was lost."
    )
    assert told.note.endswith("Run it again for a new comparison.")


def test_one_lane_has_nothing_to_be_compared_with() -> None:
    scene = Scene("full").menus().lane("A", "starting").ends("A").settled()
    assert sentence(scene) == "A passed the check."
    assert headline(scene).note == "One lane: nothing to compare it with."
