"""The gate's word at a step, the card of a call that waits, and what became of it."""

from __future__ import annotations

import pytest
from django.template.loader import render_to_string

from arena.live import frames
from tests.arena.live.scenes import Scene


def waiting() -> Scene:
    scene = Scene("full").menus().lane("A", "starting").calls("A")
    return scene.lane("A", "asking").asks("A", measured=0.81, threshold=0.5)


def test_a_call_that_waits_is_a_card_with_the_time_left_and_the_value_of_its_buttons() -> None:
    story = waiting().tell()
    (card,) = story.lanes[0].waiting
    assert (card.open, card.step) == (True, "step-a-1")
    assert card.value == "apr_a:" + "d" * 64
    assert card.meter is not None
    assert card.meter.fires
    assert card.arguments[1].value.endswith("(500 characters)")
    assert story.waiting == story.lanes


def test_the_card_escapes_foreign_text_once() -> None:
    story = waiting().tell()
    html = render_to_string("arena/_approval.html", {"card": story.lanes[0].waiting[0]})
    assert "&lt;b&gt;x&lt;/b&gt;" in html
    assert "<b>x</b>" not in html
    assert "&amp;lt;" not in html


@pytest.mark.parametrize(
    ("answer", "end", "shown"),
    [
        ("approved", "used", "approved and carried out"),
        ("denied", "", "denied"),
        ("", "expired", "expired, not carried out"),
        ("approved", "void", "void, not carried out"),
    ],
)
def test_what_became_of_a_question_stays_on_the_page(answer: str, end: str, shown: str) -> None:
    scene = waiting()
    if answer:
        scene.happens("approval.answered", "A", approval="apr_a", call=1, answer=answer, by="local")
    if end:
        scene.happens("approval.closed", "A", approval="apr_a", call=1, state=end)
    story = scene.tell()
    assert not story.waiting
    assert [card.state.word for card in story.asks] == [shown]


def test_a_live_page_gets_the_card_the_console_and_the_title_at_once() -> None:
    scene = waiting()
    html = frames.of(scene.tell(), len(scene.events) - 2).html
    assert "data-approval" in html
    assert "A waits for you" in html
    assert "<title>(?) " in html


def test_a_step_says_what_the_gate_decided_and_that_shadow_stops_nothing() -> None:
    scene = Scene("full").menus().lane("A", "starting").calls("A").decides("A", measured=0.7, threshold=0.5)
    (step,) = scene.tell().lanes[0].steps
    assert step.gate is not None
    assert (step.gate.state.word, step.gate.applied, step.gate.loud) == ("denied", True, True)
    shadow = Scene("full").menus().lane("A", "starting").calls("A").decides("A", mode="shadow", applied=False)
    (step,) = shadow.tell().lanes[0].steps
    html = render_to_string("arena/_step.html", {"story": shadow.tell(), "step": step})
    assert "would be denied" in html
    assert "recorded only" in html


def test_waiting_for_a_person_is_drawn_on_the_strip() -> None:
    strip = waiting().tell().strip
    assert strip.asked
    (track,) = strip.tracks
    assert [stretch.open for stretch in track.stretches if stretch.look == "asks"] == [True]
