"""What holds for every call and every judge."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy.engine.decisions import Action
from policy.engine.failures import Failure, FailureCode
from policy.engine.mode import Mode
from policy.engine.profile import OnFailure, Profile, Thresholds
from policy.judges.scripted import Script
from tests.policy.engine.assessment.calls import answers, assessed
from tests.policy.engine.test_bounded_call import ARGUMENTS

pytestmark = pytest.mark.usefixtures("either_way")

NOUL = st.floats(0, 1)
PROFILES = st.builds(
    lambda restriction, missing, match, action: Profile(
        thresholds=Thresholds(restriction=restriction, missing_information=missing, task_match=match),
        on_failure=OnFailure(action),
    ),
    NOUL,
    NOUL,
    NOUL,
    st.sampled_from([Action.ASK, Action.HOLD]),
)
SPOILED = st.sampled_from([{"omit": True}, {"wrongType": True}, {"noul": -0.1}, {"noul": 2}])
QUESTIONS = st.sampled_from(["matches_task", "missing_information", "violates_restriction"])


def strictness(nouls: tuple[float, float, float], profile: Profile) -> int:
    action = assessed(Script(answers(*nouls)), profile=profile)[0].action
    assert action is not None
    return action.strictness


@given(profile=PROFILES, nouls=st.tuples(NOUL, NOUL, NOUL), worse=st.tuples(NOUL, NOUL, NOUL))
def test_more_evidence_against_a_call_never_loosens_the_decision(
    profile: Profile, nouls: tuple[float, float, float], worse: tuple[float, float, float]
) -> None:
    violates, missing, matches = (max(nouls[0], worse[0]), max(nouls[1], worse[1]), min(nouls[2], worse[2]))
    assert strictness((violates, missing, matches), profile) >= strictness(nouls, profile)


@given(profile=PROFILES, name=QUESTIONS, spoiled=SPOILED, mode=st.sampled_from([Mode.SHADOW, Mode.ENFORCE]))
def test_a_spoiled_answer_never_allows(profile: Profile, name: str, spoiled: dict[str, Any], mode: Mode) -> None:
    told, _ = assessed(Script({**answers(), name: spoiled}), profile=profile, mode=mode)
    assert told.action is profile.on_failure.tool_assessment
    assert told.failure is not None


@given(profile=PROFILES, code=st.sampled_from(FailureCode))
def test_no_failure_of_any_kind_allows(profile: Profile, code: FailureCode) -> None:
    told, _ = assessed(Script(error=Failure(code, "broke")), profile=profile)
    assert told.action is profile.on_failure.tool_assessment


@given(arguments=ARGUMENTS | st.text(max_size=5) | st.none(), tool=st.text(max_size=5), task=st.text(max_size=9))
def test_any_call_is_assessed_whole_or_not_at_all(arguments: Any, tool: str, task: str) -> None:
    told, judge = assessed(arguments=arguments, tool=tool, task=task)
    json.dumps(told.to_json(), allow_nan=False).encode()
    assert bool(judge.requests) == (told.losses == ())
    assert told.losses == () or told.action is Action.ASK
    for request in judge.requests:
        request.encoded().decode()


@given(nouls=st.tuples(NOUL, NOUL, NOUL), levels=st.integers(0, 2))
def test_risk_changes_no_decision(nouls: tuple[float, float, float], levels: int) -> None:
    plain, _ = assessed(Script(answers(*nouls)))
    risky, _ = assessed(Script(answers(*nouls, risk={"score": levels})), include_risk=True)
    assert (plain.status, plain.decisions) == (risky.status, risky.decisions)
