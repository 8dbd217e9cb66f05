"""Rules over answers: kinds, bounds, reasons."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy.engine.answers import Answer, ChoiceAnswer, NoulAnswer, ScoreAnswer
from policy.engine.decisions import Action
from policy.engine.profile import InvalidConfig
from policy.engine.rules import Rule, RuleKind, decide

ANSWERS: dict[str, Answer] = {
    "go": NoulAnswer(0.5),
    "team": ChoiceAnswer("a", {"a": 0.7, "b": 0.3}, 0.4),
    "sev": ScoreAnswer(1.25, {"0": 0.1, "1": 0.55, "2": 0.35}, 1.0),
}
FINE: dict[str, Any] = {
    "id": "host.rule",
    "kind": "noul-at-least",
    "question": "go",
    "action": "ask",
    "reason": "why",
    "value": 0.5,
}


def rule(kind: str, question: str, given: Any, **more: Any) -> Rule:
    place = "label" if kind.startswith("choice") else "value"
    return Rule(**{**FINE, "value": None, "kind": kind, "question": question, place: given, **more})


@pytest.mark.parametrize(
    ("kind", "question", "given", "reason"),
    [
        ("noul-at-least", "go", 0.5, "why (noul=0.500 >= 0.500)"),
        ("noul-below", "go", 1, "why (noul=0.500 < 1)"),
        ("choice-is", "team", "a", "why (choice=a)"),
        ("choice-not", "team", "b", "why (choice=a)"),
        ("confidence-below", "team", 0.41, "why (confidence=0.400 < 0.410)"),
        ("confidence-below", "sev", 1.5, "why (confidence=1 < 1.500)"),
        ("score-at-least", "sev", 1.25, "why (score=1.250 >= 1.250)"),
    ],
)
def test_a_rule_that_fires_tells_what_it_measured(kind: str, question: str, given: Any, reason: str) -> None:
    (decision,) = decide([rule(kind, question, given)], ANSWERS, applied=True)
    assert decision.reason == reason
    assert (decision.rule, decision.question, decision.applied) == ("host.rule", question, True)


@pytest.mark.parametrize(
    ("kind", "question", "given"),
    [
        ("noul-at-least", "go", 0.501),
        ("noul-below", "go", 0.5),
        ("choice-is", "team", "b"),
        ("choice-not", "team", "a"),
        ("confidence-below", "team", 0.4),
        ("score-at-least", "sev", 1.26),
    ],
)
def test_a_rule_below_its_bound_does_not_fire(kind: str, question: str, given: Any) -> None:
    assert decide([rule(kind, question, given)], ANSWERS, applied=True) == ()


@pytest.mark.parametrize("kind", list(RuleKind))
def test_a_rule_without_a_fitting_answer_is_passed_over(kind: RuleKind) -> None:
    wrong = "sev" if kind is not RuleKind.SCORE_AT_LEAST and kind is not RuleKind.CONFIDENCE_BELOW else "go"
    given = "a" if kind.startswith("choice") else 0
    rules = [rule(kind, "nobody", given), rule(kind, wrong, given)]
    assert decide(rules, ANSWERS, applied=True) == ()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"kind": "noul-above"}, "kind of rule"),
        ({"action": "permit"}, "action of rule"),
        ({"value": None}, "needs a value"),
        ({"value": True}, "needs a value"),
        ({"value": float("nan")}, "needs a value"),
        ({"label": "a"}, "no label"),
        ({"kind": "choice-is"}, "needs a label"),
    ],
)
def test_a_rule_that_could_never_apply_is_refused(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidConfig, match=message):
        Rule(**{**FINE, **wrong})


@given(st.floats(0, 1), st.floats(0, 1))
def test_at_least_and_below_share_out_every_value(measured: float, cut: float) -> None:
    rules = [rule("noul-at-least", "go", cut, id="up"), rule("noul-below", "go", cut, id="down")]
    (decision,) = decide(rules, {"go": NoulAnswer(measured)}, applied=False)
    assert (decision.rule == "up") == (measured >= cut)
    assert decision.action is Action.ASK
