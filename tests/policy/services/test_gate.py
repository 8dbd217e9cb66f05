"""The gate: what other policies said stays, old answers are dropped, loops end, and no task is no permission."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy.engine.decisions import Action
from policy.engine.failures import Failure, FailureCode
from policy.engine.judge import JudgeReply, JudgeRequest
from policy.engine.mode import Mode
from policy.engine.profile import InvalidConfig, OnFailure, Profile
from policy.judges.scripted import Script, ScriptedJudge
from policy.services.gate import PROCEED, Gate, Kind, Ruling, Settings
from tests.policy.engine.assessment.calls import answers
from tests.policy.engine.doubles import drive
from tests.policy.engine.test_bounded_call import ARGUMENTS

pytestmark = pytest.mark.usefixtures("either_way")

HOLDING = Profile(on_failure=OnFailure(Action.HOLD))
DOWN = Script(error=Failure(FailureCode.SERVER, "down"))
CALL: dict[str, Any] = {"tool": "send_mail", "arguments": {"to": "ops@example.org"}}


class Meanwhile(ScriptedJudge):
    """Something happens while this judge answers."""

    def __init__(self, happens: Callable[[], object], script: Script | None = None) -> None:
        super().__init__(script or Script(answers()))
        self.happens = happens

    def ask(self, request: JudgeRequest, *, timeout_s: float) -> JudgeReply:
        self.happens()
        return super().ask(request, timeout_s=timeout_s)


def gate(profile: Profile | None = None, **settings: Any) -> Gate:
    """An enforcing gate with one agent, `a`, that has a task."""
    made = Gate(Settings(profile or Profile(), **{"mode": Mode.ENFORCE, **settings}))
    made.begin_step("a", said=["tell operations that the disk is full"])
    return made


def checked(made: Gate, script: Script | None = None, *, subject: str = "a", judge: Any = None, **call: Any) -> Ruling:
    judge = judge or ScriptedJudge(script or Script(answers()))
    return drive(made.check(subject, **{**CALL, **call}), judge, cancelled=lambda: False)


@pytest.mark.parametrize(
    ("script", "kind", "rule"),
    [
        (Script(answers()), Kind.ALLOW, None),
        (Script(answers(missing=0.9)), Kind.ASK, "assessment.missing-information"),
        (Script(answers(violates=0.9, missing=0.9)), Kind.DENY, "assessment.restriction-violation"),
        (DOWN, Kind.CANCEL, "assessment.failure.hold"),
    ],
)
def test_every_action_is_carried_out_with_its_reason(script: Script, kind: Kind, rule: str | None) -> None:
    ruling = checked(gate(HOLDING), script)
    assert (ruling.kind, ruling.rule) == (kind, rule)
    assert rule is None or ruling.reason.startswith("[jev] ")
    assert ruling.info == ({"name": "JevAssessment", "code": "JEV_DENIED"} if kind is Kind.DENY else {})


def test_the_judge_is_told_the_task_and_the_step() -> None:
    made, judge = gate(restrictions=("do not mail customers",)), ScriptedJudge(Script(answers()))
    made.begin_step("a")
    checked(made, judge=judge)
    state = judge.requests[0].to_wire()["state"]
    assert (state["task"], state["step"]) == ("tell operations that the disk is full", "step 2")
    assert state["restrictions"] == ["do not mail customers"]


@pytest.mark.parametrize("kind", [Kind.DENY, Kind.CANCEL])
def test_a_denial_of_another_policy_is_final_and_costs_no_request(kind: Kind) -> None:
    judge, theirs = ScriptedJudge(), Ruling(kind, "theirs")
    assert checked(gate(), judge=judge, downstream=theirs) is theirs
    assert judge.requests == []


@pytest.mark.parametrize("script", [Script(answers()), Script(answers(missing=0.9))])
def test_another_policys_question_keeps_its_own_words(script: Script) -> None:
    ruling = checked(gate(), script, downstream=Ruling(Kind.ASK, "theirs"))
    assert (ruling.kind, ruling.reason) == (Kind.ASK, "theirs")
    assert ruling.assessment is not None


@pytest.mark.parametrize("script", [Script(answers(violates=0.9)), DOWN])
@pytest.mark.parametrize("kind", Kind)
def test_in_shadow_others_decide_alone(script: Script, kind: Kind) -> None:
    ruling = checked(gate(mode=Mode.SHADOW), script, downstream=Ruling(kind, "theirs"))
    assert (ruling.kind, ruling.reason) == (kind, "theirs")


def test_off_asks_nothing() -> None:
    judge = ScriptedJudge()
    assert checked(gate(mode=Mode.OFF), judge=judge) is PROCEED
    assert judge.requests == []


@pytest.mark.parametrize(("profile", "kind"), [(Profile(), Kind.ASK), (HOLDING, Kind.CANCEL)])
def test_an_agent_without_a_known_task_is_a_failure(profile: Profile, kind: Kind) -> None:
    judge = ScriptedJudge(Script(answers()))
    ruling = checked(gate(profile), subject="nobody", judge=judge)
    assert (ruling.kind, ruling.rule, judge.requests) == (kind, "gate.no-state", [])
    assert checked(gate(profile, mode=Mode.SHADOW), subject="nobody").allowed


@pytest.mark.parametrize(
    "happens",
    [
        lambda made: made.begin_step("a", said=["something else"]),
        lambda made: made.begin_step("a"),
        lambda made: made.catalog_changed("a"),
        lambda made: made.end("a"),
        lambda made: made.configure(made.settings),
        lambda made: (made.end("a"), made.begin_step("a", said=["tell operations that the disk is full"])),
    ],
)
def test_an_answer_to_an_older_question_is_dropped(happens: Callable[[Gate], object]) -> None:
    made = gate()
    ruling = checked(made, judge=Meanwhile(lambda: happens(made)))
    assert (ruling.kind, ruling.rule, ruling.assessment) == (Kind.ASK, "gate.stale", None)
    assert "stale" in ruling.reason
    assert made.statistics.stale_discarded == 1


@pytest.mark.parametrize(("before", "after"), [(Mode.SHADOW, Mode.ENFORCE), (Mode.ENFORCE, Mode.SHADOW)])
def test_a_gate_that_enforced_before_or_after_lets_no_call_through_unassessed(before: Mode, after: Mode) -> None:
    made = gate(HOLDING, mode=before)
    ruling = checked(made, judge=Meanwhile(lambda: made.configure(Settings(HOLDING, mode=after))))
    assert (ruling.kind, ruling.rule) == (Kind.CANCEL, "gate.stale")


def test_what_happens_to_another_agent_makes_nothing_stale() -> None:
    made = gate()
    made.begin_step("b", said=["sweep the yard"])
    for happens in (made.catalog_changed, made.end):
        assert checked(made, judge=Meanwhile(partial(happens, "b"))).allowed


def test_the_end_of_an_agent_aborts_what_is_asked_for_it() -> None:
    made = gate()
    judge = Meanwhile(lambda: made.end("a"))
    ruling = drive(made.check("a", **CALL), judge, cancelled=lambda: made.gone("a"))
    assert ruling.kind is Kind.ASK
    assert made.statistics.assessment_failures == 1


def looped(made: Gate, times: int = 2, **call: Any) -> Ruling:
    for _ in range(times):
        made.finished("a", **{**CALL, **call})
    return checked(made, **call)


def test_the_third_identical_call_is_denied_without_a_judge() -> None:
    made, judge = gate(), ScriptedJudge()
    looped(made)
    ruling = checked(made, judge=judge)
    assert (ruling.kind, ruling.rule, judge.requests) == (Kind.DENY, "gate.loop", [])
    assert "2 times in a row" in ruling.reason
    assert made.statistics.loop_denials == 2


def test_another_call_and_another_message_of_the_user_end_a_loop() -> None:
    assert looped(gate(), 1).allowed
    made = gate()
    assert not looped(made).allowed
    assert checked(made, arguments={"to": "boss@example.org"}).allowed
    made.begin_step("a")
    assert not checked(made).allowed
    made.begin_step("a", said=["once more, please"])
    assert checked(made).allowed


def test_a_tool_that_polls_may_be_called_again() -> None:
    assert looped(gate(exempt=frozenset({"poll"})), 9, tool="poll").allowed


def test_repeats_count_in_every_mode_and_guard_as_soon_as_enforced() -> None:
    made = gate(mode=Mode.SHADOW)
    assert looped(made).allowed
    made.configure(Settings(Profile(), Mode.ENFORCE))
    assert checked(made).rule == "gate.loop"


def test_a_guard_that_is_switched_on_later_knows_what_came_before() -> None:
    made = gate(guard_loops=False, max_repeats=9)
    assert looped(made).allowed
    made.configure(Settings(Profile(), Mode.ENFORCE))
    assert checked(made).rule == "gate.loop"


def test_without_assessment_loops_still_end() -> None:
    made, judge = gate(assess=False), ScriptedJudge()
    assert checked(made, judge=judge).allowed
    assert looped(made).kind is Kind.DENY
    assert judge.requests == []


@pytest.mark.parametrize(
    ("unusable", "error"),
    [
        ({"mode": "loud"}, InvalidConfig),
        ({"restrictions": "one text"}, InvalidConfig),
        ({"redact_keys": ("-",)}, InvalidConfig),
        ({"include_risk": True, "risk_levels": ("one",)}, InvalidConfig),
        ({"max_repeats": 1}, TypeError),
    ],
)
def test_unusable_settings_are_refused_before_any_gate_has_them(unusable: dict[str, Any], error: type) -> None:
    with pytest.raises(error):
        Settings(Profile(), **unusable)


def test_statistics_count_what_was_applied_and_hold_no_value() -> None:
    made = gate()
    for script in (Script(answers()), Script(answers(missing=0.9)), Script(answers(violates=0.9)), DOWN):
        checked(made, script, arguments={"password": "hunter2"})
    told = made.statistics.to_json()
    assert {name: told[name] for name in ("assessments", "asks", "denials", "assessment_failures")} == {
        "assessments": 4,
        "asks": 2,
        "denials": 1,
        "assessment_failures": 1,
    }
    assert all(type(count) is int for count in told.values())
    assert made.statistics is not made.statistics


def test_a_repeated_call_is_logged_once_without_its_arguments(caplog: pytest.LogCaptureFixture) -> None:
    looped(gate(), 4, arguments={"password": "hunter2"}, tool="log\nin")
    (record,) = caplog.records
    assert "hunter2" not in record.getMessage()
    assert "\n" not in record.getMessage()


def test_a_missing_required_argument_asks_before_the_judge() -> None:
    judge = ScriptedJudge()
    ruling = checked(gate(), judge=judge, schema={"required": ["subject"]})
    assert (ruling.kind, ruling.rule, judge.requests) == (Kind.ASK, "assessment.missing-argument", [])


SCRIPTS = st.sampled_from([Script(answers()), Script(answers(missing=0.9)), Script(answers(violates=0.9)), DOWN])


@given(kind=st.sampled_from(Kind), script=SCRIPTS, mode=st.sampled_from(Mode), arguments=ARGUMENTS)
def test_no_judge_ever_weakens_another_policy(kind: Kind, script: Script, mode: Mode, arguments: Any) -> None:
    ruling = checked(gate(mode=mode), script, downstream=Ruling(kind, "theirs"), arguments=arguments)
    assert ruling.kind.strictness >= kind.strictness
    assert mode is Mode.ENFORCE or ruling.kind is kind


@given(code=st.sampled_from(FailureCode), profile=st.sampled_from([Profile(), HOLDING]))
def test_no_failure_lets_a_call_through(code: FailureCode, profile: Profile) -> None:
    assert not checked(gate(profile), Script(error=Failure(code, "broke"))).allowed


def test_a_ruling_with_its_assessment_can_be_stored() -> None:
    ruling = checked(gate(), Script(answers(violates=0.9)))
    assert ruling.assessment is not None
    assert json.dumps(ruling.assessment.to_json())
