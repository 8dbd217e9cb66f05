"""Skill routing: what is offered, the three thresholds, the bounds on each text."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy.engine.failures import Failure, FailureCode
from policy.engine.mode import Mode
from policy.engine.profile import InvalidConfig, Limits, Profile, Thresholds
from policy.engine.skill_routing import DropReason, Rule, Skill, SkillRouting, Status, question_set_digest, route_skill
from policy.engine.task_state import NOTICE
from policy.judges.scripted import Script, ScriptedJudge
from tests.policy.engine.doubles import drive

pytestmark = pytest.mark.usefixtures("either_way")

SKILLS = [Skill("pdf-forms", "Fill in PDF forms"), Skill("sql-tuning", "Speed up SQL.", "slow query reports")]


def routed(
    needs: float = 0.8, answer: Any = "sql-tuning", *, script: Script | None = None, **changed: Any
) -> tuple[SkillRouting, ScriptedJudge]:
    judge = ScriptedJudge(script or Script({"needs_skill": {"noul": needs}, "skill": {"choice": answer}}))
    call: dict[str, Any] = {"task": "why so slow", "candidates": SKILLS, "profile": Profile(), **changed}
    return drive(route_skill(**call), judge), judge


def criteria(judge: ScriptedJudge) -> dict[str, Any]:
    found: dict[str, Any] = judge.requests[0].to_wire()["questions"]["skill"]["criteria"]
    return found


def test_both_questions_share_one_request_with_the_notice() -> None:
    told, judge = routed()
    (request,) = judge.requests
    assert list(request.questions) == ["needs_skill", "skill"]
    assert request.state == {"task": "why so slow", "notice": NOTICE}
    assert (told.status, told.rule, told.skill) == (Status.SELECTED, Rule.SELECTED, "sql-tuning")


def test_a_skill_is_offered_with_both_its_texts() -> None:
    _, judge = routed(candidates=[*SKILLS, Skill("bare"), Skill("when", None, "at night")], answer="bare")
    assert criteria(judge) == {
        "__none__": "No skill is needed for this turn.",
        "pdf-forms": "Fill in PDF forms",
        "sql-tuning": "Speed up SQL. When to use: slow query reports",
        "bare": None,
        "when": "When to use: at night",
    }


def test_a_long_description_leaves_the_hint_whole_and_the_loss_is_counted() -> None:
    told, judge = routed(
        candidates=[Skill("x", "d" * 300, "for invoices")],
        answer="x",
        routing_hints={"x": "in Dutch", "y": "?"},
        max_description_chars=50,
    )
    assert criteria(judge)["x"] == "d" * 50 + "… When to use: for invoices in Dutch"
    assert told.diagnostics.loss == {"skill:x": 250}


@pytest.mark.parametrize(
    ("needs", "answer", "rule"),
    [
        (0.49, "sql-tuning", Rule.NOT_NEEDED),
        (0.9, "__none__", Rule.NONE),
        (0.9, {"choice": "sql-tuning", "confidence": 0.34}, Rule.BELOW_THRESHOLD),
        (
            0.9,
            {
                "choice": "sql-tuning",
                "confidence": 0.29,
                "probabilities": {"__none__": 0.1, "pdf-forms": 0.2, "sql-tuning": 0.7},
            },
            Rule.UNSURE,
        ),
    ],
)
def test_no_skill_is_suggested_below_any_threshold_and_the_values_are_told(
    needs: float, answer: Any, rule: Rule
) -> None:
    told, _ = routed(needs, answer)
    assert (told.status, told.rule, told.skill, told.hint) == (Status.NONE, rule, None, None)
    assert told.needs_skill == needs
    assert told.probability is not None
    assert told.confidence is not None


def test_an_applied_routing_has_one_bounded_line_for_the_host() -> None:
    told, _ = routed(candidates=[Skill("sql-tuning", "Speed\nup " + "x" * 500)])
    assert told.applied
    assert told.hint is not None
    assert "\n" not in told.hint
    assert len(told.hint) < 500


def test_unusable_names_and_those_beyond_the_cap_are_recorded() -> None:
    names: list[Any] = ["a", " ", None, "a", "__none__", "b\ud800", "n" * 201, "c", "d"]
    told, judge = routed(
        candidates=[Skill(name) for name in names], answer="a", profile=Profile(limits=Limits(max_skills=2))
    )
    assert list(criteria(judge)) == ["__none__", "a", "c"]
    assert [dropped.reason for dropped in told.dropped] == [
        DropReason.EMPTY,
        DropReason.EMPTY,
        DropReason.DUPLICATE,
        DropReason.RESERVED,
        DropReason.UNSENDABLE,
        DropReason.TOO_LONG,
        DropReason.CAP,
    ]


def test_a_question_never_has_more_options_than_allowed() -> None:
    limits = Limits(max_skills=9, max_options_per_question=3, max_candidates_per_question=3)
    told, judge = routed(candidates=[Skill(name) for name in "abcd"], answer="a", profile=Profile(limits=limits))
    assert told.diagnostics.question_sizes == {"skill": 3} == {"skill": len(criteria(judge))}
    assert [dropped.name for dropped in told.dropped] == ["c", "d"]


def test_without_a_skill_nobody_is_asked() -> None:
    told, judge = routed(candidates=[Skill("")])
    assert (told.status, told.rule, told.diagnostics.stages) == (Status.NONE, Rule.NO_SKILLS, ("prefilter:no-skills",))
    assert judge.requests == []


def test_off_asks_nobody() -> None:
    told, judge = routed(mode=Mode.OFF)
    assert (told.status, told.rule) == (Status.OFF, Rule.OFF)
    assert judge.requests == []


@pytest.mark.parametrize(
    "script",
    [
        Script(error=Failure(FailureCode.TIMEOUT, "late")),
        Script({"needs_skill": {"omit": True}}),
        Script({"skill": {"choice": "ghost"}}),
    ],
)
def test_a_failure_or_one_bad_answer_suggests_nothing(script: Script) -> None:
    told, _ = routed(script=script)
    assert (told.status, told.rule, told.skill, told.applied) == (Status.FALLBACK, Rule.FAILURE, None, False)
    assert told.failure is not None


@pytest.mark.parametrize("value", [0, -1, True, 2.5, "9", None])
def test_a_bound_on_texts_is_a_positive_whole_number(value: Any) -> None:
    with pytest.raises(InvalidConfig, match="max_description_chars must be"):
        routed(max_description_chars=value)


def test_the_question_set_has_a_digest() -> None:
    assert len(question_set_digest()) == 64


CUTS = st.floats(0, 1)


@given(CUTS, st.integers(0, 100), CUTS, st.tuples(CUTS, CUTS, CUTS))
def test_selected_exactly_when_all_three_thresholds_are_met(
    needs: float, hundredths: int, confidence: float, cuts: tuple[float, float, float]
) -> None:
    share = hundredths / 100
    best = max(("sql-tuning", share), ("__none__", 1 - share), key=lambda each: each[1])[0]
    answer = {"choice": best, "confidence": confidence, "probabilities": {"__none__": 1 - share, "sql-tuning": share}}
    thresholds = Thresholds(skill=cuts[0], selection=cuts[1], confidence=cuts[2])
    told, _ = routed(needs, answer, candidates=SKILLS[1:], profile=Profile(thresholds=thresholds))
    met = needs >= cuts[0] and share >= cuts[1] and confidence >= cuts[2]
    assert (told.status is Status.SELECTED) == (met and best != "__none__")
