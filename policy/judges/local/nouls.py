"""Readouts of yes-or-no questions: each says by the question's own wording whether it can read it; first match wins."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from policy.engine.questions import Noul
from policy.judges.local import vagueness
from policy.judges.local.constants import Constants
from policy.judges.local.numbers import logistic
from policy.judges.local.reading import Offer, Reading

GENERIC_SLOPE = 12.0
GENERIC_REACH = 0.15

_RELEVANCE = re.compile(r"\b(categor|tool|skill)\w*\b.*\b(relevant|needed|useful)\b", re.IGNORECASE | re.DOTALL)
_ASK_FIRST = re.compile(r"\b(leaves? open|left open|ambiguous|unclear|vague|clarif\w+|ask first)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class NoulReadout:
    """One way to read a noul: the wording it is for, whether it was fitted, and the probability of yes."""

    name: str
    fitted: bool
    reads: Callable[[Noul], bool]
    probability: Callable[[Noul, Reading, Constants], float]


def answer_noul(question: Noul, reading: Reading, constants: Constants) -> dict[str, Any]:
    """The wire answer, to six decimals."""
    return {"type": "noul", "noul": round(readout_of(question).probability(question, reading, constants), 6)}


def readout_of(question: Noul) -> NoulReadout:
    """The readout that this question's wording calls for."""
    return next(readout for readout in READOUTS if readout.reads(question))


def relevance_features(question: Noul, reading: Reading) -> Mapping[str, float]:
    """How close the task comes to the best line of the `true` criterion, also measured from the `false` one."""
    lines = [line.strip() for line in (question.true or question.instructions).splitlines() if line.strip()]
    matches = reading.matches([Offer.line(line) for line in lines])
    best = max(match.cosine for match in matches)
    against = reading.cosines([question.false])[0] if question.false else 0.0
    return {"cosine": best, "gap": best - against, "overlap": max(match.overlap for match in matches)}


def _relevance(question: Noul, reading: Reading, constants: Constants) -> float:
    backend = constants.of(vectors=reading.comparer is not None)
    return logistic(backend.relevance.at(relevance_features(question, reading)))


def _ask_first(question: Noul, reading: Reading, constants: Constants) -> float:
    return logistic(constants.ask_first.at(vagueness.features(" ".join(reading.asked))))


def _generic(question: Noul, reading: Reading, constants: Constants) -> float:
    """Leans towards the nearer criterion but stays within `GENERIC_REACH` of one half: nothing was fitted."""
    if question.false is None:
        return 0.5
    offers = [Offer.line(question.true or question.instructions), Offer.line(question.false)]
    yes, no = (match.cosine + 0.05 * match.overlap for match in reading.matches(offers))
    return 0.5 + 2 * GENERIC_REACH * (logistic(GENERIC_SLOPE * (yes - no)) - 0.5)


READOUTS = (
    NoulReadout(
        name="relevance",
        fitted=True,
        reads=lambda question: bool(_RELEVANCE.search(question.instructions)),
        probability=_relevance,
    ),
    NoulReadout(
        name="ask_first",
        fitted=True,
        reads=lambda question: bool(_ASK_FIRST.search(question.instructions)),
        probability=_ask_first,
    ),
    NoulReadout(name="generic", fitted=False, reads=lambda question: True, probability=_generic),
)
