"""The flow of a selection: what is asked in which request, and what is written down."""

from __future__ import annotations

import json
from typing import Any

import pytest

from policy.engine.contract import Usage
from policy.engine.failures import Failure, FailureCode
from policy.engine.profile import InvalidConfig, Limits, Profile
from policy.engine.selection import Candidate, Dropped, DropReason, select_tools
from policy.engine.task_state import NOTICE
from policy.judges.scripted import Script, ScriptedJudge
from tests.policy.engine.doubles import select, tools

pytestmark = pytest.mark.usefixtures("either_way")

RELEVANT = {"rel_a": {"noul": 0.9}, "rel_b": {"noul": 0.1}, "rel_c": {"noul": 0.7}}


def asked(judge: ScriptedJudge) -> list[list[str]]:
    return [list(request.questions) for request in judge.requests]


def test_picks_of_all_relevant_categories_travel_in_one_request() -> None:
    _, judge = select(RELEVANT, candidates=tools(a="one", b="two", c="three"))
    assert asked(judge) == [["rel_a", "rel_b", "rel_c"], ["pick_a", "pick_c"]]
    assert [request.stage for request in judge.requests] == ["relevance:batch-1", "pick:batch-1"]


def test_relevance_is_asked_in_batches_of_max_categories() -> None:
    profile = Profile(limits=Limits(max_categories=2))
    _, judge = select(RELEVANT, candidates=tools(a="one", b="two", c="three"), profile=profile, ask_first=True)
    assert asked(judge) == [["rel_a", "rel_b", "ask_first"], ["rel_c"], ["pick_a", "pick_c"]]


def test_picks_are_split_when_they_are_too_long_for_one_request() -> None:
    long = [Candidate(f"t{number}" + "x" * 800, (f"c{number}",)) for number in range(90)]
    selection, judge = select(candidates=long, max_selected=90)
    assert [request.stage for request in judge.requests][-2:] == ["pick:batch-1", "pick:batch-2"]
    assert len(selection.selected) == 90


def test_every_request_carries_task_step_and_notice() -> None:
    _, judge = select(step="now look")
    states = [request.to_wire()["state"] for request in judge.requests]
    assert states == [{"task": "look up the host", "step": "now look", "notice": NOTICE}] * 2


def test_a_restricted_tool_is_neither_sent_nor_always_allowed() -> None:
    candidates = [*tools(net="dig"), Candidate("wipe_disk", ("net",), "Erase it", restricted=True)]
    selection, judge = select(candidates=candidates, always_allow=["wipe_disk", "help"], member_lines=True)
    assert "wipe_disk" not in json.dumps([request.to_wire() for request in judge.requests])
    assert selection.tool_ids == ("dig", "help")
    assert Dropped("wipe_disk", DropReason.RESTRICTED) in selection.dropped


def test_every_candidate_left_out_has_a_reason_and_its_probability() -> None:
    spec = {"choice": "t1", "confidence": 0.1, "probabilities": {"t1": 0.5, "t2": 0.3, "t3": 0.15, "__none__": 0.05}}
    candidates = [*tools(a="t1 t2 t3"), *tools(b="t4"), Candidate("", ("a",))]
    answers = {"rel_b": {"noul": 0.1}, "pick_a": {"choice": spec}}
    selection, _ = select(answers, candidates=candidates, max_selected=2)
    assert selection.dropped == (
        Dropped("", DropReason.EMPTY),
        Dropped("t3", DropReason.CAP, 0.15, "a"),
        Dropped("t4", DropReason.CATEGORY_NOT_RELEVANT, None, "b"),
    )


def test_a_tool_of_two_categories_is_dropped_once_with_its_better_probability() -> None:
    answers = {"rel_b": {"noul": 0.1}, "pick_a": {"choice": "one"}}
    selection, _ = select(answers, candidates=[*tools(b="x"), Candidate("both", ("b", "a")), *tools(a="one")])
    assert {(each.id, each.reason, each.probability) for each in selection.dropped} == {
        ("x", DropReason.CATEGORY_NOT_RELEVANT, None),
        ("both", DropReason.NOT_PICKED, 0.05),
    }


def test_each_category_keeps_relevance_and_pick() -> None:
    selection, _ = select(RELEVANT, candidates=tools(a="one", b="two", c="three"))
    told = {result["category"]: result for result in selection.to_json()["categories"]}
    assert told["b"] == {"category": "b", "relevance": 0.1, "relevant": False, "pick": None}
    assert told["c"]["pick"]["choice"] == "three"
    assert told["c"]["pick"]["probabilities"] == {"three": 0.9, "__none__": 0.1}


def test_a_category_in_chunks_shows_the_pick_of_each() -> None:
    profile = Profile(limits=Limits(max_candidates_per_question=1))
    selection, _ = select(profile=profile)
    told = selection.to_json()["categories"][0]
    assert told["pick"]["tool"] == "dig"
    assert [pick["tool"] for pick in told["further_picks"]] == ["ping"]


def test_usage_and_latency_are_summed_over_the_requests() -> None:
    judge = ScriptedJudge(Script(usage={"input_tokens": 7, "output_tokens": 2}))
    selection, _ = select(judge=judge)
    assert selection.diagnostics.usage == Usage(14, 4)
    assert selection.diagnostics.latency_ms == 0.0


@pytest.mark.parametrize("usage", [None, {"output_tokens": 3}])
def test_one_unknown_count_makes_the_sum_unknown(usage: Any) -> None:
    judge = ScriptedJudge(script_for=lambda _, call: Script(usage=usage) if call else Script())
    selection, _ = select(judge=judge)
    assert selection.diagnostics.usage.input_tokens is None


def test_tokens_and_time_of_a_failed_request_are_unknown() -> None:
    judge = ScriptedJudge(Script(error=Failure(FailureCode.SERVER, "down")))
    selection, _ = select(judge=judge)
    assert selection.diagnostics.usage == Usage()
    assert selection.diagnostics.latency_ms is None


def test_diagnostics_name_stages_models_sizes_and_losses() -> None:
    selection, _ = select(task="t" * 4100)
    told = selection.to_json()["diagnostics"]
    assert told["stages"] == ["relevance:batch-1", "pick:net", "policy:1-selected"]
    assert told["models"] == ["mock/jev-synthetic"]
    assert told["question_sizes"] == {"pick_net": 3}
    assert told["loss"] == {"task": 100}


def test_a_selection_is_plain_json() -> None:
    selection, _ = select({"pick_net": {"choice": {"choice": "__none__", "confidence": 0.8}}}, ask_first=True)
    assert json.loads(json.dumps(selection.to_json())) == selection.to_json()


@pytest.mark.parametrize(
    "options", [{"max_selected": -1}, {"max_selected": True}, {"max_selected": 1.5}, {"mode": "on"}]
)
def test_bad_options_are_refused_before_anything_is_asked(options: dict[str, Any]) -> None:
    with pytest.raises(InvalidConfig):
        select_tools(task="t", candidates=[], profile=Profile(), **options)
