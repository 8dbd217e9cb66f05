"""Scenarios played: labels never reach a receipt, a script never stands in for what is not offered."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.library import library
from arena.routing_bench import Scenario, attempt, scripted, summary
from arena.routing_bench.scripts import Weights, distribution, script
from policy.engine import receipts
from policy.engine.routing import CLARIFICATION_ID


def scenarios(menu_size: int = 8) -> dict[str, Scenario]:
    shelf = library()
    made = scripted(shelf.cases, shelf.catalog, menu_size=menu_size, seed=1)
    return {each.name: each for each in made}


def test_every_scripted_scenario_comes_out_as_the_seed_says() -> None:
    found = {name: attempt(each).selection for name, each in scenarios().items()}
    assert {name: (made.outcome.value, made.receipt.selected_ids) for name, made in found.items()} == {
        "read": ("selected", ("read_file",)),
        "patch": ("selected", ("propose_patch",)),
        "inspect": ("selected", ("inspect_agent",)),
        "ambiguous": ("needs_clarification", ()),
        "uncertain": ("needs_clarification", ()),
        "outage": ("unavailable", ()),
        "invalid": ("unavailable", ()),
    }
    assert found["patch"].tool_ids == ("read_file", "propose_patch")


def test_other_labels_change_no_receipt() -> None:
    plain = scenarios()["read"]
    other = replace(plain, case=replace(plain.case, acceptable=(frozenset({"send_mail"}),), ending="question"))
    first, second = attempt(plain), attempt(other)
    assert first.selection.receipt == second.selection.receipt
    assert first.receipt["call"] == second.receipt["call"]
    assert (first.figures.expectation_met, second.figures.expectation_met) == (True, False)


def test_a_script_has_no_bytes_and_no_time_of_its_own() -> None:
    trial = attempt(scenarios()["read"])
    assert trial.router_latency_ms is None
    assert trial.figures.router_request_bytes is not None
    assert trial.figures.provider_tokens is None


def test_every_receipt_replays() -> None:
    trials = [attempt(each) for each in scenarios().values()]
    assert {receipts.replay(trial.receipt).verdict for trial in trials} == {receipts.Verdict.SAME}


def test_the_lean_side_pays_for_the_question() -> None:
    found = summary([attempt(each) for each in scenarios(40).values()])
    assert found["leanContextEstimatedTokens"] < found["leanTotalEstimatedInputTokens"]
    assert found["leanTotalEstimatedInputTokens"] < found["fullContextEstimatedTokens"]
    assert (found["expectationMet"], found["executionLatencyMs"]) == ({"yes": 7, "of": 7}, None)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("a", "b", CLARIFICATION_ID), {"a": 0.7, "b": 0.3, CLARIFICATION_ID: 0.0}),
        (("b", CLARIFICATION_ID), {"b": 1.0, CLARIFICATION_ID: 0.0}),
        (("a", CLARIFICATION_ID), {"a": 0.7, CLARIFICATION_ID: 0.3}),
        (("c", CLARIFICATION_ID), {"c": 0.0, CLARIFICATION_ID: 1.0}),
    ],
)
def test_what_is_not_offered_goes_to_its_stand_in_or_to_asking_back(
    options: tuple[str, ...], expected: dict[str, float]
) -> None:
    weights = Weights("w", "c", {"a": 0.7, "b": 0.3}, stand_ins={"a": "b"})
    assert distribution(weights, options) == pytest.approx(expected)


def test_a_script_without_any_weight_asks_back() -> None:
    answers = script(Weights("w", "c"), ("a", CLARIFICATION_ID)).answers
    assert answers["tool"]["choice"]["choice"] == CLARIFICATION_ID
