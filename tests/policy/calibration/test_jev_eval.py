"""Parity with the package `jev-eval` 1.2.0: the same cut, the same figures for the same draws, the same file."""

from __future__ import annotations

import json
import random
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import jev_eval.contract as theirs
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jev_eval.analysis import Scoring
from jev_eval.check import check_gate, load_thresholds
from jev_eval.score import score_choice, score_noul
from jev_eval.thresholds import bootstrap, picker, recommend_threshold

from policy.calibration.jev_eval import Goal, drift, gate, guarded, noul, numpy_stream
from policy.calibration.thresholds_file import Document, entry, guard

GOALS = [Goal(target_accuracy=0.9), Goal(target_accuracy=0.85), Goal(max_escalation=0.3), Goal(max_escalation=0.0)]


def answered(n: int, seed: int) -> tuple[np.ndarray, np.ndarray, list[Any]]:
    """Yes-or-no answers with two decimals, ours as arrays and theirs as records."""
    rng = np.random.default_rng(seed)
    true = rng.random(n) < 0.4
    stated = np.where(true, rng.beta(5, 2, n), rng.beta(2, 4, n)).round(2)
    records = [
        score_noul(row, {"noul": float(p)}, bool(y)) for row, (p, y) in enumerate(zip(stated, true, strict=True))
    ]
    confidence, correct = noul(stated, true)
    assert confidence.tolist() == [each.confidence for each in records]
    assert correct.tolist() == [each.correct for each in records]
    return confidence, correct, records


@pytest.mark.parametrize("goal", GOALS)
@pytest.mark.parametrize("n", [60, 200, 501])
def test_cut_and_out_of_bag_figures_are_equal_on_its_draws(n: int, goal: Goal) -> None:
    confidence, correct, records = answered(n, n)
    pick = picker(goal.target_accuracy, goal.max_escalation)
    at, interval = pick(records), bootstrap(records, pick, 200, random.Random(3))
    ours = guarded(confidence, correct, goal, resamples=200, seed=3)
    assert at is not None
    assert interval is not None
    assert ours.gate is not None
    assert ours.gate.threshold == at.threshold
    assert ours.gate.accuracy == pytest.approx(interval.oob_accuracy, abs=1e-9)
    assert ours.gate.coverage == pytest.approx(interval.oob_coverage, abs=1e-9)
    assert ours.threshold_range == interval.threshold
    assert ours.accuracy_range == pytest.approx(interval.accuracy, abs=1e-12)
    assert ours.misses == interval.misses


@pytest.mark.parametrize("n", [60, 200])
def test_our_generator_differs_by_monte_carlo_error_only(n: int) -> None:
    confidence, correct, _ = answered(n, 7)
    goal = Goal(target_accuracy=0.85)
    ours, replayed = guarded(confidence, correct, goal, stream=numpy_stream), guarded(confidence, correct, goal)
    assert ours.gate is not None
    assert replayed.gate is not None
    assert ours.spread is not None
    error = ours.spread * np.sqrt(2 / 1_000)
    assert abs(ours.gate.accuracy - replayed.gate.accuracy) <= 4 * error


@given(st.lists(st.tuples(st.integers(0, 20), st.booleans()), min_size=1, max_size=60), st.sampled_from(GOALS))
def test_the_gate_is_the_same_on_any_rows(rows: list[tuple[int, bool]], goal: Goal) -> None:
    records = [score_choice(0, {"choice": "a", "confidence": c / 20}, "a" if right else "b") for c, right in rows]
    expected = recommend_threshold(records, target_accuracy=goal.target_accuracy, max_escalation=goal.max_escalation)
    found = gate(np.array([c / 20 for c, _ in rows]), np.array([right for _, right in rows]), goal)
    if expected is None:
        assert found is None
    else:
        assert found is not None
        assert (found.threshold, found.coverage, found.accuracy) == (
            expected.threshold,
            expected.coverage,
            expected.accuracy,
        )


def test_few_rows_are_refused_and_an_unreachable_goal_is_said() -> None:
    confidence, correct, _ = answered(60, 1)
    assert guarded(confidence[:49], correct[:49], GOALS[0]).status == "refused"
    assert guarded(confidence, np.zeros(60, dtype=bool), GOALS[0]).status == "unreachable"
    assert guarded(confidence, correct, GOALS[2], resamples=20).status == "warn"


def written(n: int) -> tuple[dict[str, Any], Document]:
    """The file that they write of these rows, and ours of the same."""
    confidence, correct, records = answered(n, 5)
    options = theirs.GuardOptions("bootstrap", 100, 0.3, 0)
    question = {"type": "noul", "question": "Is it so?"}
    scoring = Scoring({"q": records}, {"q": "noul"}, {}, "jev-1.13.0", 0, {"q": question})
    recommended = theirs.recommend_all(scoring, picker(0.85, None), options)
    now = datetime(2026, 11, 30, tzinfo=UTC)
    gates = {"q": entry("noul", guarded(confidence, correct, Goal(target_accuracy=0.85), resamples=100))}
    document = Document(
        model="jev-1.13.0",
        generated_at="2026-11-30T00:00:00Z",
        questions={name: each for name, each in gates.items() if each is not None},
        guard=guard(resamples=100),
        definitions={"q": question},
    )
    return theirs.thresholds_document(recommended, scoring, options, now=now), document


@pytest.mark.parametrize("n", [40, 60, 300])
def test_we_write_the_file_that_they_write(n: int) -> None:
    expected, document = written(n)
    assert document.to_json() == expected


def test_they_read_what_we_write_and_we_give_back_what_we_do_not_know(tmp_path: Path) -> None:
    expected, document = written(300)
    raw = {**document.to_json(), "yesAt": {"q": []}, "certificate": {"bound": 0.05}}
    path = tmp_path / "thresholds.json"
    path.write_text(json.dumps(raw))
    assert load_thresholds(str(path)) == raw
    assert Document.from_json(raw).to_json() == raw
    assert Document.from_json(expected).to_json() == expected


@pytest.mark.parametrize(
    ("raw", "named"),
    [
        ([], "version"),
        ({"version": 2, "questions": {}}, "version"),
        ({"version": 1}, "questions"),
        ({"version": 1, "questions": {"q": {"threshold": 2, "accuracy": 0.9, "coverage": 0.5, "n": 60}}}, '"q"'),
        ({"version": 1, "questions": {"q": {"threshold": 0.2, "accuracy": 0.9, "coverage": 0.5, "n": True}}}, '"q"'),
    ],
)
def test_a_file_that_is_none_is_refused_by_key(raw: Any, named: str) -> None:
    with pytest.raises(ValueError, match=named):
        Document.from_json(raw)


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 100))
def test_its_drift_verdict_is_the_same(right: int, covered: int, recorded: int) -> None:
    right = min(right, covered)
    records = [
        score_choice(row, {"choice": "a", "confidence": 1.0}, "a" if row < right else "b") for row in range(covered)
    ]
    gates = {"threshold": 0.5, "accuracy": recorded / 100}
    assert drift(recorded / 100, right, covered) == check_gate("q", gates, records).status
