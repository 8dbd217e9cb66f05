"""Thresholds that two kinds share, and what confidence does to menus."""

from __future__ import annotations

import numpy as np

from policy.calibration.boxes import summed
from policy.calibration.cuts import Cuts
from policy.calibration.measured_choices import SELECTION, SKILL, MeasuredSelection, MeasuredSkill, cases
from policy.calibration.shared import along, expansion, settle, share
from policy.engine.answers import ChoiceAnswer
from policy.engine.profile import Thresholds
from policy.engine.selection import CategoryResult, Pick, Status
from tests.policy.calibration.test_measured_choices import selection

CUTS = Cuts.even(20)


def skill(share: float, expected: str | None = "s") -> MeasuredSkill:
    return MeasuredSkill(0.9, ChoiceAnswer("s", {"s": share, "__none__": 1 - share}, 0.8), expected)


def both(tools: list[MeasuredSelection], skills: list[MeasuredSkill]) -> tuple[np.ndarray, np.ndarray]:
    return (
        along(summed(cases(tools, SELECTION), [CUTS] * 2), 1),
        along(summed(cases(skills, SKILL), [CUTS] * 3), 1),
    )


def test_where_the_regions_meet_both_kinds_are_at_their_best() -> None:
    found = share(*both([selection([("a", 0.9, 0.6)], {"a"})], [skill(0.8), skill(0.4, None)]))
    assert found.joint
    assert [place / 20 for place in found.places] == [0.45, 0.5, 0.55, 0.6]
    assert found.lost == (0, 0)


def test_where_they_do_not_meet_the_sum_decides_and_the_loss_is_told() -> None:
    tools = [selection([("a", 0.9, 0.3)], {"a"})] * 3
    found = share(*both(tools, [skill(0.8), skill(0.6, None)]))
    assert not found.joint
    assert max(found.places) / 20 == 0.3
    assert found.lost == (0, 1)


def test_confidence_is_settled_where_selection_is() -> None:
    tools = [selection([("a", 0.9, 0.6)], {"a"})]
    skills = [skill(0.8), skill(0.4, None)]
    agreed = summed(cases(skills, SKILL), [CUTS] * 3)
    found = settle(summed(cases(tools, SELECTION), [CUTS] * 2), agreed, np.ones(21), prefer=7)
    assert found.selection.joint
    assert found.at == 9
    assert found.confidence.joint
    assert max(found.confidence.places) / 20 == 0.8


def unsure(confidence: float, expected: str) -> MeasuredSelection:
    shares = {"a": 0.5, "b": 0.3, "c": 0.2}
    pick = Pick("a", "a", 0.5, confidence, shares, shares)
    return MeasuredSelection((CategoryResult("x", 0.9, picks=(pick,)),), Status.SELECTED, frozenset({expected}))


def test_confidence_buys_recall_with_a_larger_menu() -> None:
    found = expansion([unsure(0.4, "b"), unsure(0.7, "a")], CUTS, base=Thresholds())
    assert (found.size[0], found.recall[0], found.complete[0]) == (1, 0.5, 1)
    assert (found.size[-1], found.recall[-1], found.complete[-1]) == (3, 1, 2)
    assert found.cuts.values[found.smallest] == 0.45
    assert found.size[found.smallest] == 2
