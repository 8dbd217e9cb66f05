"""The figures of the package `jev-eval` 1.2.0 as it defines them.

It gates on confidence: a row is handled where its confidence reaches the cut, and the cut is a confidence that was
measured. Our own figures stand beside these; they answer other questions.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from policy.calibration.cuts import Floats
from policy.calibration.unseen import Right, Weights

RESAMPLES = 1_000
SEED = 0
REFUSED_BELOW, WARNED_BELOW = 50, 200
LEAST_COVERED = 30

Stream = Callable[[int, int, int], Iterator[npt.NDArray[np.int64]]]


@dataclass(frozen=True, slots=True)
class Goal:
    """Exactly one of the two, each in [0, 1]: an accuracy to reach, or a share of rows that may be handed on."""

    target_accuracy: float | None = None
    max_escalation: float | None = None

    def __post_init__(self) -> None:
        if (self.target_accuracy is None) == (self.max_escalation is None):
            raise ValueError("a gate needs either a target accuracy or a most escalation, and not both")


@dataclass(frozen=True, slots=True)
class Gate:
    """A cut on confidence and what it gives: the share of rows that reach it, and how many of these are right."""

    threshold: float
    coverage: float
    accuracy: float


@dataclass(frozen=True, slots=True)
class Guarded:
    """A gate with its out-of-bag means; ranges are nearest-rank percentiles, 2.5 to 97.5, as `jev-eval` has them.

    `status` is ok, warn, refused, unreachable or unstable; `misses` counts resamples without a gate. `in_sample` is
    the same gate on the rows that it was chosen on.
    """

    status: str
    rows: int
    gate: Gate | None = None
    in_sample: Gate | None = None
    threshold_range: tuple[float, float] | None = None
    accuracy_range: tuple[float, float] | None = None
    resamples: int = 0
    misses: int = 0
    spread: float | None = None


def noul(stated: Floats, true: Right) -> tuple[Floats, Right]:
    """Confidence and correctness of a yes-or-no answer: twice the distance to one half, yes from one half on."""
    return np.abs(stated - 0.5) * 2, (stated >= 0.5) == true


def gate(confidence: Floats, correct: Right, goal: Goal) -> Gate | None:
    """The gate on these rows; None where no measured confidence meets the goal, or without rows."""
    curve = _Curve(confidence, correct)
    return curve.gate(np.ones(len(confidence), dtype=np.int64), goal)


def python_stream(rows: int, resamples: int, seed: int) -> Iterator[npt.NDArray[np.int64]]:
    """Its own draws: one `randrange` per row, resample after resample."""
    rng = random.Random(seed)
    for _ in range(resamples):
        yield np.array([rng.randrange(rows) for _ in range(rows)], dtype=np.int64)


def numpy_stream(rows: int, resamples: int, seed: int) -> Iterator[npt.NDArray[np.int64]]:
    """Our generator, PCG64: other draws, the same figures within their Monte-Carlo error."""
    rng = np.random.Generator(np.random.PCG64(seed))
    for _ in range(resamples):
        yield rng.integers(0, rows, rows)


def guarded(
    confidence: Floats,
    correct: Right,
    goal: Goal,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    stream: Stream = python_stream,
) -> Guarded:
    """The gate of all rows with what it gave on rows that a resample left out; refused below 50 rows."""
    rows = len(confidence)
    if rows < REFUSED_BELOW:
        return Guarded("refused", rows)
    curve = _Curve(confidence, correct)
    chosen = curve.gate(np.ones(rows, dtype=np.int64), goal)
    if chosen is None:
        return Guarded("unreachable", rows)
    picks, scored = [], []
    for drawn in stream(rows, resamples, seed):
        times = np.bincount(drawn, minlength=rows)
        if (pick := curve.gate(times, goal)) is None:
            continue
        picks.append(pick.threshold)
        if (found := _on(confidence, correct, times == 0, pick.threshold)) is not None:
            scored.append(found)
    if not scored:
        return Guarded("unstable", rows, in_sample=chosen, resamples=resamples, misses=resamples - len(picks))
    accuracies = [each.accuracy for each in scored]
    coverage = sum(each.coverage for each in scored) / len(scored)
    return Guarded(
        status="ok" if rows >= WARNED_BELOW else "warn",
        rows=rows,
        gate=Gate(chosen.threshold, coverage, sum(accuracies) / len(accuracies)),
        in_sample=chosen,
        threshold_range=(percentile(picks, 0.025), percentile(picks, 0.975)),
        accuracy_range=(percentile(accuracies, 0.025), percentile(accuracies, 0.975)),
        resamples=resamples,
        misses=resamples - len(picks),
        spread=float(np.std(accuracies)),
    )


def percentile(values: list[float], share: float) -> float:
    """Nearest rank, halves to even."""
    return sorted(values)[min(len(values) - 1, max(0, round(share * (len(values) - 1))))]


def drift(recorded: float, right: int, covered: int) -> str:
    """Its verdict on rows measured now: holds, drifted (two standard errors below), too few rows, or no data."""
    if not covered:
        return "no data"
    margin = 2 * float(np.sqrt(recorded * (1 - recorded) / covered))
    if right / covered >= recorded - margin:
        return "holds"
    return "drifted" if covered >= LEAST_COVERED else "too few rows"


@dataclass(slots=True)
class _Curve:
    """Every measured confidence, highest first, and which row has which."""

    confidence: Floats
    correct: Right
    _values: Floats = field(init=False)
    _place: npt.NDArray[np.int64] = field(init=False)

    def __post_init__(self) -> None:
        rising, place = np.unique(self.confidence, return_inverse=True)
        self._values, self._place = rising[::-1], len(rising) - 1 - place

    def gate(self, times: Weights, goal: Goal) -> Gate | None:
        size, total = len(self._values), int(times.sum())
        drawn = np.bincount(self._place, weights=times, minlength=size)
        covered = drawn.cumsum()
        with np.errstate(invalid="ignore"):
            accuracy = np.bincount(self._place, weights=times * self.correct, minlength=size).cumsum() / covered
        if goal.target_accuracy is not None:
            hits = np.flatnonzero((drawn > 0) & (accuracy >= goal.target_accuracy))[::-1]
        else:
            hits = np.flatnonzero((drawn > 0) & (covered / total >= 1.0 - float(goal.max_escalation or 0.0) - 1e-12))
        if not len(hits):
            return None
        return Gate(float(self._values[hits[0]]), float(covered[hits[0]] / total), float(accuracy[hits[0]]))


def _on(confidence: Floats, correct: Right, out: Right, threshold: float) -> Gate | None:
    covered = out & (confidence >= threshold)
    number = int(covered.sum())
    if not number:
        return None
    return Gate(threshold, number / int(out.sum()), int((covered & correct).sum()) / number)
