"""When asking is better than guessing."""

from __future__ import annotations

import pytest

from arena.agents import clauses, doubts

VAGUE = ("Improve it.", "Please make this better.", "Fix that, please.", "Clean up the helper.", "Mach es besser.")
CLEAR = (
    "Fix the rounding of prices in the cart.",
    "Improve src/helper.ts.",
    "Cancel order 4801.",
    "Which version is live?",
    "Storniere die Bestellung von Frau Holm.",
)


def vague(task: str, **values: str) -> bool:
    return doubts.all_vague(clauses.read(task).steps, values)


@pytest.mark.parametrize("task", VAGUE)
def test_an_unspecific_wish_without_a_target_is_vague(task: str) -> None:
    assert vague(task)


@pytest.mark.parametrize("task", CLEAR)
def test_a_target_or_enough_words_make_a_task_clear(task: str) -> None:
    assert not vague(task)


def test_known_facts_make_a_task_clear() -> None:
    assert not vague("Improve it.", path="src/helper.ts")


def test_one_clear_step_is_enough_to_begin() -> None:
    assert not vague("Read src/helper.ts and improve it.")
