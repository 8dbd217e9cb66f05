"""The weights of each readout, fitted on measured cases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from policy.judges.local.choice import none_features
from policy.judges.local.constants import Linear
from policy.judges.local.fitting.measured import Features, Group, Measured
from policy.judges.local.fitting.solve import Example, solve, yes_no
from policy.judges.local.numbers import logistic

DIGITS = 5
RIDGE = 0.01
RIDGE_VAGUE = 0.5

# A category that is needed weighs as much as ten that are not: a menu without the right tool is the worse mistake.
NEEDED_WEIGHT = 10.0
# For the same reason a pick in a needless category weighs little against a pick with a right answer.
NONE_WEIGHT = 0.15
RELEVANT = 0.5


@dataclass(frozen=True, slots=True)
class Names:
    """Which features a backend weighs."""

    choice: tuple[str, ...]
    relevance: tuple[str, ...]
    bare_relevance: tuple[str, ...]


WITH_VECTORS = Names(
    choice=("near", "whole", "bm25", "agreement", "deed"),
    relevance=("near", "whole", "several", "letters"),
    bare_relevance=("near", "whole", "letters"),
)
WORDS_ONLY = Names(
    choice=("bm25", "letters", "agreement", "deed"),
    relevance=("overlap", "letters"),
    bare_relevance=("overlap", "letters"),
)


@dataclass(frozen=True, slots=True)
class Selecting:
    """The readouts of a selection: those of `Backend` that the tasks with a menu fit."""

    choice: Linear
    none: Linear
    relevance: Linear
    bare_relevance: Linear


def fit_selecting(cases: Sequence[Measured], names: Names) -> Selecting:
    """The readouts of a selection for one way to compare."""
    groups = [group for case in cases for group in (*case.groups, *case.catalog)]
    relevance = _logistic([(group.listed, any(group.wanted)) for group in groups], names.relevance)
    choice = _choice(cases, names.choice)
    met = [group for group in groups if any(group.wanted) or logistic(relevance.at(group.listed)) >= RELEVANT]
    return Selecting(
        choice=choice,
        none=_none([*cases, *met], choice),
        relevance=relevance,
        bare_relevance=_logistic([(group.bare, any(group.wanted)) for group in groups], names.bare_relevance),
    )


def fit_vagueness(examples: Sequence[tuple[Features, bool]]) -> Linear:
    """The readout of `ask_first`; vague and clear tasks weigh the same in sum."""
    vague = sum(yes for _, yes in examples)
    names = tuple(examples[0][0])
    ratio = vague / (len(examples) - vague)
    rows = [yes_no(row(found, names), yes=yes, weight=1.0 if yes else ratio) for found, yes in examples]
    return linear(names, solve(rows, penalty=[RIDGE_VAGUE] * len(names) + [0.0]))


def _logistic(examples: Sequence[tuple[Features, bool]], names: tuple[str, ...]) -> Linear:
    rows = [yes_no(row(found, names), yes=yes, weight=NEEDED_WEIGHT if yes else 1.0) for found, yes in examples]
    return linear(names, solve(rows, penalty=[RIDGE] * (len(names) + 1)))


def _choice(cases: Sequence[Measured], names: tuple[str, ...]) -> Linear:
    """From the whole menus and from the right categories alone, since both kinds of question will be asked."""
    examples = [
        Example([row(option, names) for option in options], wanted) for options, wanted in _with_an_answer(cases)
    ]
    return linear(names, [*solve(examples, penalty=[RIDGE] * len(names)), 0.0])


def _with_an_answer(cases: Sequence[Measured]) -> Iterator[tuple[list[Features], list[bool]]]:
    for case in cases:
        for options, wanted in ((each.options, each.wanted) for each in _questions(case)):
            if any(wanted) and not all(wanted):
                yield options, wanted


def _questions(case: Measured) -> list[Measured | Group]:
    return [case, *case.groups, *case.catalog]


def _none(asked: Sequence[Measured | Group], choice: Linear) -> Linear:
    """From the whole menus too, so that its place for many options is not a guess from few."""
    names = tuple(none_features(1))
    weights = solve([_none_example(each, choice, names) for each in asked], penalty=[RIDGE] * (len(names) + 1))
    return linear(names, weights)


def _none_example(asked: Measured | Group, choice: Linear, names: tuple[str, ...]) -> Example:
    """The options keep their fitted logits; only the row of "none fits" is free."""
    free = [*row(none_features(len(asked.options)), names), 1.0]
    return Example(
        rows=[*([0.0] * len(free) for _ in asked.options), free],
        wanted=[*asked.wanted, not any(asked.wanted)],
        offsets=[*(choice.at(option) for option in asked.options), 0.0],
        weight=1.0 if any(asked.wanted) else NONE_WEIGHT,
    )


def row(features: Features, names: tuple[str, ...]) -> list[float]:
    """The features of those names, in their order."""
    return [features[name] for name in names]


def linear(names: tuple[str, ...], weights: Sequence[float]) -> Linear:
    """Solved weights by name, shortened; the last one is the bias."""
    *slopes, bias = (float(f"{weight:.{DIGITS}g}") for weight in weights)
    return Linear(dict(zip(names, slopes, strict=True)), bias)
