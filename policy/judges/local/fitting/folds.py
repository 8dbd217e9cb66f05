"""How well a fit does on cases that it has not seen: each fold is answered by the readouts of the other folds."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from policy.judges.local.fitting.measured import Features, Measured
from policy.judges.local.fitting.readouts import RELEVANT, Names, fit_selecting, fit_vagueness
from policy.judges.local.numbers import logistic

FOLDS = 10
FIRST_THREE = 3

Item = TypeVar("Item")
Readout = TypeVar("Readout")


def backend_figures(cases: Sequence[Measured], names: Names, *, seed: int) -> dict[str, float]:
    """Shares over held-out cases: the right tool among the first of the menu, relevance at 0.5 over all tools."""
    ranks: list[float] = []
    needed: list[bool] = []
    needless: list[bool] = []
    for backend, case in held_out(cases, lambda seen: fit_selecting(seen, names), seed=seed):
        if any(case.wanted):
            ranks.append(_rank([backend.choice.at(option) for option in case.options], case.wanted))
        for group in case.catalog:
            relevant = logistic(backend.relevance.at(group.listed)) >= RELEVANT
            (needed if any(group.wanted) else needless).append(relevant)
    return {
        "top1": _share([rank < 1 for rank in ranks]),
        "top3": _share([rank < FIRST_THREE for rank in ranks]),
        "relevance_recall": _share(needed),
        "needless_categories_per_task": round(sum(needless) / sum(bool(case.catalog) for case in cases), 3),
    }


def vagueness_figures(examples: Sequence[tuple[Features, bool]], *, seed: int) -> dict[str, float]:
    """Over held-out tasks: how often a vague one ranks above a clear one."""
    answers = [
        (readout.at(features), vague) for readout, (features, vague) in held_out(examples, fit_vagueness, seed=seed)
    ]
    return {"auc": round(auc(answers), 3)}


def auc(answers: Sequence[tuple[float, bool]]) -> float:
    """How often an answer whose label is yes lies above one whose label is no; equal ones count half."""
    yes = [score for score, label in answers if label]
    no = [score for score, label in answers if not label]
    above = sum((high > low) + (high == low) / 2 for high in yes for low in no)
    return above / (len(yes) * len(no))


def held_out(
    items: Sequence[Item], fit: Callable[[list[Item]], Readout], *, seed: int
) -> Iterator[tuple[Readout, Item]]:
    """Every item once, with the readout that was fitted without it."""
    order = list(range(len(items)))
    random.Random(seed).shuffle(order)
    for fold in range(FOLDS):
        held = set(order[fold::FOLDS])
        readout = fit([item for index, item in enumerate(items) if index not in held])
        yield from ((readout, items[index]) for index in sorted(held))


def _rank(scores: list[float], wanted: list[bool]) -> float:
    """How many wrong options come before the best right one; an equal one counts half."""
    best = max(score for score, right in zip(scores, wanted, strict=True) if right)
    wrong = [score for score, right in zip(scores, wanted, strict=True) if not right]
    return sum((score > best) + (score == best) / 2 for score in wrong)


def _share(found: Sequence[bool]) -> float:
    return round(sum(found) / len(found), 3)
