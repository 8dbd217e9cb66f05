"""Frames: only what is newer, applied to a page they give the page that a reload would give."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

import pytest
from django.template.loader import render_to_string
from hypothesis import example, given, settings
from hypothesis import strategies as some

from arena.live import frames
from arena.live.story import Story
from arena.models import Run
from tests.arena.live import dom
from tests.arena.live.scenes import Scene, whole


def page(story: Story) -> dom.Node:
    return dom.parse(render_to_string("arena/run.html", {"story": story, "section": "runs", "csrf_token": "t"}))


def main(document: dom.Node) -> list[str]:
    found = document.find("main")
    assert found is not None
    return found.lines()


def rows(html: str) -> list[int]:
    return [int(seq) for seq in re.findall(r'id="event-(\d+)"', html)]


def live(scene: Scene, stops: list[int]) -> dom.Node:
    """The page as loaded at the first stop and then brought up to date at every further one."""
    document = page(scene.tell(stops[0]))
    for before, at in pairwise(stops):
        dom.apply(document, frames.of(scene.tell(at), before).html)
    return document


LENGTH = len(whole().events)


@settings(max_examples=12, deadline=None)
@given(some.sets(some.integers(min_value=2, max_value=LENGTH - 1), min_size=1, max_size=12))
def test_a_page_after_live_is_the_page_after_a_reload(stops: set[int]) -> None:
    scene = whole()
    assert main(live(scene, [*sorted(stops), LENGTH])) == main(page(scene.tell()))


@settings(max_examples=12, deadline=None)
@given(some.sets(some.integers(min_value=2, max_value=LENGTH - 2), min_size=2, max_size=8))
@example({3, 6})
@example({5, 7})
def test_a_live_page_equals_a_fresh_one_in_the_middle_of_a_run_too(stops: set[int]) -> None:
    scene, ordered = whole(), sorted(stops)
    assert main(live(scene, ordered)) == main(page(scene.tell(ordered[-1])))


@pytest.mark.parametrize("arms", [("full",), ("selected",), ("full", "selected", "shadow")])
def test_every_set_of_lanes_ends_as_a_reload_shows_it(arms: tuple[str, ...]) -> None:
    scene = Scene(*arms).routed().menus()
    for lane in "ABC"[: len(arms)]:
        scene.lane(lane, "starting").calls(lane).ends(lane)
    scene.settled()
    stops = [2, 6, len(scene.events) - 3, len(scene.events)]
    assert main(live(scene, stops)) == main(page(scene.tell()))


def test_a_frame_carries_only_rows_after_the_named_event() -> None:
    story = whole().tell()
    frame = frames.of(story, 17)
    assert rows(frame.html) == list(range(18, story.seq + 1))
    assert (frame.seq, frame.final) == (story.seq, True)


def test_nothing_newer_is_an_empty_frame() -> None:
    scene = whole()
    assert frames.of(scene.tell(12), 12) == frames.Frame("", 12, False)
    assert frames.of(scene.tell(), LENGTH) == frames.Frame("", LENGTH, True)


def test_a_step_is_appended_once_and_then_replaced() -> None:
    scene = Scene("full").menus().lane("A", "starting").calls("A")
    started = frames.of(scene.tell(-1), len(scene.events) - 2).html
    finished = frames.of(scene.tell(), len(scene.events) - 1).html
    assert '<hx-partial hx-target="#lane-a-steps" hx-swap="beforeend">' in started
    assert '<hx-partial hx-target="#step-a-1" hx-swap="outerMorph">' in finished


def test_the_judge_is_sent_only_when_it_has_news() -> None:
    scene = Scene().routed().menus().lane("A", "starting").calls("A")
    assert "console-judge" not in frames.of(scene.tell(), len(scene.events) - 3).html
    assert "console-judge" in frames.of(scene.tell(), 4).html


def test_only_news_worth_hearing_is_said_aloud() -> None:
    scene = Scene("full").menus().lane("A", "starting").calls("A")
    assert 'hx-target="#said"' not in frames.of(scene.tell(), len(scene.events) - 3).html
    assert 'hx-target="#said"' in frames.of(scene.tell(), 2).html


def test_words_of_models_and_tools_are_escaped_in_a_frame() -> None:
    evil = '</code><script>alert(1)</script><hx-partial hx-target="#main">'
    scene = Scene("full").menus(A=[{"id": evil, "role": "given", "probability": None}]).lane("A", "starting")
    scene.calls("A", evil, content={evil: evil}).happens("lane.answered", "A", ending="asked", text=evil)
    html = frames.of(scene.tell(), 1).html + render_to_string("arena/_settled.html", {"story": scene.tell()})
    assert "<script" not in html
    assert 'hx-target="#main"' not in html


@pytest.mark.django_db(transaction=True)
def test_a_real_run_is_told_from_its_rows(compare: Callable[..., Run]) -> None:
    run = compare("patch")
    frame = frames.frame(run, 0)
    assert rows(frame.html) == list(range(1, run.seq + 1))
    assert frame.final
