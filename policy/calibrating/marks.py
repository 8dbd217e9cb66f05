"""Which measured values a threshold is compared with, and on which side of it each belongs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from policy.calibration import measured
from policy.calibration.fixtures import Kind
from policy.calibration.measured import Reading, Stated
from policy.calibration.report import Report
from policy.calibration.report_choices import NO_SKILL
from policy.charts.thresholds import Marks

# The question of each threshold (seed 000, Thresholds); `confidence` is compared with no probability of an answer.
QUESTIONS = {
    "assessment": {
        "restriction": "violates_restriction",
        "missing_information": "missing_information",
        "task_match": "matches_task",
    },
    "selection": {"relevance": "relevance", "selection": "pick"},
    "skill": {"skill": "needs_skill", "selection": "skill"},
    "model_route": {"model_route": "route"},
}
# The other way round: the threshold that each question is compared with.
CUTS = {question: cut for questions in QUESTIONS.values() for cut, question in questions.items()}
KINDS = {
    "assessment": Kind.ASSESSMENT,
    "selection": Kind.SELECTION,
    "skill": Kind.SKILL,
    "model_route": Kind.MODEL_ROUTE,
    "rows": Kind.GENERIC,
}


def stated_of(report: Report, readings: Sequence[Reading]) -> dict[str, Stated]:
    """What was stated and what was true, question by question; of a question of one's own only that one."""
    found = measured.stated(measured.first(readings, KINDS[report.kind]))
    if report.kind != "rows":
        return found
    ids = {case.id for case in report.cases}
    return {name: each for name, each in found.items() if set(each.ids) == ids}


def marks(report: Report, readings: Sequence[Reading]) -> dict[str, Marks]:
    """Per threshold; where no question tells what was true, the values of each case by how it was to be decided."""
    stated = stated_of(report, readings)
    return {axis.name: _marks(report, axis.name, stated) for axis in report.axes}


def _marks(report: Report, threshold: str, stated: dict[str, Stated]) -> Marks:
    name = next(iter(stated), "") if report.kind == "rows" else QUESTIONS[report.kind].get(threshold, "")
    if (found := stated.get(name)) is not None:
        return Marks(found.stated, found.true)
    values = [(value, case.label != NO_SKILL) for case in report.cases for value in case.values[threshold]]
    return Marks(np.array([value for value, _ in values]), np.array([reach for _, reach in values], dtype=np.bool_))
