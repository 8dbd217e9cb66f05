"""What a run says of a smaller menu under a prompt cache: from its own sizes, requests and prices."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from arena.evidence import menu_pays
from arena.live import story_pays
from arena.models import Lane
from policy.model_prices import Rates

WRITES = Rates(Decimal(4), Decimal(20), Decimal("0.4"), Decimal(5), "a table")


def lane(position: int, arm: str, tokens: float | None, menu: list[Any] | None = None) -> Lane:
    metrics = {"measured": {"menu_tokens": {"value": tokens}}}
    return Lane(position=position, arm=arm, metrics=metrics, menu=[{"id": "x"}] if menu is None else menu)


def told(rates: Rates | None = WRITES, selected: float = 4_000) -> dict[str, Any]:
    lanes = [lane(0, "full", 20_000), lane(1, "selected", selected)]
    # 2,000 behind the menu before the first growth of 1,000, as in the worked example of the method.
    found = menu_pays.of(lanes, {0: (23_000, 24_000, 25_000), 1: (7_000,)}, rates)
    assert found is not None
    return found


def test_the_worked_example_is_told_from_a_runs_own_requests() -> None:
    found = told()
    assert [round(found[key], 2) for key in ("share", "kept", "changed_once")] == [0.2, 0.47, 0.64]
    assert [round(found[key], 2) for key in ("anew_uncached", "anew_written")] == [1.79, 2.24]
    assert not found["assumed"]
    assert found["break_even_share"] < 0


def test_unknown_prices_are_the_commonest_ones_and_said_to_be_assumed() -> None:
    free = Rates(Decimal(0), Decimal(0), None, None, "no model, no cost")
    for rates in (None, free):
        found = told(rates)
        assert found["assumed"]
        assert found["kept"] == pytest.approx(told()["kept"])


@pytest.mark.parametrize(
    "lanes",
    [
        [lane(0, "selected", 4_000)],
        [lane(0, "full", 20_000)],
        [lane(0, "full", 20_000), lane(1, "bm25", 4_000)],
        [lane(0, "full", None), lane(1, "selected", 4_000)],
        [lane(0, "full", 20_000), lane(1, "selected", 4_000, [])],
    ],
)
def test_without_both_menus_nothing_is_said(lanes: list[Lane]) -> None:
    assert menu_pays.of(lanes, {0: (23_000,), 1: (7_000,)}, WRITES) is None


def test_the_sentence_names_the_last_turn_that_pays() -> None:
    found = told()
    turn = found["break_even_turn"]
    story = story_pays.tell(found)
    assert story.sentence.startswith("The selected menu is 20")
    assert f"it pays for {turn} turn" in story.sentence
    assert [way.dearer for way in story.ways] == [False, False, True, True]


@pytest.mark.parametrize(("turn", "says"), [(None, "It pays however it is served."), (0, "never pays")])
def test_always_and_never_are_said_in_words(turn: int | None, says: str) -> None:
    assert says in story_pays.tell(told() | {"break_even_turn": turn}).sentence
