"""Actions only get stricter."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from policy.engine.decisions import Action, Decision, strictest

ACTIONS = st.lists(st.sampled_from(Action))


@given(ACTIONS, st.sampled_from(Action))
def test_more_evidence_never_makes_a_decision_milder(actions: list[Action], more: Action) -> None:
    assert strictest([*actions, more]).strictness >= strictest(actions).strictness


def test_the_order_is_allow_ask_hold_deny() -> None:
    assert sorted(Action, key=lambda action: action.strictness) == ["allow", "ask", "hold", "deny"]
    assert strictest([]) is Action.ALLOW


def test_a_decision_tells_rule_and_measured_value() -> None:
    told = Decision(Action.DENY, "assessment.restriction-violation", "forbidden", "violates_restriction", True, 0.9)
    assert told.to_json()["action"] == "deny"
    assert told.to_json()["measured"] == 0.9
