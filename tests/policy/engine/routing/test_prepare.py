"""Preparing a context: shadow shows everything, lean what was selected, a cancellation nothing."""

from __future__ import annotations

from typing import Any

import pytest

from policy.engine.journal import Journal
from policy.engine.routing import Prepared, adapter, prepare_tool_context
from policy.engine.routing.judged import judged
from policy.judges.scripted import Script, ScriptedJudge
from tests.policy.engine.doubles import drive
from tests.policy.engine.routing.doubles import POLICY, SHARES, TOOLS, Says, evidence


def prepared(mode: str, router: Says | None = None, **more: Any) -> Prepared:
    arguments: dict[str, Any] = {
        "catalog": TOOLS,
        "intent": "Find it.",
        "available_ids": ["look", "study", "draft"],
        "policy": POLICY,
        "source": "mock",
        "mode": mode,
        **more,
    }
    return adapter.run(prepare_tool_context(**arguments), router or Says(evidence()))


@pytest.mark.parametrize("mode", ["shadow", "lean"])
def test_the_context_is_one_of_the_two(mode: str) -> None:
    made = prepared(mode)
    assert made.context is (made.full if mode == "shadow" else made.lean)
    assert (made.full.loaded_ids, made.lean.loaded_ids) == (("look", "study", "draft"), ("look",))


def test_what_was_loaded_before_is_copied_and_evicted_in_its_order() -> None:
    previous = ["draft", "study", "look"]
    made = prepared("lean", Says(evidence(), lambda request: previous.clear()), previous=previous)
    assert (made.context.added_ids, made.context.evicted_ids) == ((), ("draft", "study"))


@pytest.mark.parametrize("mode", ["shadow", "lean"])
def test_a_cancellation_at_the_hand_over_keeps_the_selection_and_shows_nothing(mode: str) -> None:
    looks: list[int] = []

    def late() -> bool:
        looks.append(1)
        return len(looks) > 2

    made = prepared(mode, cancelled=late, previous=["look"])
    assert made.receipt.selected_ids == made.lean.loaded_ids == ("look",)
    assert (made.context.loaded_ids, made.context.evicted_ids) == ((), ("look",))
    assert made.context.mode == "lean"


@pytest.mark.usefixtures("either_way")
def test_a_judge_prepares_a_context_through_either_driver() -> None:
    script = Script({"tool": {"choice": {"choice": "study", "confidence": 0.9, "probabilities": SHARES}}})
    steps = prepare_tool_context(
        catalog=TOOLS,
        intent="Find it.",
        available_ids=["look", "study", "draft"],
        policy=POLICY,
        source="judge",
        mode="lean",
        model=None,
    )
    journal = Journal()
    made = drive(judged(steps, journal), ScriptedJudge(script))
    assert (made.context.loaded_ids, journal.stages) == (("look",), ["route"])


def test_a_result_cannot_be_changed() -> None:
    made = prepared("lean")
    with pytest.raises(AttributeError):
        made.context = made.full  # type: ignore[misc]
    made.context.tools[0].schema_json()["properties"].clear()
    assert "Which one." in made.context.serialized
