"""All eight thresholds: each is told, shared ones serve both kinds, and nothing refused is proposed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from policy.calibration.measured_choices import MeasuredSelection, MeasuredSkill
from policy.calibration.overall import NOT_IDENTIFIED, NOT_MEASURED, SERVES, Overall, overall
from policy.calibration.report import Report
from policy.calibration.report_choices import report, selections, skills
from policy.engine.profile import Thresholds
from tests.policy.calibration.test_measured_choices import selection
from tests.policy.calibration.test_shared import skill, unsure

USED = Thresholds()


def tools(judged: Sequence[MeasuredSelection]) -> Report:
    return report(selections([f"t{n}" for n in range(len(judged))], list(judged), USED), draws=5)


def routed(judged: Sequence[MeasuredSkill]) -> Report:
    return report(skills([f"s{n}" for n in range(len(judged))], list(judged), USED), draws=5)


def told(found: dict[str, Report]) -> dict[str, Overall]:
    return {each.name: each for each in overall(found, USED)}


def test_every_threshold_of_seed_000_is_told_whatever_was_measured() -> None:
    found = told({"selection": tools([selection([("a", 0.8, 0.6)], {"a"})] * 4)})
    assert list(found) == list(SERVES)
    assert len(found) == 8
    assert found["model_route"].reasons == (NOT_MEASURED,)
    assert found["confidence"].reasons == (NOT_IDENTIFIED,)
    assert found["confidence"].proposed is None


def test_confidence_of_menus_is_the_lowest_with_the_best_recall() -> None:
    found = told({"selection": tools([unsure(0.4, "b"), unsure(0.7, "a")] * 30)})["confidence"]
    assert (found.proposed, found.first, found.last) == (0.41, 0.41, 1.0)
    assert found.joint is None


def both(shares: Sequence[tuple[float, str | None]], *, share: float = 0.6, each: int = 60) -> dict[str, Report]:
    mine = [selection([("a", 0.9, share)], {"a"}), selection([("a", 0.9, 0.1)], set())] * each
    return {"selection": tools(mine), "skill": routed([skill(*one) for one in shares] * each)}


def test_a_shared_threshold_is_the_intersection_of_what_both_do_best_at() -> None:
    found = told(both([(0.8, "s"), (0.4, None)]))["selection"]
    assert found.joint
    assert (found.first, found.last) == (0.41, 0.6)
    assert found.proposed == pytest.approx(0.41)
    assert set(found.lost.values()) == {0}


def test_without_an_intersection_the_sum_decides_and_the_loss_is_told() -> None:
    found = told(both([(0.8, "s"), (0.6, None)], share=0.3))["selection"]
    assert found.joint is False
    assert found.lost["selection"] + found.lost["skill"] == 60


def test_a_kind_with_too_few_cases_refuses_the_shared_threshold_by_its_name() -> None:
    found = told({**both([(0.8, "s"), (0.4, None)]), "skill": routed([skill(0.8), skill(0.4, None)] * 10)})
    assert found["selection"].proposed is None
    assert found["selection"].reasons[0].startswith("skill: 20 measured rows of 50")
    assert found["relevance"].joint is None


def test_the_document_is_plain_json() -> None:
    plain: dict[str, Any] = told(both([(0.8, "s"), (0.4, None)]))["selection"].to_json()
    assert plain["kinds"] == ["selection", "skill"]
    assert plain["lost"] == {"selection": 0.0, "skill": 0.0}
