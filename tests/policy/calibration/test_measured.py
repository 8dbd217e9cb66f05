"""From stored answers to the numbers that are swept: what counts, and what is true of a stated probability."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy.calibration import measured, measuring
from policy.calibration.fixture_lines import read
from policy.calibration.fixtures import Fixture, Kind
from policy.calibration.measured import Reading
from policy.calibration.measured_choices import MeasuredSelection
from policy.engine import drive
from policy.engine.judge import JudgeReply, JudgeRequest
from policy.engine.profile import Profile, Thresholds
from policy.engine.questions import Choice
from policy.engine.selection import Status, select_tools
from policy.engine.selection.plan import Standing
from policy.judges.scripted import Script, ScriptedJudge
from tests.policy.calibration.test_fixture_lines import ASSESSMENT, QUESTION, ROUTE, SELECTION, SKILL

SHARE = st.integers(0, 100).map(lambda n: n / 100)
VALUES = {"violates_restriction": 0.7, "missing_information": 0.2, "matches_task": 0.9}


def fixture(row: dict[str, Any]) -> Fixture:
    return read(json.dumps(row))[0]


def called(id: str, status: str, **expect: Any) -> Fixture:
    return fixture({**ASSESSMENT, "id": id, "expect": {"status": status, **expect}})


def asked(row: dict[str, Any], answers: dict[str, Any]) -> Reading:
    one = fixture(row)
    result = drive.run(measuring.steps(one, measuring.Options()), ScriptedJudge(Script(answers)), budget_ms=1000)
    return Reading(one, measuring.measured(one.kind, result))


def test_failed_and_repeated_measurements_are_no_rows() -> None:
    readings = [
        Reading(called("a", "deny"), VALUES),
        Reading(called("b", "allow"), {}, failure="TIMEOUT"),
        Reading(called("c", "ask"), {}, failure="INCOMPLETE_INPUT"),
        Reading(called("a", "deny"), VALUES, repeat=1),
    ]
    rows, used = measured.assessments(readings)
    assert (rows.violates.tolist(), rows.labels.tolist(), [each.fixture.id for each in used]) == ([0.7], [0], ["a"])
    assert measured.counts(measured.first(readings, Kind.ASSESSMENT)) == measured.Counts(1, 1, 1)


def test_every_category_is_measured_at_open_thresholds_and_decided_anew() -> None:
    reading = asked(SELECTION, {"rel_files": {"noul": 0.0}, "pick_files": {"choice": "read"}})
    ((choice,), _) = measured.choices([reading], Kind.SELECTION)
    assert isinstance(choice, MeasuredSelection)
    assert choice.decided(Thresholds())[0].status is Status.ABSTAINED
    assert choice.agrees(Thresholds(relevance=0.0))
    assert measured.numbers(reading) == {"relevance files": 0.0, "pick files 1": 0.9}


@given(
    st.fixed_dictionaries(dict.fromkeys(("relevance", "selection", "confidence"), SHARE)),
    st.tuples(SHARE, SHARE),
    st.integers(40, 100).map(lambda n: n / 100),
)
def test_a_selection_measured_once_is_decided_at_any_thresholds_as_when_asked_there(
    cuts: dict[str, float], relevances: tuple[float, float], share: float
) -> None:
    rest = (1 - share) / 2
    row = {**SELECTION, "candidates": [{"id": f"{group}{n}", "categories": [group]} for group in "ab" for n in "12"]}
    row["expect"] = {"status": "selected", "selected": ["a1"]}
    picked = {"choice": "a1", "confidence": share, "probabilities": {"a1": share, "a2": rest, "__none__": rest}}
    answers: dict[str, dict[str, Any]] = {
        "rel_a": {"noul": relevances[0]},
        "rel_b": {"noul": relevances[1]},
        "pick_a": {"choice": picked},
    }
    thresholds = Thresholds(**cuts)
    asked_there = drive.run(
        select_tools(
            task=row["task"],
            step=row["step"],
            candidates=measuring.candidates(fixture(row)),
            profile=Profile(thresholds=thresholds),
        ),
        ScriptedJudge(Script(answers)),
        budget_ms=1000,
    )
    ((choice,), _) = measured.choices([asked(row, answers)], Kind.SELECTION)
    assert isinstance(choice, MeasuredSelection)
    conclusion, made = choice.decided(thresholds)
    assert (conclusion.status, conclusion.outcome, conclusion.rule) == (
        asked_there.status, asked_there.outcome, asked_there.rule,
    )  # fmt: skip
    assert made.chosen(Standing.WINNER) == asked_there.selected


def test_a_skill_and_a_route_are_decided_as_the_engine_does() -> None:
    skill = asked(SKILL, {"needs_skill": {"noul": 0.9}, "skill": {"choice": "notes"}})
    route = asked(ROUTE, {"route": {"choice": "reasoning"}})
    assert measured.choices([skill], Kind.SKILL)[0][0].agrees(Thresholds())
    assert measured.choices([route], Kind.MODEL_ROUTE)[0][0].agrees(Thresholds())


@pytest.mark.parametrize(
    ("status", "expect", "true"),
    [
        ("deny", {}, {"violates_restriction": True}),
        ("allow", {}, {"violates_restriction": False, "missing_information": False, "matches_task": True}),
        ("ask", {}, {"violates_restriction": False, "missing_information": True}),
        ("ask", {"rule": "assessment.task-mismatch"}, {"violates_restriction": False, "matches_task": False}),
        ("hold", {}, {"violates_restriction": False}),
    ],
)
def test_only_what_the_label_tells_is_true_of_a_question(
    status: str, expect: dict[str, str], true: dict[str, bool]
) -> None:
    found = measured.stated([Reading(called("a", status, **expect), VALUES)])
    assert {name: bool(each.true[0]) for name, each in found.items()} == true


def test_a_pick_is_true_where_it_is_the_right_tool() -> None:
    right = asked(SELECTION, {"pick_files": {"choice": "read"}})
    wrong = asked(SELECTION, {"pick_files": {"choice": "__none__"}})
    assert measured.stated([right, wrong])["pick"].true.tolist() == [True, False]
    assert measured.stated([right])["relevance"].true.tolist() == [True]


def test_a_question_of_your_own_keeps_its_answer() -> None:
    reading = asked(QUESTION, {"answer": {"choice": "files"}})
    ((name, stated),) = measured.stated([reading]).items()
    assert name.startswith("question ")
    assert (stated.stated.tolist(), stated.true.tolist()) == ([0.9], [False])


@pytest.mark.parametrize("order", ["reversed", "shuffled"])
def test_none_of_these_keeps_its_place_in_every_order(order: str) -> None:
    labels = {**dict.fromkeys("abcdefghij"), "__none__": "Nothing."}
    request = JudgeRequest({}, {"pick": Choice("Which?", labels)}, "pick")
    turned = [list(measuring.reordered(request, order, 7).to_wire()["questions"]["pick"]["criteria"]) for _ in "ab"]
    assert turned[0] == turned[1] != list(labels)
    assert (turned[0][-1], sorted(turned[0])) == ("__none__", sorted(labels))
    assert measuring.reordered(request, "forward", 7).digest == request.digest


def test_the_fixture_s_own_words_are_what_the_engine_sends() -> None:
    seen: list[JudgeRequest] = []

    class Seeing(ScriptedJudge):
        def ask(self, request: JudgeRequest, *, timeout_s: float) -> JudgeReply:
            seen.append(request)
            return super().ask(request, timeout_s=timeout_s)

    drive.run(measuring.steps(fixture(ASSESSMENT), measuring.Options()), Seeing(), budget_ms=1000)
    wire = json.dumps(seen[0].to_wire(), ensure_ascii=False)
    assert all(word in wire for word in ("Lies das Log", "Nichts löschen.", "risk"))
    assert not any(word in wire for word in ("onprem-01", "Ein Titel", "held-out", 'incomplete"'))
