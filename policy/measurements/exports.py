"""Gates of a measurement as the `thresholds.json` of `jev-eval`, and theirs read beside ours."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC
from typing import Any

from django.utils import timezone

from policy.calibration import jev_eval, measured
from policy.calibration.cuts import Floats
from policy.calibration.fixtures import Kind
from policy.calibration.jev_eval import Goal
from policy.calibration.reliability import Truth
from policy.calibration.thresholds_file import Document, entry, guard
from policy.engine.call_questions import QUESTIONS
from policy.errors import Invalid
from policy.measurements import reports
from policy.measurements.models import Measurement


def thresholds_json(measurement: Measurement, *, goal: Goal) -> dict[str, Any]:
    """Every question whose truth the labels tell, with the gate that meets the goal; what is refused is left out."""
    found = _confidences(measurement)
    entries = {name: entry("noul", jev_eval.guarded(*each, goal)) for name, each in found.items()}
    kept = {name: each for name, each in entries.items() if each is not None}
    return Document(
        model=measurement.answered_model or "unknown",
        generated_at=timezone.now().astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        questions=kept,
        guard=guard(),
        definitions={name: each.to_wire() for name, each in QUESTIONS.items() if name in kept},
    ).to_json()


def checked(measurement: Measurement, raw: object) -> dict[str, Any]:
    """What a `thresholds.json` says of this measurement: per question its own verdict; raises `Invalid`."""
    try:
        document = Document.from_json(raw)
    except ValueError as wrong:
        raise Invalid(f"The file cannot be read: {wrong}.") from wrong
    found = _confidences(measurement)
    told: dict[str, Any] = {}
    for name, gate in document.questions.items():
        if name not in found:
            told[name] = {"verdict": "no data", "covered": 0, "right": 0, "recorded": gate.accuracy}
            continue
        confidence, correct = found[name]
        covered = confidence >= gate.threshold
        right, rows = int((covered & correct).sum()), int(covered.sum())
        verdict = jev_eval.drift(gate.accuracy, right, rows)
        told[name] = {"verdict": verdict, "covered": rows, "right": right, "recorded": gate.accuracy}
    model = "" if document.model == measurement.answered_model else f"{document.model} was measured, not this model"
    return {"model": model, "questions": told, "reworded": _reworded(document.definitions)}


def _confidences(measurement: Measurement) -> Mapping[str, tuple[Floats, Truth]]:
    """Yes-or-no questions only: the confidence of a choice is the judge's own."""
    yes_no = [each for each in reports.readings(measurement) if each.fixture.kind in (Kind.ASSESSMENT, Kind.GENERIC)]
    nouls = [each for each in yes_no if each.fixture.kind is Kind.ASSESSMENT or "noul" in each.values]
    return {name: jev_eval.noul(each.stated, each.true) for name, each in measured.stated(nouls).items()}


def _reworded(definitions: Mapping[str, Any]) -> list[str]:
    return [name for name, wire in definitions.items() if name in QUESTIONS and wire != QUESTIONS[name].to_wire()]
