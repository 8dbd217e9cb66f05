"""Assessment: what is asked, which rules fire, and what never reaches a judge."""

from __future__ import annotations

import json
from typing import Any

import pytest

from policy.engine.assessment import QUESTION_SET, Risk, Status, assess_call, question_set_digest
from policy.engine.call_state import CALL_NOTICE
from policy.engine.failures import Failure, FailureCode
from policy.engine.mode import Mode
from policy.engine.profile import InvalidConfig, OnFailure, Profile, Thresholds
from policy.judges.scripted import Script
from tests.policy.engine.assessment.calls import CALL, answers, assessed

pytestmark = pytest.mark.usefixtures("either_way")

HOLD = Profile(on_failure=OnFailure("hold"))  # type: ignore[arg-type]
SCHEMA = {"required": ["to", "subject"], "properties": {"to": {"type": "string"}, "subject": {"type": "string"}}}


def rules(told: Any) -> list[str]:
    return [decision.rule for decision in told.decisions]


def test_one_request_asks_three_questions_about_this_very_call() -> None:
    told, judge = assessed(step="step 2")
    (request,) = judge.requests
    assert list(request.questions) == ["matches_task", "missing_information", "violates_restriction"]
    assert request.state == {
        "task": "tell operations that the disk is full",
        "step": "step 2",
        "call": {"tool": "send_mail", "arguments": '{"to":"ops@example.org"}'},
        "restrictions": ["do not mail customers"],
        "untrusted_notice": CALL_NOTICE,
    }
    assert (told.status, told.applied) == (Status.ALLOW, True)


def test_an_allow_says_by_which_rule_and_what_was_measured() -> None:
    (decision,) = assessed()[0].decisions
    assert decision.rule == "assessment.clear"
    assert decision.applied
    for measured in ("violates_restriction=0.100 < 0.500", "missing_information=0.100", "matches_task=0.900 >= 0.350"):
        assert measured in decision.reason


def test_every_rule_that_fires_is_told_and_the_strictest_decides() -> None:
    told, _ = assessed(Script(answers(violates=0.5, missing=0.5, matches=0.349)))
    assert [(each.action, each.measured) for each in told.decisions] == [("deny", 0.5), ("ask", 0.5), ("ask", 0.349)]
    assert told.status is Status.DENY
    assert told.deciding is told.decisions[0]


def test_thresholds_are_those_of_the_profile() -> None:
    strict = Profile(thresholds=Thresholds(restriction=0.05))
    assert rules(assessed(profile=strict)[0]) == ["assessment.restriction-violation"]


def test_in_shadow_nothing_is_applied() -> None:
    told, judge = assessed(Script(answers(violates=0.9)), mode=Mode.SHADOW)
    assert (told.status, told.applied, told.decisions[0].applied) == (Status.DENY, False, False)
    assert len(judge.requests) == 1


def test_off_asks_nothing_and_decides_nothing() -> None:
    told, judge = assessed(mode=Mode.OFF, arguments={"body": "x" * 1201}, schema=SCHEMA)
    assert (told.status, told.action, told.decisions, told.arguments_truncated) == (Status.OFF, None, (), True)
    assert judge.requests == []


@pytest.mark.parametrize(("profile", "action"), [(Profile(), "ask"), (HOLD, "hold")])
def test_a_failure_is_the_failure_action_and_says_its_code(profile: Profile, action: str) -> None:
    told, _ = assessed(Script(error=Failure(FailureCode.RATE_LIMIT, "slow down")), profile=profile)
    assert (told.status, rules(told)) == (action, [f"assessment.failure.{action}"])
    assert told.decisions[0].reason == "no assessment available: RATE_LIMIT"


@pytest.mark.parametrize("name", ["matches_task", "missing_information", "violates_restriction"])
@pytest.mark.parametrize("spoiled", [{"omit": True}, {"wrongType": True}, {"noul": 1.01}])
def test_any_of_the_three_that_is_invalid_fails_the_assessment(name: str, spoiled: dict[str, Any]) -> None:
    told, _ = assessed(Script({**answers(), name: spoiled}))
    assert told.failure is not None
    assert (told.status, told.failure.code) == (Status.ASK, FailureCode.INVALID_RESPONSE)
    assert told.values.violates_restriction is None


def test_risk_is_told_and_never_gates() -> None:
    script = Script(answers(risk={"score": {"score": 2, "confidence": 1}}))
    told, judge = assessed(script, include_risk=True)
    assert (told.status, told.values.risk) == (Status.ALLOW, Risk(2.0, 1.0))
    assert list(judge.requests[0].questions)[-1] == "risk"


@pytest.mark.parametrize("spoiled", [{"omit": True}, {"wrongType": True}, {"score": 9}])
def test_a_bad_risk_drops_the_risk_only(spoiled: dict[str, Any]) -> None:
    told, _ = assessed(Script(answers(risk=spoiled)), include_risk=True)
    assert (told.status, told.values.risk, told.failure) == (Status.ALLOW, None, None)
    assert told.diagnostics.requests[0].violations


@pytest.mark.parametrize("levels", [["one"], ["x"] * 11, "two levels", [1, 2]])
def test_a_rubric_of_another_size_is_refused_at_once(levels: Any) -> None:
    with pytest.raises(InvalidConfig, match="riskLevels must be a list of 2 to 10 texts"):
        assess_call(**CALL, include_risk=True, risk_levels=levels)


def test_a_single_text_is_no_list_of_restrictions() -> None:
    with pytest.raises(InvalidConfig, match="restrictions must be a list"):
        assess_call(**{**CALL, "restrictions": "do not mail customers"})


@pytest.mark.parametrize(
    ("changed", "place"),
    [
        ({"arguments": {"body": "x" * 1201}}, "arguments.body"),
        ({"arguments": {"to": list(range(25))}}, "arguments.to"),
        ({"arguments": {f"k{number}": 1 for number in range(65)}}, "arguments"),
        ({"arguments": {"a": {"b": {"c": {"d": {}}}}}}, "arguments.a.b.c.d"),
        ({"arguments": {f"p{number}": "x" * 1000 for number in range(5)}}, "call"),
        ({"arguments": {"cmd": "curl -H Cookie: a; rm -rf /"}}, "arguments.cmd"),
        ({"arguments": {"n": {1, 2}}}, "arguments.n"),
        ({"tool": " "}, "tool"),
        ({"restrictions": ["x" * 1201]}, "restrictions[0]"),
        ({"restrictions": ["x" * 1000] * 5}, "restrictions"),
        ({"restrictions": ["never", "send token=abc"]}, "restrictions[1]"),
    ],
)
def test_what_a_judge_would_not_see_whole_is_not_sent(changed: dict[str, Any], place: str) -> None:
    told, judge = assessed(**changed)
    assert judge.requests == []
    assert (told.status, rules(told)) == (Status.ASK, ["assessment.incomplete-input"])
    assert told.failure is not None
    assert (told.failure.code, told.failure.violations[0].path) == (FailureCode.INCOMPLETE_INPUT, place)
    assert place in told.decisions[0].reason


def test_more_restrictions_than_an_array_may_have_items_are_all_sent() -> None:
    many = [f"do not touch host {number}" for number in range(60)]
    told, judge = assessed(restrictions=many)
    assert judge.requests[0].to_wire()["state"]["restrictions"] == list(told.restrictions) == many


def test_a_text_that_looks_like_a_marker_is_sent() -> None:
    assert len(assessed(arguments={"body": "see …[truncated] and [depth limit]"})[1].requests) == 1


def test_a_missing_required_argument_asks_without_a_judge() -> None:
    told, judge = assessed(schema=SCHEMA)
    assert judge.requests == []
    assert (told.status, rules(told), told.failure) == (Status.ASK, ["assessment.missing-argument"], None)
    assert told.decisions[0].applied
    assert "subject is absent" in told.decisions[0].reason


def test_arguments_that_are_no_object_lack_all_that_is_required() -> None:
    told, _ = assessed(schema=SCHEMA, arguments="to: ops")
    assert rules(told) == ["assessment.missing-argument"]


def test_a_call_with_all_required_arguments_goes_to_the_judge() -> None:
    told, judge = assessed(schema=SCHEMA, arguments={"to": "ops@example.org", "subject": "disk"})
    assert (told.status, len(judge.requests)) == (Status.ALLOW, 1)


def test_secrets_are_sent_nowhere_and_told_nowhere() -> None:
    told, judge = assessed(
        task="log in with password=hunter2 please",
        step="use Bearer hunter2token1",
        arguments={"apiKey": "hunter2", "cmd": "curl -H 'Authorization: Basic hunter2'", "ssn": "hunter2"},
        redact_keys=["SSN"],
    )
    assert len(judge.requests) == 1
    assert b"hunter2" not in judge.requests[0].encoded()
    assert "hunter2" not in json.dumps(told.to_json())


def test_text_in_other_scripts_is_sent_readable_and_counted_by_code_points() -> None:
    told, judge = assessed(arguments={"body": "ü" * 1200})
    assert told.losses == ()
    assert "üü" in judge.requests[0].to_wire()["state"]["call"]["arguments"]


def test_a_long_task_is_cut_and_counted_and_the_call_still_assessed() -> None:
    told, _ = assessed(task="x" * 4_010, step="y" * 1_001)
    assert (told.status, dict(told.diagnostics.loss)) == (Status.ALLOW, {"task": 10, "step": 1})


def test_the_same_call_has_the_same_signature_whatever_the_order_and_mode() -> None:
    one = assessed(arguments={"a": 1, "b": 2})[0].signature
    assert one == assessed(arguments={"b": 2, "a": 1}, mode=Mode.OFF)[0].signature
    assert one != assessed(arguments={"a": 1, "b": 3})[0].signature
    assert len(one) == 16


def test_the_result_is_json_and_names_what_was_weighed() -> None:
    told = json.loads(json.dumps(assessed(Script(answers(violates=0.9)))[0].to_json()))
    assert told["rule"] == "assessment.restriction-violation"
    assert told["restrictions"] == ["do not mail customers"]
    assert told["values"]["violates_restriction"] == 0.9
    assert told["diagnostics"]["stages"] == ["assessment:batched"]
    assert "latency_ms" not in json.dumps(assessed()[0].decision_json())


def test_the_texts_are_versioned_by_digest() -> None:
    """Another wording is another question set: its name must change with it."""
    assert QUESTION_SET == "tool-call/1"
    assert question_set_digest().startswith("149fe1426951314b")
