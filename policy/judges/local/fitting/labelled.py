"""Training of the questions about a call: its readouts, how far they are drawn to one half, and held-out answers."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from policy.judges.local import call_features
from policy.judges.local.calls import Call
from policy.judges.local.constants import Linear
from policy.judges.local.fitting import folds
from policy.judges.local.fitting.readouts import linear, row
from policy.judges.local.fitting.solve import Example, solve, yes_no
from policy.judges.local.fitting.training import LabelledCall
from policy.judges.local.numbers import logistic
from policy.judges.local.reading import Comparer, Reading
from policy.judges.local.vectors import Centres

Features = Mapping[str, float]

# Few examples and many features: the penalty keeps single words from deciding.
RIDGE = 0.5


@dataclass(frozen=True, slots=True)
class Kind:
    """One question about a call: its name in the training data, its field of `Backend`, what it weighs."""

    name: str
    readout: str
    features: Callable[[Call, Reading], Features]
    weighs: tuple[str, ...]


KINDS = (
    Kind("violates_restriction", "violates", call_features.violates, call_features.VIOLATES),
    Kind("missing_information", "missing", call_features.missing, call_features.MISSING),
    Kind("matches_task", "matches", call_features.matches, call_features.MATCHES),
)
WITHOUT_VECTORS = frozenset({"near"})

Examples = Sequence[tuple[Features, bool]]


def examples(
    known: Sequence[LabelledCall], kind: Kind, *, comparer: Comparer | None, centre: Centres
) -> list[tuple[Features, bool]]:
    """The features of each call of a kind with its label, by the judge's own code."""
    found = []
    for each in known:
        reading = Reading.of(each.state, comparer=comparer, centre=centre, deadline=math.inf)
        if each.kind == kind.name and reading.call is not None:
            found.append((kind.features(reading.call, reading), each.label))
    return found


def fit_kind(kind: Kind, measured: Examples, *, vectors: bool, seed: int) -> Linear:
    """The readout, its log-odds multiplied by what held-out answers say that they are worth (0 to 1)."""
    names = tuple(name for name in kind.weighs if vectors or name not in WITHOUT_VECTORS)
    pairs = _pairs(measured)
    full = _logistic(pairs, names)
    worth = _worth(_held_out(pairs, names, seed=seed))
    return Linear({name: _short(worth * weight) for name, weight in full.weights.items()}, _short(worth * full.bias))


def held_out(kind: Kind, measured: Examples, *, vectors: bool, seed: int) -> list[tuple[float, bool]]:
    """The probability of each call by a readout that has seen neither it nor its counterpart, with its label."""
    names = tuple(name for name in kind.weighs if vectors or name not in WITHOUT_VECTORS)
    pairs = _pairs(measured)
    answers = _held_out(pairs, names, seed=seed)
    worth = _worth(answers)
    return [(logistic(worth * log_odds), label) for log_odds, label in answers]


def _pairs(measured: Examples) -> list[list[tuple[Features, bool]]]:
    """A call and its counterpart stand one after the other and stay in one fold."""
    return [list(measured[start : start + 2]) for start in range(0, len(measured), 2)]


def _logistic(pairs: Sequence[Examples], names: tuple[str, ...]) -> Linear:
    rows = [yes_no(row(found, names), yes=label) for pair in pairs for found, label in pair]
    return linear(names, solve(rows, penalty=[RIDGE] * len(names) + [0.0]))


def _held_out(pairs: Sequence[Examples], names: tuple[str, ...], *, seed: int) -> list[tuple[float, bool]]:
    return [
        (readout.at(found), label)
        for readout, pair in folds.held_out(pairs, lambda seen: _logistic(seen, names), seed=seed)
        for found, label in pair
    ]


def _worth(answers: Sequence[tuple[float, bool]]) -> float:
    """The slope that makes held-out log-odds most probable; never above 1, never turning them around."""
    rows = [Example([[log_odds], [0.0]], [label, not label]) for log_odds, label in answers]
    return min(1.0, max(0.0, solve(rows, penalty=[0.01])[0]))


def _short(weight: float) -> float:
    return float(f"{weight:.5g}")
