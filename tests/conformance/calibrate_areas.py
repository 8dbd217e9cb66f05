"""How calibration is run for the area `calibrate` of the policy cases: an explicit grid, the engine's decisions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from policy.calibration.boxes import summed
from policy.calibration.cuts import Cuts
from policy.calibration.measured_choices import MeasuredSelection, cases
from policy.calibration.region import best, region
from policy.calibration.sweep import LABELS, Axes, Rows, agreement, decided
from policy.engine.decisions import Action
from policy.engine.profile import Thresholds
from policy.engine.selection import CategoryResult, Pick, Status
from tests.conformance.cases import Runner

Input = Mapping[str, Any]
GRID = 19
DEFAULTS = Thresholds()


def calibrate(given: Input) -> dict[str, Any]:
    steps = given.get("grid", GRID) + 1
    cuts = Cuts.of(np.arange(1, steps) / steps)
    agreed, defaults = _ASKED[given["kind"]](given["measurements"], cuts)
    found = region(best(agreed), prefer=(0, 0, 0))
    return {
        "usable": len(given["measurements"]),
        "best": int(agreed.max()),
        "defaults": defaults,
        "combinations": found.size,
        "ranges": [[float(cuts.values[low]), float(cuts.values[high])] for low, high in found.ranges],
    }


def _assessment(measured: list[dict[str, Any]], cuts: Cuts) -> tuple[npt.NDArray[Any], int]:
    violates, missing, matches = (np.array([each[name] for each in measured]) for name in NAMES)
    labels = np.array([LABELS.index(Action(each["expected"])) for each in measured], dtype=np.int8)
    rows = Rows(violates, missing, matches, labels)
    at_defaults = decided(
        rows, restriction=DEFAULTS.restriction, missing=DEFAULTS.missing_information, match=DEFAULTS.task_match
    )
    return agreement(rows, Axes(cuts, cuts, cuts)), int((at_defaults == labels).sum())


def _selection(measured: list[dict[str, Any]], cuts: Cuts) -> tuple[npt.NDArray[Any], int]:
    judged = [
        MeasuredSelection(
            results=tuple(map(_category, each["categories"])),
            status=Status(each["expectedStatus"]),
            expected=frozenset(each["expected"]),
        )
        for each in measured
    ]
    agreed = summed(cases(judged, ("relevance", "selection", "confidence")), [cuts] * 3)
    return agreed, sum(each.agrees(DEFAULTS) for each in judged)


def _category(given: dict[str, Any]) -> CategoryResult:
    tool = None if given["choice"] == "__none__" else given["choice"]
    share = given["probability"]
    pick = Pick(
        given["choice"], tool, share, given["confidence"], {given["choice"]: share}, {tool: share} if tool else {}
    )
    return CategoryResult(given["id"], given["relevance"], picks=(pick,))


NAMES = ("violatesRestriction", "missingInformation", "matchesTask")
_ASKED = {"assessment": _assessment, "selection": _selection}
RUNNERS: dict[str, Runner] = {"calibrate": calibrate}
