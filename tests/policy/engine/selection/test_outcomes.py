"""Every outcome with its rule: what a host that withholds has to know."""

from __future__ import annotations

from typing import Any

import pytest

from policy.engine.failures import Failure, FailureCode
from policy.engine.profile import Limits, Profile
from policy.engine.selection import Candidate, DropReason, Mode, Outcome, Rule, Selection, Status
from policy.judges.scripted import Script, ScriptedJudge
from tests.policy.engine.doubles import select, tools

pytestmark = pytest.mark.usefixtures("either_way")

ONE_WEAK = {"dig": 0.3, "ping": 0.28, "__none__": 0.22, "x": 0.2}


def ended(selection: Selection) -> tuple[Status, Outcome, Rule]:
    return selection.status, selection.outcome, selection.rule


def test_a_strong_winner_is_selected() -> None:
    selection, _ = select({"pick_net": {"choice": "ping"}})
    assert ended(selection) == (Status.SELECTED, Outcome.SELECTED, Rule.SELECTED)
    assert selection.tool_ids == ("ping",)
    assert selection.reason == "picked ping (0.900), each at 0.350 or more"


def test_an_open_task_needs_a_question_and_no_pick_is_paid_for() -> None:
    selection, judge = select({"ask_first": {"noul": 0.6}, "rel_net": {"noul": 1}}, ask_first=True)
    assert ended(selection) == (Status.ABSTAINED, Outcome.NEEDS_CLARIFICATION, Rule.ASK_FIRST)
    assert selection.ask_first == 0.6
    assert len(judge.requests) == 1
    assert {dropped.reason for dropped in selection.dropped} == {DropReason.QUESTION_FIRST}


def test_a_task_below_the_ask_first_threshold_goes_on() -> None:
    selection, judge = select({"ask_first": {"noul": 0.599}}, ask_first=True)
    assert selection.outcome is Outcome.SELECTED
    assert list(judge.requests[0].questions) == ["rel_net", "ask_first"]


def test_ask_first_is_only_asked_when_the_host_wants_it() -> None:
    selection, judge = select()
    assert selection.ask_first is None
    assert "ask_first" not in judge.requests[0].questions


def test_a_weak_winner_shows_candidates_and_asks() -> None:
    spec = {"choice": "dig", "confidence": 0.5, "probabilities": ONE_WEAK}
    selection, _ = select({"pick_net": {"choice": spec}}, candidates=tools(net="dig ping x"))
    assert ended(selection) == (Status.ABSTAINED, Outcome.NEEDS_CLARIFICATION, Rule.WEAK_WINNER)
    assert [chosen.id for chosen in selection.expand] == ["dig", "ping", "x"]
    assert selection.reason == "the best fit is too weak: dig (0.300) below 0.350"


def test_no_relevant_category_is_no_match_and_names_the_nearest() -> None:
    selection, _ = select({"rel_net": {"noul": 0.2}})
    assert ended(selection) == (Status.ABSTAINED, Outcome.NO_MATCH, Rule.NO_RELEVANT_CATEGORY)
    assert selection.reason == "no category reaches relevance 0.500; the nearest is net at 0.200"
    assert [dropped.reason for dropped in selection.dropped] == [DropReason.CATEGORY_NOT_RELEVANT] * 2


def test_only_none_picks_are_no_match_even_with_alternatives() -> None:
    selection, _ = select({"pick_net": {"choice": {"choice": "__none__", "confidence": 0.8}}})
    assert ended(selection) == (Status.ABSTAINED, Outcome.NO_MATCH, Rule.NONE_FITS)
    assert [chosen.id for chosen in selection.expand] == ["dig", "ping"]


@pytest.mark.parametrize("candidates", [[], [Candidate("wipe", ("net",), restricted=True)]])
def test_without_a_tool_to_offer_nothing_is_asked(candidates: list[Candidate]) -> None:
    selection, judge = select(candidates=candidates)
    assert ended(selection) == (Status.ABSTAINED, Outcome.NO_MATCH, Rule.NO_CANDIDATES)
    assert judge.requests == []
    assert selection.diagnostics.usage.input_tokens == 0


@pytest.mark.parametrize("shares", [{"dig": 0.9, "ping": 0.1}, {"dig": 0.34, "ping": 0.33}])
def test_a_cap_of_zero_is_unavailable_and_not_no_match(shares: dict[str, float]) -> None:
    rest = {"__none__": 1 - sum(shares.values())}
    spec = {"choice": "dig", "confidence": 0.9, "probabilities": {**shares, **rest}}
    selection, _ = select({"pick_net": {"choice": spec}}, max_selected=0)
    assert ended(selection) == (Status.ABSTAINED, Outcome.UNAVAILABLE, Rule.CAP)


def test_a_cap_of_zero_does_not_hide_that_nothing_fits() -> None:
    selection, _ = select({"pick_net": {"choice": {"choice": "__none__", "confidence": 0.8}}}, max_selected=0)
    assert ended(selection) == (Status.ABSTAINED, Outcome.NO_MATCH, Rule.NONE_FITS)


def test_off_asks_nothing_and_allows_nothing() -> None:
    selection, judge = select(mode=Mode.OFF, always_allow=["help", "help"])
    assert ended(selection) == (Status.OFF, Outcome.UNAVAILABLE, Rule.OFF)
    assert judge.requests == []
    assert selection.always_allow == ("help",)


def test_shadow_computes_the_plan_but_is_not_applied() -> None:
    shadow, _ = select(mode=Mode.SHADOW)
    enforce, _ = select(mode=Mode.ENFORCE)
    assert shadow.selected == enforce.selected
    assert (shadow.applied, enforce.applied) == (False, True)


@pytest.mark.parametrize(
    "spec",
    [
        {"rel_net": {"noul": 1.2}},
        {"rel_net": {"omit": True}},
        {"rel_net": {"wrongType": True}},
        {"pick_net": {"choice": "ghost"}},
        {"pick_net": {"omit": True}},
        {"ask_first": {"noul": "0"}},
    ],
)
def test_an_invalid_answer_falls_back(spec: dict[str, Any]) -> None:
    selection, _ = select(spec, ask_first=True)
    assert ended(selection) == (Status.FALLBACK, Outcome.UNAVAILABLE, Rule.FAILURE)
    assert selection.failure is not None
    assert selection.failure.code is FailureCode.INVALID_RESPONSE
    assert selection.tool_ids == ()


def test_one_invalid_pick_of_several_spoils_the_plan() -> None:
    selection, _ = select({"pick_b": {"choice": "ghost"}}, candidates=tools(a="one", b="two"))
    assert selection.outcome is Outcome.UNAVAILABLE
    assert [result.relevance for result in selection.categories] == [0.5, 0.5]


def test_a_bad_envelope_around_good_answers_is_noted_and_does_not_spoil_them() -> None:
    judge = ScriptedJudge(Script(model="", usage={"input_tokens": -1}))
    selection, _ = select(judge=judge)
    assert selection.outcome is Outcome.SELECTED
    paths = [violation.path for violation in selection.diagnostics.requests[0].violations]
    assert paths == ["model", "usage.input_tokens"]


@pytest.mark.parametrize("failing", [0, 1, 2])
def test_a_failure_anywhere_keeps_what_was_measured_before(failing: int) -> None:
    failure = Failure(FailureCode.SERVER, "down")
    judge = ScriptedJudge(script_for=lambda _, call: Script(error=failure if call == failing else None))
    profile = Profile(limits=Limits(max_categories=1))
    selection, _ = select(judge=judge, candidates=tools(a="one", b="two"), profile=profile)
    assert selection.failure == failure
    assert [result.relevance for result in selection.categories] == [0.5] * failing + [None] * (2 - failing)
    assert selection.diagnostics.stages[-1] == "provider:failed"
