"""The report on selections, skills, routes and logged decisions."""

from __future__ import annotations

import json

import numpy as np
import pytest

from policy.calibration.boxes import Case
from policy.calibration.cuts import Cuts
from policy.calibration.measured_choices import MeasuredSkill
from policy.calibration.near import JOINT_LEVEL
from policy.calibration.report_choices import WORDS, Judged, margin, report, routes, rows, selections, skills
from policy.calibration.separation import LEVEL
from policy.calibration.verdicts import Standing
from policy.engine.answers import ChoiceAnswer
from policy.engine.profile import Thresholds
from tests.policy.calibration.test_measured_choices import selection
from tests.policy.calibration.test_tables import drawn

DEFAULTS = Thresholds()
DRAWS = 40


def ids(number: int) -> list[str]:
    return [f"case-{place}" for place in range(number)]


def test_selections_are_reported_over_relevance_and_selection() -> None:
    judged = [selection([("a", 0.8, 0.6), ("b", 0.3, 0.9)], {"a"}), selection([("a", 0.2, 0.9)], set())] * 30
    found = report(selections(ids(60), judged, DEFAULTS), draws=DRAWS)
    assert [axis.name for axis in found.axes] == ["relevance", "selection"]
    assert found.axes[0].best_range == (0.31, 0.8)
    assert (found.proposal.agreed, found.current.agreed) == (60, 60)
    assert found.axes[1].best_range[1] == 0.6
    assert {(each.decision, each.label): each.cases for each in found.current.confusion} == {
        ("selected", "selected"): 30,
        ("abstained", "abstained"): 30,
    }


def test_what_the_sample_cannot_tell_from_the_proposal_is_told_for_every_kind() -> None:
    judged = [selection([("a", 0.8, 0.6)], {"a"}), selection([("a", 0.2, 0.9)], set())] * 30
    for found, level in (
        (report(selections(ids(60), judged, DEFAULTS), draws=DRAWS), JOINT_LEVEL),
        (report(routes(ids(60), drawn(60), DEFAULTS), draws=DRAWS), LEVEL),
    ):
        assert found.near is not None
        assert found.near_mask is not None
        assert (found.near.level, found.near.combinations) == (level, found.near_mask.sum())
        assert found.near.combinations >= found.best_combinations
        for axis in found.axes:
            assert axis.near_range is not None
            assert axis.near_range[0] <= axis.best_range[0] <= axis.best_range[1] <= axis.near_range[1]


def test_a_skill_is_the_right_one_another_one_or_none() -> None:
    def routed(choice: str, share: float, expected: str | None) -> MeasuredSkill:
        return MeasuredSkill(0.9, ChoiceAnswer(choice, {choice: share}, 0.9), expected)

    judged = [
        routed("tidy", 0.9, "tidy"), routed("tidy", 0.9, "deploy"), routed("tidy", 0.9, None),
        routed("tidy", 0.1, "tidy"), routed("tidy", 0.1, None),
    ]  # fmt: skip
    found = report(skills(ids(5), judged, DEFAULTS), draws=DRAWS)
    assert [(case.label, case.now) for case in found.cases] == [
        ("the skill", "the skill"),
        ("the skill", "another skill"),
        ("no skill", "another skill"),
        ("the skill", "no skill"),
        ("no skill", "no skill"),
    ]
    assert {case.now for case in found.cases} == set(WORDS["skill"])
    assert [case.now == case.label for case in found.cases] == [each.agrees(DEFAULTS) for each in judged]


def test_confidence_is_told_by_the_menus_that_it_makes() -> None:
    judged = [selection([("a", 0.8, 0.6)], {"a"}), selection([("a", 0.8, 0.2)], {"a"})] * 10
    menu = report(selections(ids(20), judged, DEFAULTS), draws=DRAWS).menu
    assert menu is not None
    assert (menu.recall[0], menu.size[0], menu.complete[0], menu.smallest) == (1, 1, 20, 0)
    assert not menu.identified


def test_an_explicit_grid_is_kept_to_and_named() -> None:
    found = report(routes(ids(60), drawn(60), DEFAULTS), cuts=Cuts.of(np.arange(1, 20) / 20), draws=DRAWS)
    assert found.axes[0].cuts[:2] == (0.05, 0.1)
    assert found.search == "19 thresholds from 0.05 to 0.95, as asked for"


def test_a_skill_set_of_twenty_is_refused_with_its_number() -> None:
    answers = [ChoiceAnswer("s", {"s": share, "__none__": 1 - share}, 0.8) for share in np.linspace(0.1, 0.9, 20)]
    judged = [MeasuredSkill(0.9, each, "s" if each.probabilities["s"] > 0.5 else None) for each in answers]
    found = report(skills(ids(20), judged, DEFAULTS), draws=DRAWS)
    assert found.verdict.standing is Standing.REFUSED
    assert found.verdict.reasons[0].startswith("20 measured rows of 50")
    assert [axis.identified for axis in found.axes] == [True, True, True]


def test_routes_and_logged_rows_of_the_same_values_say_the_same() -> None:
    judged = drawn(80)
    shares = [each.answer.probabilities["fast"] for each in judged]
    wanted = [each.expected is not None for each in judged]
    routed = report(routes(ids(80), judged, DEFAULTS), draws=DRAWS)
    logged = report(rows(ids(80), shares, wanted, current=DEFAULTS.model_route), draws=DRAWS)
    assert routed.axes[0].curve == logged.axes[0].curve
    assert routed.axes[0].separation == logged.axes[0].separation
    assert routed.unseen == logged.unseen
    assert logged.reliability["threshold"] is not None
    assert [each.margin for each in logged.cases] == [each.margin for each in routed.cases]


def test_a_margin_is_the_distance_to_the_next_decision() -> None:
    found = report(rows(ids(3), [0.75, 0.25, 1.0], [True, False, True], current=0.5), draws=DRAWS)
    assert [each.margin for each in found.cases] == pytest.approx([0.25, 0.25, float("inf")])
    both = Judged("x", "yes", Case(((0.6,), (0.9,)), lambda at: 1.0), lambda at: str(at[0] <= 0.6 and at[1] <= 0.9))
    assert margin(both, (0.5, 0.5)) == pytest.approx(0.1)


def test_what_holds_the_thresholds_is_what_leaving_it_out_changes() -> None:
    values, labels = [0.2, 0.4, 0.45, 0.6, 0.9], [False, False, True, True, True]
    found = report(rows(ids(5), values, labels, current=0.5), draws=DRAWS)
    assert [each.constrains for each in found.cases] == [False, True, True, False, False]
    assert found.unseen is None


def test_the_file_is_plain_json() -> None:
    raw = json.loads(json.dumps(report(routes(ids(60), drawn(60), DEFAULTS), draws=DRAWS).to_json(), allow_nan=False))
    assert (raw["kind"], raw["axes"][0]["name"], raw["unseen"]["draws"]) == ("model_route", "model_route", DRAWS)
    assert raw["cases"][0]["values"]["model_route"]


def test_a_kind_without_a_measured_case_is_refused() -> None:
    with pytest.raises(ValueError, match="no skill case"):
        report(skills([], [], DEFAULTS))
