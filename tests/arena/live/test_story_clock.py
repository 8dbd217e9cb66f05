"""The clock: phases with their times, and a scale that never has more ticks than fit."""

from __future__ import annotations

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as some

from arena.live import story_clock
from tests.arena.live.scenes import START, Scene, whole


def standings(scene: Scene) -> list[tuple[str, str]]:
    return [(phase.state.word, phase.standing) for phase in scene.tell().phases]


def test_phases_are_done_now_or_still_to_come() -> None:
    assert standings(Scene().routed()) == [
        ("queued", "done"),
        ("routing", "now"),
        ("running", "next"),
        ("settling", "next"),
        ("complete", "next"),
    ]


def test_a_phase_knows_how_long_it_took() -> None:
    queued, routing, *_ = whole().tell().phases
    assert queued.took == "0.50\u202fs"
    assert routing.took == "3.00\u202fs"


def test_a_settled_run_has_no_phase_left() -> None:
    assert {standing for _, standing in standings(whole())} == {"done"}


def test_after_a_stop_only_its_own_end_is_to_come() -> None:
    scene = Scene().routed().menus().happens("run.stop_requested", by="local").state("stopping")
    assert standings(scene)[-2:] == [("settling", "next"), ("stopped", "next")]


def test_the_clock_of_a_settled_run_stands_at_its_last_event() -> None:
    scene = whole()
    clock = story_clock.of(scene.events, START + timedelta(days=1))
    assert clock.now == scene.events[-1].at


def test_a_live_clock_goes_on_after_the_last_event() -> None:
    scene = Scene().routed()
    clock = story_clock.of(scene.events, START + timedelta(seconds=90))
    assert clock.elapsed == 90


@given(some.floats(min_value=0, max_value=20_000))
def test_a_live_scale_holds_the_present_and_at_most_sixty_ticks(elapsed: float) -> None:
    scale = story_clock.live_scale(elapsed)
    assert scale.length >= elapsed
    assert scale.length / scale.tick <= 60.001


@given(some.floats(min_value=0, max_value=20_000))
def test_a_settled_scale_is_a_little_longer_than_the_run(elapsed: float) -> None:
    scale = story_clock.settled_scale(elapsed)
    assert elapsed < scale.length <= max(elapsed * 1.2, 0.2)
    assert len(scale.marks) <= 11


def test_the_live_scale_grows_in_steps() -> None:
    assert story_clock.live_scale(3).length == story_clock.live_scale(14).length == 15
    assert story_clock.live_scale(16).length == 30
