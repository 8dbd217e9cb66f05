"""Maximum likelihood for choices among rows of features, by Newton steps; the logistic is its two-row case."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

STEPS = 100
TOLERANCE = 1e-9
NEVER = -1e9


@dataclass(frozen=True, slots=True)
class Example:
    """`rows` holds the features of each option, `offsets` what is added to its logit, `wanted` marks the right ones."""

    rows: list[list[float]]
    wanted: list[bool]
    offsets: list[float] | None = None
    weight: float = 1.0


def yes_no(features: Sequence[float], *, yes: bool, weight: float = 1.0) -> Example:
    """An example of a logistic: yes has the features and a one for the bias, no has zeros."""
    row = [*features, 1.0]
    return Example([row, [0.0] * len(row)], [yes, not yes], weight=weight)


def solve(examples: Sequence[Example], *, penalty: Sequence[float]) -> list[float]:
    """The weights that make the wanted options most probable, under a quadratic penalty per weight."""
    problem = _Problem.of(examples, np.asarray(penalty, dtype=float))
    weights = np.zeros(len(penalty))
    loss, gradient, hessian = problem.at(weights)
    for _ in range(STEPS):
        step = np.linalg.solve(hessian, gradient)
        tried = problem.at(weights - step)
        while tried[0] > loss and np.abs(step).max() > TOLERANCE:
            step = step / 2
            tried = problem.at(weights - step)
        if loss - tried[0] < TOLERANCE:
            break
        weights, (loss, gradient, hessian) = weights - step, tried
    return [float(weight) for weight in weights]


@dataclass(frozen=True, slots=True)
class _Problem:
    """All examples as one block, filled up with options that nobody can choose."""

    rows: Array
    offsets: Array
    wanted: Array
    weights: Array
    ridge: Array

    @classmethod
    def of(cls, examples: Sequence[Example], ridge: Array) -> _Problem:
        shape = (len(examples), max(len(example.rows) for example in examples))
        rows, offsets, wanted = np.zeros((*shape, len(ridge))), np.full(shape, NEVER), np.zeros(shape)
        for index, example in enumerate(examples):
            size = len(example.rows)
            rows[index, :size] = example.rows
            offsets[index, :size] = example.offsets or 0.0
            wanted[index, :size] = example.wanted
        return cls(rows, offsets, wanted, np.array([example.weight for example in examples]), ridge)

    def at(self, weights: Array) -> tuple[float, Array, Array]:
        """Loss, gradient and an upper bound of the curvature."""
        logits = self.rows @ weights + self.offsets
        shares = np.exp(logits - logits.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        right = shares * self.wanted
        mass = np.maximum(right.sum(axis=1, keepdims=True), 1e-300)
        loss = float(self.ridge @ weights**2) / 2 - float(self.weights @ np.log(mass[:, 0]))
        mean = np.einsum("nk,nkd->nd", shares, self.rows)
        gradient = self.ridge * weights + self.weights @ (mean - np.einsum("nk,nkd->nd", right / mass, self.rows))
        spread = np.einsum("n,nk,nkd,nke->de", self.weights, shares, self.rows, self.rows, optimize=True)
        hessian = np.diag(self.ridge + TOLERANCE) + spread - np.einsum("n,nd,ne->de", self.weights, mean, mean)
        return loss, gradient, hessian
