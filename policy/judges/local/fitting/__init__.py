"""The fit of the judge's constants from its own training data; needs numpy, which comes with the vectors' wheel."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from policy.judges.local import text
from policy.judges.local.constants import Backend, Constants
from policy.judges.local.fitting import cuts, folds, labelled, readouts, routing, training
from policy.judges.local.fitting.measured import Features, measure
from policy.judges.local.fitting.training import BrokenTraining, Training
from policy.judges.local.reading import Offer
from policy.judges.local.vagueness import features
from policy.judges.local.vectors import Centres, Kind, Vectors

__all__ = ["SEED", "BrokenTraining", "Fitted", "fit"]

SEED = 20250
DECIMALS = 5


@dataclass(frozen=True, slots=True)
class Fitted:
    """The constants, and the profile that goes with them as its file holds it."""

    constants: Constants
    profile: dict[str, Any]


def fit(folder: Path, *, vectors: Vectors, version: int, seed: int = SEED) -> Fitted:
    """Constants and profile from the training files of `folder`; `seed` shuffles the folds of the cross-validation.

    Raises `BrokenTraining`, and `VectorsUnavailable` where there are no vectors to fit.
    """
    known = training.read(folder)
    centre = _centre(known, vectors)
    near, near_figures, answers = _backend(known, vectors, centre, seed)
    words, words_figures, _ = _backend(known, None, centre, seed)
    tasks = vagueness_examples(known)
    constants = Constants(
        version=version,
        centre=centre,
        vectors=near,
        lexical=words,
        ask_first=readouts.fit_vagueness(tasks),
        data={
            "sha256": known.sha256,
            "seed": seed,
            "tasks": len(known.cases),
            "pairs": len(known.pairs),
            "calls": len(known.calls),
            "held_out": {
                "vectors": near_figures,
                "lexical": words_figures,
                "ask_first": folds.vagueness_figures(tasks, seed=seed),
            },
        },
    )
    routed = routing.settings(routing.route(known, comparer=vectors, constants=constants, seed=seed), known)
    return Fitted(constants, cuts.profile(answers, routed, sha256=known.sha256, version=version))


def vagueness_examples(known: Training) -> list[tuple[Features, bool]]:
    """The pairs, and the tasks of the selection cases as more that are clear."""
    vague = [(features(pair.vague), True) for pair in known.pairs]
    clear = [pair.clear for pair in known.pairs] + [case.task for case in known.cases]
    return vague + [(features(task), False) for task in clear]


def _backend(
    known: Training, vectors: Vectors | None, centre: Centres, seed: int
) -> tuple[Backend, dict[str, float], cuts.HeldOut]:
    """The readouts of one way to compare, its held-out figures, and its held-out answers about calls."""
    names = readouts.WORDS_ONLY if vectors is None else readouts.WITH_VECTORS
    cases = measure(known, comparer=vectors, centre=centre)
    selecting = readouts.fit_selecting(cases, names)
    figures = folds.backend_figures(cases, names, seed=seed)
    about, answers = {}, {}
    for kind in labelled.KINDS:
        found = labelled.examples(known.calls, kind, comparer=vectors, centre=centre)
        about[kind.readout] = labelled.fit_kind(kind, found, vectors=vectors is not None, seed=seed)
        answers[kind.name] = labelled.held_out(kind, found, vectors=vectors is not None, seed=seed)
        figures[f"{kind.name}_auc"] = round(folds.auc(answers[kind.name]), 3)
    backend = Backend(
        choice=selecting.choice,
        none=selecting.none,
        relevance=selecting.relevance,
        bare_relevance=selecting.bare_relevance,
        violates=about["violates"],
        missing=about["missing"],
        matches=about["matches"],
    )
    return backend, figures, answers


def _centre(known: Training, vectors: Vectors) -> Centres:
    offers = [offer for tool in known.tools.values() for offer in Offer.option(tool.id, tool.description)]
    return Centres(
        passages=_average(vectors, "passage", [offer.passage for offer in offers]),
        named=_average(vectors, "query", [offer.named for offer in offers]),
        queries=_average(vectors, "query", [text.plain(case.task) for case in known.cases]),
    )


def _average(vectors: Vectors, kind: Kind, texts: Sequence[str]) -> tuple[float, ...]:
    rows = vectors.embed(kind, texts, deadline=math.inf)
    return tuple(round(float(value), DECIMALS) for value in rows.mean(axis=0))
