"""A saved profile decides only what it was calibrated on; disarmed, it permits nothing and names the reason."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from policy.calibration.fixture_lines import fixture_of
from policy.calibration.fixtures import Kind
from policy.calibration.measuring import Options, question_set
from policy.calibration.passport import Covered, Passport, Saved, menu_of
from policy.engine.profile import Profile, Thresholds
from policy.engine.selection import Candidate
from policy.judges.scripted import Script, ScriptedJudge
from policy.people.models import User
from policy.services import judgments
from policy.services.judgments import Terms
from tests.policy.measurements.conftest import menu

pytestmark = pytest.mark.django_db

TOOLS = [Candidate("read", ("files",)), Candidate("wipe", ("files",))]
CALL: dict[str, Any] = {"task": "Read the log", "tool": "read", "arguments": {"path": "log"}}
SAFE = {"violates_restriction": {"noul": 0.0}, "missing_information": {"noul": 0.0}, "matches_task": {"noul": 1.0}}


def covered(kind: Kind, *, menu: str | None = None) -> Covered:
    return Covered(question_set(kind), Options().of(kind), menu, 120, 0, 110, (0.85, 0.95), "provisional")


PASSPORT = Passport(
    judge="scripted", endpoint="", requested_model="", answered_model="mock/one", fixtures="small@1",
    fixture_digest="f" * 64, measurement="meas_x", date="2026-11-30T20:00:00Z", author="local",
    kinds={each.value: covered(each) for each in (Kind.SELECTION, Kind.ASSESSMENT)},
)  # fmt: skip
PROFILE = Profile("mine", 3, Thresholds(restriction=0.9))
SAVED = Saved(PROFILE, PASSPORT)


@pytest.fixture
def terms(owner: User) -> Callable[..., Terms]:
    """A scripted judge under the saved profile, or under one with another passport."""

    def made(model: str = "mock/one", **passport: Any) -> Terms:
        judge = ScriptedJudge(Script({**SAFE, "rel_files": {"noul": 0.9}}, model=model))
        return {"by": owner, "origin": "api", "judge": judge, "profile": Saved(PROFILE, replace(PASSPORT, **passport))}

    return made


def test_an_armed_profile_decides(terms: Callable[..., Terms]) -> None:
    judgment = judgments.assess_call(**CALL, **terms())
    assert (judgment.result.status, judgment.disarmed) == ("allow", ())
    assert judgment.to_json()["profile"] == {"name": "mine", "version": 3, "digest": PROFILE.digest}


def test_a_disarmed_assessment_is_the_failure_action_and_asks_nobody(terms: Callable[..., Terms]) -> None:
    judgment = judgments.assess_call(**CALL, **terms(judge="local"))
    assert (judgment.result.status, judgment.request_digests) == ("ask", ())
    assert judgment.disarmed == ('the judge is "scripted", calibrated was "local"',)
    assert "profile mine@3 is disarmed: the judge is" in str(judgment.result.failure)


def test_a_disarmed_selection_abstains(terms: Callable[..., Terms]) -> None:
    judgment = judgments.select_tools(task="Read", candidates=TOOLS, member_lines=True, **terms())
    assert (judgment.result.status, judgment.result.outcome) == ("abstained", "unavailable")
    assert judgment.result.tool_ids == ()
    assert judgment.disarmed == ("the option member_lines is true, calibrated was false",)


def test_another_answering_model_disarms_after_the_answer(terms: Callable[..., Terms]) -> None:
    judgment = judgments.assess_call(**CALL, **terms(model="mock/two"))
    assert (judgment.result.status, len(judgment.request_digests)) == ("ask", 1)
    assert judgment.disarmed == ('"mock/two" answered, calibrated was "mock/one"',)


def test_a_kind_that_was_not_calibrated_is_not_decided_by_the_defaults(terms: Callable[..., Terms]) -> None:
    judgment = judgments.route_skill(task="Notes", candidates=[], **terms())
    assert judgment.disarmed == ("it was calibrated for selection, assessment, not for skill",)
    assert judgment.result.skill is None


def test_another_wording_disarms(terms: Callable[..., Terms]) -> None:
    reworded = {"assessment": replace(covered(Kind.ASSESSMENT), question_set="0" * 64)}
    (reason,) = judgments.assess_call(**CALL, **terms(kinds=reworded)).disarmed
    assert reason.startswith("the wording of the questions has changed (000000000000 to ")


def test_one_tool_more_disarms_where_one_menu_was_calibrated(terms: Callable[..., Terms]) -> None:
    fixture = fixture_of(menu("a", "files1"))
    tools = [Candidate(each["id"], tuple(each["categories"])) for each in fixture.row["candidates"]]
    kinds = {"selection": covered(Kind.SELECTION, menu=menu_of(fixture))}
    same = judgments.select_tools(task="Read", candidates=tools, **terms(kinds=kinds))
    more = judgments.select_tools(task="Read", candidates=[*tools, TOOLS[0]], **terms(kinds=kinds))
    assert same.disarmed == ()
    assert more.disarmed[0].startswith("what is offered has changed")


def test_a_passport_survives_json() -> None:
    assert Passport.from_json(PASSPORT.to_json()) == PASSPORT
