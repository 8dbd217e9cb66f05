"""Noise of repeats and the order of options: only what was measured more than once is compared."""

from __future__ import annotations

import pytest

from policy.calibration.measured import Reading
from policy.calibration.stability import Noise, noise, orders
from tests.policy.calibration.test_fixture_lines import ASSESSMENT, QUESTION
from tests.policy.calibration.test_measured import VALUES, fixture


def call(id: str, matches: float, *, repeat: int = 0, failure: str = "") -> Reading:
    return Reading(fixture({**ASSESSMENT, "id": id}), {**VALUES, "matches_task": matches}, failure, repeat=repeat)


def pick(id: str, choice: str, share: float, order: str) -> Reading:
    values = {"choice": choice, "probability": share, "confidence": 0.5, "probabilities": {choice: share}}
    return Reading(fixture({**QUESTION, "id": id}), values, order=order)


def test_noise_is_how_far_repeats_of_one_fixture_lie_apart() -> None:
    found = noise([call("a", 0.5), call("a", 0.75, repeat=1), call("b", 0.5), call("b", 0.5, repeat=1), call("c", 0.1)])
    assert found[0] == Noise("matches_task", 2, 0.125, 0.25)
    assert [each.most for each in found[1:]] == [0.0, 0.0]


def test_a_failed_repeat_is_no_noise() -> None:
    assert noise([call("a", 0.5), call("a", 0.9, repeat=1, failure="TIMEOUT")]) == []


def test_a_choice_that_changes_with_the_order_is_counted_and_named() -> None:
    readings = [
        pick("a", "mail", 0.8, "forward"),
        pick("a", "files", 0.6, "reversed"),
        pick("b", "mail", 0.8, "forward"),
        pick("b", "mail", 0.7, "reversed"),
        pick("c", "mail", 0.9, "reversed"),
    ]
    (found,) = orders(readings)
    assert (found.order, found.compared, found.changed, found.examples) == ("reversed", 2, 1, ("a",))
    assert found.mean == pytest.approx(0.15)


def test_a_probability_that_moves_with_the_order_is_told_though_the_choice_stays() -> None:
    (found,) = orders([pick("a", "billing", 0.43, "forward"), pick("a", "billing", 0.63, "reversed")])
    assert found.changed == 0
    assert found.mean == pytest.approx(0.2)
