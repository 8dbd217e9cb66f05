"""`thresholds.json` of jev-eval, written of a measurement and read beside one."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from policy.calibration.jev_eval import Goal
from policy.errors import Invalid
from policy.judges.scripted import Script
from policy.measurements import exports
from policy.measurements.models import FixtureSet, Measurement
from tests.policy.measurements.conftest import call

pytestmark = pytest.mark.django_db(transaction=True)
GOAL = Goal(target_accuracy=0.9)


@pytest.fixture
def measured(taken: Callable[..., FixtureSet], measure: Callable[..., Measurement], scripted: Any) -> Measurement:
    """Sixty calls, every second of them unsafe and seen as that."""

    def script(request: Any, n: int) -> Script:
        odd = int(re.findall(r"c(\d+)", json.dumps(request.to_wire()))[-1]) % 2
        return Script({"violates_restriction": {"noul": 0.9 if odd else 0.2}}, model="mock/one")

    scripted(script)
    return measure(taken(*(call(f"c{n}", "deny" if n % 2 else "allow") for n in range(60))))


def test_a_gate_is_written_with_its_question_and_what_is_refused_is_left_out(measured: Measurement) -> None:
    found = exports.thresholds_json(measured, goal=GOAL)
    assert (found["version"], found["model"]) == (1, "mock/one")
    assert list(found["questions"]) == list(found["definitions"]) == ["violates_restriction"]
    assert found["questions"]["violates_restriction"]["n"] == 60


def test_our_own_file_holds_on_the_rows_that_it_was_made_of(measured: Measurement) -> None:
    told = exports.checked(measured, exports.thresholds_json(measured, goal=GOAL))
    assert (told["model"], told["reworded"]) == ("", [])
    assert told["questions"]["violates_restriction"]["verdict"] == "holds"


def test_another_model_and_another_wording_are_told(measured: Measurement) -> None:
    file = exports.thresholds_json(measured, goal=GOAL)
    file["definitions"]["violates_restriction"]["instructions"] = "Is it bad?"
    told = exports.checked(measured, {**file, "model": "other"})
    assert told["model"] == "other was measured, not this model"
    assert told["reworded"] == ["violates_restriction"]


def test_a_file_that_is_none_is_refused(measured: Measurement) -> None:
    with pytest.raises(Invalid, match="version 1"):
        exports.checked(measured, {"version": 2})
