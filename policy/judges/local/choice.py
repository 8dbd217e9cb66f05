"""Readout of a choice: softmax over closeness at the fitted temperature, with a fitted place for `none fits`."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from itertools import islice
from typing import Any

from policy.engine.questions import Choice
from policy.judges.local.constants import Constants
from policy.judges.local.numbers import choice_confidence, six_decimals, softmax
from policy.judges.local.reading import Match, Offer, Reading

_NONE_LABEL = re.compile(r"^_*(none|no_match|none_of_(these|them|the_above)|nothing|keine?[rs]?)_*$", re.IGNORECASE)


def says_none(label: str) -> bool:
    """Whether a label means that no other label fits, such as `__none__`."""
    return bool(_NONE_LABEL.match(label))


def answer_choice(question: Choice, reading: Reading, constants: Constants) -> dict[str, Any]:
    """The wire answer; the choice is the most probable label, the first one where two are equal."""
    labels = list(question.criteria)
    distribution = softmax(logits(question, reading, constants))
    winner = labels[max(range(len(labels)), key=distribution.__getitem__)]
    return {
        "type": "choice",
        "choice": winner,
        "probabilities": dict(zip(labels, six_decimals(distribution), strict=True)),
        "confidence": choice_confidence(distribution),
    }


def logits(question: Choice, reading: Reading, constants: Constants) -> list[float]:
    """One logit per label in the order of the criteria."""
    backend = constants.of(vectors=reading.comparer is not None)
    by_label = {label: backend.choice.at(match.features()) for label, match in offered(question, reading).items()}
    none = backend.none.at(none_features(len(by_label)))
    return [by_label.get(label, none) for label in question.criteria]


def offered(question: Choice, reading: Reading) -> dict[str, Match]:
    """The match of each label that stands for something."""
    real = [label for label in question.criteria if not says_none(label)]
    offers = {label: Offer.option(label, question.criteria[label]) for label in real}
    matches = iter(reading.matches([offer for lines in offers.values() for offer in lines]))
    return {label: Match.best(list(islice(matches, len(lines)))) for label, lines in offers.items()}


def none_features(options: int) -> Mapping[str, float]:
    """What the place of "none fits" depends on: the more options, the higher the best of them by chance."""
    return {"log_options": math.log(max(1, options))}
