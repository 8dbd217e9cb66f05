"""The list of all events: a sentence for every kind."""

from __future__ import annotations

from arena.events import KINDS
from tests.arena.live.scenes import Scene, whole


def test_every_event_is_one_row_in_order() -> None:
    scene = whole()
    rows = scene.tell().log
    assert [row.seq for row in rows] == list(range(1, len(scene.events) + 1))
    assert all(row.sentence for row in rows)


def test_a_row_names_its_lane_or_the_judge() -> None:
    rows = whole().tell().log
    assert {row.letter for row in rows if row.kind == "call.started"} == {"A", "B"}
    assert all(row.judge for row in rows if row.kind.startswith("judge."))


def test_a_refusal_is_told_with_its_sentence() -> None:
    scene = Scene("full").menus().lane("A", "starting").calls("A", ok=False, error="no such file")
    assert scene.tell().log[-1].sentence == "read_file refused after 0.06\u202fs: no such file"


def test_the_scene_of_these_tests_knows_almost_every_kind() -> None:
    scene = whole().happens("run.stop_requested", by="local")
    scene.happens("judge.failed", judge="local", stage="pick", code="TIMEOUT", message="too slow")
    scene.says("A", "Hm.").waits("A").malformed("A").fails("A").gated("A")
    told = {row.kind for row in scene.tell().log}
    assert told == set(KINDS)


def test_a_page_says_aloud_what_decides_and_nothing_else() -> None:
    scene = whole()
    said = [scene.tell(upto).said for upto in range(1, len(scene.events) + 1)]
    assert list(dict.fromkeys(said)) == [
        "",
        "The run: queued",
        "The run: routing",
        "The judge: Decided selected by the rule selection.selected.",
        "The run: running",
        "Lane A: Ended: answered.",
        "Lane B: Ended: answered.",
        "The run: settling",
        "The run: complete",
    ]
