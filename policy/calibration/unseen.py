"""How often the chosen thresholds will agree on cases that they were not chosen on.

Agreement on the same rows is too good by the optimism of choosing. Resamples of cases choose anew each time and are
scored on the cases left out (out-of-bag); folds do the same without repeats of a case.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import numpy.typing as npt

from policy.calibration.cuts import Floats
from policy.calibration.intervals import wilson

Weights = npt.NDArray[np.int64]
Right = npt.NDArray[np.bool_]

DRAWS = 1_000
SEED = 20_260
FOLDS = 5
ROUNDS = 5
BATCH = 64
# Resamples times families: from one thousand families on fewer resamples say as much, each leaves out so many more.
MOST_DRAWN = 1_000_000
LEAST_DRAWS = 100
# Below this a resample leaves out too few cases to say anything.
LEAST_RESAMPLED = 10
# Found by simulation: the chosen threshold moves with the sample, which costs a fifth of the cases.
EFFECTIVE = 0.8


class Choosing(Protocol):
    """`right(weights)` chooses thresholds anew on every line of weights and says which rows each choice gets right.

    `strata` are kept in proportion in every fold.
    """

    @property
    def strata(self) -> npt.NDArray[np.int8]: ...

    def right(self, weights: Weights) -> Right: ...


@dataclass(frozen=True, slots=True)
class Unseen:
    """Shares in [0, 1]. `mean` is out-of-bag with its 95 % interval; `draws`, `seed` replay it."""

    mean: float
    low: float
    high: float
    in_sample: float
    folds: float
    rows: int
    draws: int
    seed: int

    @property
    def optimism(self) -> float:
        """How much better the chosen thresholds look on the rows that they were chosen on."""
        return self.in_sample - self.mean


def enough(rows: int, groups: npt.NDArray[np.int64] | None) -> bool:
    """Whether there are so many groups that a resample leaves out some; a set whose rows are all alike is one group."""
    return (rows if groups is None else len(np.unique(groups))) >= LEAST_RESAMPLED


def unseen(
    problem: Choosing, *, groups: npt.NDArray[np.int64] | None = None, draws: int = DRAWS, seed: int = SEED
) -> Unseen:
    """Estimate agreement on unseen cases; rows of one group (near-duplicates) are drawn and left out together.

    Of very many groups fewer than `draws` resamples are made: the number that was made is in the result.
    """
    size = len(problem.strata)
    families = np.unique(np.arange(size) if groups is None else groups, return_inverse=True)[1]
    number = int(families.max()) + 1
    draws = min(draws, max(MOST_DRAWN // number, LEAST_DRAWS))
    rng = np.random.Generator(np.random.PCG64(seed))
    mean = _out_of_bag(problem, families, rng, draws)
    in_sample = float(problem.right(np.ones((1, size), dtype=np.int64)).mean())
    folds = _folds(problem, families, rng)
    low, high = wilson(mean, EFFECTIVE * number)
    return Unseen(mean, low, high, in_sample, folds, size, draws, seed)


def _out_of_bag(problem: Choosing, families: Weights, rng: np.random.Generator, draws: int) -> float:
    """The mean over draws of the agreement on the rows left out; a draw that leaves out none has none."""
    number = int(families.max()) + 1
    scores: list[Floats] = []
    for begin in range(0, draws, BATCH):
        lines = min(BATCH, draws - begin)
        drawn = rng.integers(0, number, (lines, number)) + np.arange(lines)[:, None] * number
        times = np.bincount(drawn.ravel(), minlength=lines * number).reshape(lines, number)
        out = (weights := times[:, families]) == 0
        left = out.sum(axis=1)
        agreed = (problem.right(weights) & out).sum(axis=1)
        scores.append(agreed[left > 0] / left[left > 0])
    every = np.concatenate(scores)
    return float(every.mean()) if len(every) else float("nan")


def _folds(problem: Choosing, families: Weights, rng: np.random.Generator) -> float:
    """Five folds, five rounds: every row is judged once a round by thresholds that did not see it."""
    agreed = 0
    for _ in range(ROUNDS):
        fold = _assign(problem.strata, families, rng)
        for number in range(FOLDS):
            held = fold == number
            if held.any():
                agreed += int(problem.right((~held).astype(np.int64)[None])[0, held].sum())
    return agreed / (ROUNDS * len(families))


def _assign(strata: npt.NDArray[np.int8], families: Weights, rng: np.random.Generator) -> Weights:
    """A fold for each row: families whole, their labels spread evenly (by the label of their first row)."""
    first = np.unique(families, return_index=True)[1]
    order = rng.permutation(len(first))
    order = order[np.argsort(strata[first][order], kind="stable")]
    fold = np.empty(len(first), dtype=np.int64)
    fold[order] = np.arange(len(first)) % FOLDS
    return fold[families]


@dataclass(slots=True)
class OneThreshold:
    """Choosing one cut between rows that should be stopped and rows that should pass, nearest to the preferred one."""

    scores: Floats
    stop: Right
    cuts: Floats
    prefer: float
    _reached: Weights = field(init=False)
    _sign: Weights = field(init=False)
    _away: Floats = field(init=False)

    def __post_init__(self) -> None:
        self._reached = np.searchsorted(self.cuts, self.scores, side="right")
        self._sign = np.where(self.stop, 1, -1)
        self._away = np.abs(self.cuts - self.prefer)

    @property
    def strata(self) -> npt.NDArray[np.int8]:
        return self.stop.astype(np.int8)

    def chosen(self, weights: Weights) -> Floats:
        """The cut chosen on each line of weights."""
        lines, side = len(weights), len(self.cuts) + 1
        places = np.arange(lines)[:, None] * side + self._reached
        gains = np.bincount(places.ravel(), weights=(weights * self._sign).ravel(), minlength=lines * side)
        saved = gains.reshape(lines, side)[:, ::-1].cumsum(axis=1)[:, ::-1][:, 1:]
        best = saved == saved.max(axis=1, keepdims=True)
        cuts: Floats = self.cuts[np.argmin(np.where(best, self._away, np.inf), axis=1)]
        return cuts

    def right(self, weights: Weights) -> Right:
        decided: Right = (self.scores >= self.chosen(weights)[:, None]) == self.stop
        return decided
