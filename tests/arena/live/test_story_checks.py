"""The check table: one row per item, one column per lane."""

from __future__ import annotations

from tests.arena.live.scenes import Scene, whole


def test_what_both_lanes_gave_alike_stands_once() -> None:
    checks = whole().tell().checks
    assert checks is not None
    (item,) = checks.items
    assert item.got == (("", "read"),)
    assert [cell.state.word for cell in item.cells] == ["passed", "passed"]


def test_an_item_that_a_lane_does_not_have_is_no_failure_of_it() -> None:
    scene = whole()
    scene.events[-2].payload["items"] = [{"title": "Nothing fits", "passed": True, "got": "withheld"}]
    checks = scene.tell().checks
    assert checks is not None
    assert [[cell.state.word for cell in item.cells] for item in checks.items] == [
        ["passed", "no check"],
        ["no check", "passed"],
    ]
    assert checks.items[0].got == (("A", "read"),)


def test_a_run_that_was_never_checked_has_no_table() -> None:
    assert Scene().state("failed", message="routing broke").tell().checks is None
