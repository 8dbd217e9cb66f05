"""The time strip: what the judge and each lane did, on one clock."""

from __future__ import annotations

from tests.arena.live.scenes import Scene, whole


def test_the_judge_and_every_lane_have_a_track() -> None:
    tracks = whole().tell().strip.tracks
    assert [(track.letter, track.name) for track in tracks] == [("", "Judge"), ("A", "Full"), ("B", "Selected")]


def test_a_settled_strip_numbers_the_calls_and_links_them_to_their_steps() -> None:
    chips = whole().tell().strip.tracks[1].chips
    assert [(chip.text, chip.href) for chip in chips] == [("1", "#step-a-1"), ("2", "#step-a-2")]


def test_calls_that_would_overlap_are_one_chip() -> None:
    scene = Scene("full").menus().lane("A", "starting")
    scene.calls("A").calls("A").calls("A").happens("step.thinking", "A", gap=60, step=4, note="").calls("A")
    scene.lane("A", "completed").settled()
    assert [chip.text for chip in scene.tell().strip.tracks[0].chips] == ["1 to 3", "4"]


def test_a_refused_call_is_marked() -> None:
    scene = Scene("full").menus().lane("A", "starting").calls("A", ok=False, error="no such file")
    chip = scene.lane("A", "completed").settled().tell().strip.tracks[0].chips[0]
    assert chip.rejected


def test_a_live_strip_has_an_open_stretch_up_to_now() -> None:
    strip = Scene().routed().menus().lane("A", "starting").tell().strip
    assert strip.now is not None
    assert strip.tracks[1].stretches[-1].open


def test_a_settled_strip_has_no_now() -> None:
    strip = whole().tell().strip
    assert strip.now is None
    assert not any(stretch.open for track in strip.tracks for stretch in track.stretches)


def test_the_total_is_the_measured_time_at_work() -> None:
    judge, first, second = whole().tell().strip.tracks
    assert (judge.total, first.total, second.total) == ("0.31\u202fs", "9.00\u202fs", "9.00\u202fs")


def test_a_lane_that_never_began_has_no_total() -> None:
    scene = Scene("full").lane("A", "stopped", message="stopped before it began").settled("stopped")
    track = scene.tell().strip.tracks[0]
    assert (track.total, track.stretches, track.end) == ("—", (), None)
