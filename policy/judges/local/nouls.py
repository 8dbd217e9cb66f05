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
from policy.judges.local.reading import Offer, Reading, lines, names_member

GENERIC_SLOPE = 0.12
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


def relevance_lines(question: Noul) -> list[str]:
    """The lines of the `true` criterion, or of the question itself where it has none."""
    return lines(question.true or "") or lines(question.instructions)


def lists_members(question: Noul) -> bool:
    """Whether the criterion names the members of the category, one `id: description` per line."""
    return any(names_member(line) for line in relevance_lines(question))


def relevance_features(question: Noul, reading: Reading) -> Mapping[str, float]:
    """How close the state comes to the best line of the `true` criterion."""
    return reading.best([Offer.line(line) for line in relevance_lines(question)]).features()


def _relevance(question: Noul, reading: Reading, constants: Constants) -> float:
    backend = constants.of(vectors=reading.comparer is not None)
    readout = backend.relevance if lists_members(question) else backend.bare_relevance
    return logistic(readout.at(relevance_features(question, reading)))


def _ask_first(question: Noul, reading: Reading, constants: Constants) -> float:
    return logistic(constants.ask_first.at(vagueness.features(" ".join(reading.wholes))))


def _generic(question: Noul, reading: Reading, constants: Constants) -> float:
    """Leans towards the nearer criterion but stays within `GENERIC_REACH` of one half: nothing was fitted."""
    if not lines(question.false or ""):
        return 0.5
    yes, no = (
        reading.best([Offer.line(line) for line in found])
        for found in (relevance_lines(question), lines(question.false or ""))
    )
    lean = GENERIC_SLOPE * (yes.near - no.near) + yes.overlap - no.overlap
    return 0.5 + 2 * GENERIC_REACH * (logistic(lean) - 0.5)


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
