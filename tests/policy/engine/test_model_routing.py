"""Model routing: what is offered, which rule decides, and that a target is never invented."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy.engine.failures import Failure, FailureCode
from policy.engine.mode import Mode
from policy.engine.model_routing import ModelRouting, Route, Rule, Status, Target, question_set_digest, route_model
from policy.engine.profile import InvalidConfig, Profile, Thresholds
from policy.engine.task_state import NOTICE
from policy.judges.scripted import Script, ScriptedJudge
from tests.policy.engine.doubles import drive

pytestmark = pytest.mark.usefixtures("either_way")

SMALL, MID, BIG = Target("acme", "small-1"), Target("acme", "mid-1"), Target("acme", "big-2")
ROUTES = {"fast": Route(SMALL), "reasoning": Route(BIG, "Proofs and long plans.")}


def routed(answer: Any = "reasoning", *, script: Script | None = None, **changed: Any) -> tuple[ModelRouting, Any]:
    judge = ScriptedJudge(script or Script({"route": {"choice": answer}}))
    call: dict[str, Any] = {
        "task": "prove it",
        "routes": ROUTES,
        "default_target": MID,
        "available": [SMALL, MID, BIG],
        "profile": Profile(),
        **changed,
    }
    return drive(route_model(**call), judge), judge


def asked(judge: ScriptedJudge) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    wire = judge.requests[0].to_wire()
    return wire["state"], wire["questions"]["route"]["criteria"]


def test_the_state_names_the_current_model_and_carries_the_notice() -> None:
    _, judge = routed(step="step 2")
    state, _ = asked(judge)
    assert state == {"task": "prove it", "step": "step 2", "notice": NOTICE, "default": "acme/mid-1"}


def test_a_class_is_offered_with_its_target_and_its_description() -> None:
    _, judge = routed()
    _, criteria = asked(judge)
    assert criteria == {
        "default": "Keep the currently selected model.",
        "fast": 'Route "fast" (acme/small-1).',
        "reasoning": 'Route "reasoning" (acme/big-2). Proofs and long plans.',
    }


def test_a_long_description_is_cut_and_the_loss_counted() -> None:
    told, judge = routed(routes={"reasoning": Route(BIG, "x" * 230)})
    assert asked(judge)[1]["reasoning"].endswith("x…")
    assert told.diagnostics.loss == {"route:reasoning": 30}


def test_a_class_without_a_target_is_not_offered_and_is_recorded() -> None:
    told, judge = routed(routes={**ROUTES, "fast": None})
    assert list(asked(judge)[1]) == ["default", "reasoning"]
    assert [dropped.to_json() for dropped in told.dropped] == [{"route": "fast", "reason": "no configured target"}]


@pytest.mark.parametrize(
    ("answer", "changed", "rule"),
    [
        ("reasoning", {}, Rule.ROUTED),
        ("default", {}, Rule.KEPT),
        ("reasoning", {"available": [SMALL]}, Rule.NOT_AVAILABLE),
        ({"choice": "fast", "confidence": 0.34}, {}, Rule.BELOW_THRESHOLD),
        ("ultra", {}, Rule.FAILURE),
        ("fast", {"routes": {}}, Rule.NO_ROUTES),
        ("fast", {"routes": {"fast": None}}, Rule.NO_ROUTES),
        ("fast", {"mode": Mode.OFF}, Rule.OFF),
    ],
)
def test_each_outcome_has_its_rule_and_only_a_route_changes_the_target(answer: Any, changed: Any, rule: Rule) -> None:
    told, _ = routed(answer, **changed)
    assert told.rule is rule
    assert (told.target, told.route) == ((BIG, "reasoning") if rule is Rule.ROUTED else (MID, None))
    assert told.reason


def test_off_asks_nobody() -> None:
    told, judge = routed(mode=Mode.OFF)
    assert (told.status, told.reason, told.diagnostics.stages) == (Status.OFF, "mode is off", ("mode:off",))
    assert judge.requests == []


def test_shadow_routes_and_is_not_applied() -> None:
    assert routed()[0].applied
    told, _ = routed(mode=Mode.SHADOW)
    assert (told.status, told.applied) == (Status.ROUTED, False)


def test_a_failure_keeps_the_model_and_names_the_code() -> None:
    told, _ = routed(script=Script(error=Failure(FailureCode.SERVER, "down")))
    assert told.reason == "routing failed (SERVER); keeping the existing model"
    assert told.failure is not None
    assert told.diagnostics.stages == ("model:choice", "provider:failed")


@pytest.mark.parametrize("name", ["default", "ultra", "", None])
def test_an_unknown_class_is_refused_before_anything_is_asked(name: Any) -> None:
    with pytest.raises(InvalidConfig, match="must be one of fast, balanced, reasoning"):
        routed(routes={name: Route(SMALL)})


@pytest.mark.parametrize("pair", [("", "m"), ("p", " "), ("p", None), ("p\ud800", "m")])
def test_a_target_needs_both_names(pair: Any) -> None:
    with pytest.raises(InvalidConfig, match="must be a non-empty text"):
        Target(*pair)


def test_the_result_as_json_holds_what_was_measured_and_no_time() -> None:
    told, _ = routed({"choice": "reasoning", "confidence": 0.8})
    decision = told.decision_json()
    assert (decision["rule"], decision["probability"], decision["confidence"]) == ("model.routed", 0.8, 0.8)
    assert decision["probabilities"] == {"default": 0.1, "fast": 0.1, "reasoning": 0.8}
    assert "latency_ms" not in str(decision)


def test_the_question_set_has_a_digest() -> None:
    assert len(question_set_digest()) == 64


@given(st.tuples(*[st.integers(1, 50)] * 3), st.floats(0, 1), st.sets(st.sampled_from([SMALL, MID, BIG])))
def test_whatever_is_answered_the_target_is_the_default_or_an_available_route(
    shares: tuple[int, int, int], cut: float, available: set[Target]
) -> None:
    spread = {name: share / sum(shares) for name, share in zip(("default", "fast", "reasoning"), shares, strict=True)}
    best = max(spread, key=lambda name: spread[name])
    profile = Profile(thresholds=Thresholds(model_route=cut))
    told, _ = routed({"choice": best, "probabilities": spread}, profile=profile, available=list(available))
    assert told.target == MID or told.target in available
    assert (told.status is Status.ROUTED) == (
        best != "default" and spread[best] >= cut and ROUTES[best].target in available
    )
