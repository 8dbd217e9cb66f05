"""The fit of the judge's constants from its own training data; needs numpy, which comes with the vectors' wheel."""

from __future__ import annotations

import math
from pathlib import Path

from policy.judges.local.constants import Constants
from policy.judges.local.fitting import folds, readouts, training
from policy.judges.local.fitting.measured import Features, measure
from policy.judges.local.fitting.training import BrokenTraining, Training
from policy.judges.local.vagueness import features
from policy.judges.local.vectors import Vectors

__all__ = ["SEED", "BrokenTraining", "fit"]

SEED = 20250
DECIMALS = 5


def fit(folder: Path, *, vectors: Vectors, version: int, seed: int = SEED) -> Constants:
    """Constants from the training files of `folder`; `seed` shuffles the folds of the cross-validation only.

    Raises `BrokenTraining`, and `VectorsUnavailable` where there are no vectors to fit.
    """
    known = training.read(folder)
    centre = _centre(known, vectors)
    near = measure(known, comparer=vectors, centre=centre)
    words = measure(known, comparer=None, centre=centre)
    tasks = vagueness_examples(known)
    return Constants(
        version=version,
        centre=centre,
        vectors=readouts.fit_backend(near, readouts.WITH_VECTORS),
        lexical=readouts.fit_backend(words, readouts.WORDS_ONLY),
        ask_first=readouts.fit_vagueness(tasks),
        data={
            "sha256": known.sha256,
            "seed": seed,
            "tasks": len(known.cases),
            "pairs": len(known.pairs),
            "held_out": {
                "vectors": folds.backend_figures(near, readouts.WITH_VECTORS, seed=seed),
                "lexical": folds.backend_figures(words, readouts.WORDS_ONLY, seed=seed),
                "ask_first": folds.vagueness_figures(tasks, seed=seed),
            },
        },
    )


def vagueness_examples(known: Training) -> list[tuple[Features, bool]]:
    """The pairs, and the tasks of the selection cases as more that are clear."""
    vague = [(features(pair.vague), True) for pair in known.pairs]
    clear = [pair.clear for pair in known.pairs] + [case.task for case in known.cases]
    return vague + [(features(task), False) for task in clear]


def _centre(known: Training, vectors: Vectors) -> tuple[float, ...]:
    rows = vectors.embed("passage", [tool.description for tool in known.tools.values()], deadline=math.inf)
    return tuple(round(float(value), DECIMALS) for value in rows.mean(axis=0))
