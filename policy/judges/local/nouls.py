"""Readouts of yes-or-no questions: each says by the question's own wording whether it can read it; first match wins."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from policy.engine.questions import Noul
from policy.judges.local import call_features as weighed
from policy.judges.local import vagueness
from policy.judges.local.calls import Call
from policy.judges.local.constants import Backend, Constants, Linear
from policy.judges.local.numbers import logistic
from policy.judges.local.reading import Match, Offer, Reading, lines, names_member

GENERIC_SLOPE = 0.12
GENERIC_REACH = 0.15
# Where nothing is forbidden nothing can be violated; not 0, because the judge may have been given half a state.
NO_RULES = 0.02
NEAREST_LINES = 3

_RELEVANCE = re.compile(r"\b(categor|tool|skill)\w*\b.*\b(relevant|needed|useful)\b", re.I | re.DOTALL)
_VIOLATES = re.compile(r"\b(contradict|violat|break|conflict)\w*\b.*\b(restriction|rule|prohibition)", re.I | re.DOTALL)
_MISSING = re.compile(r"\bcall\b.*\b(need|lack|miss)\w*\b.*\b(information|argument|value)", re.I | re.DOTALL)
_MATCHES = re.compile(r"\bcall\b.*\b(serve|match|advance|fit)\w*\b.*\b(task|step)\b", re.I | re.DOTALL)
_ASK_FIRST = re.compile(r"\b(leaves? open|left open|ambiguous|unclear|vague|clarif\w+|ask first)\b", re.I)


@dataclass(frozen=True, slots=True)
class NoulReadout:
    """One way to read a noul: the wording it is for, the probability of yes, and what must be said with it."""

    name: str
    reads: Callable[[Noul], bool]
    probability: Callable[[Noul, Reading, Constants], float]
    caveat: str | None = None


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
    """How close the state comes to the best line of the `true` criterion, and in `several` to its nearest three.

    Of many lines one is near by chance; where several are, the state is about the subject that they share.
    """
    matches = reading.matches([Offer.line(line) for line in relevance_lines(question)])
    nearest = sorted((match.whole for match in matches), reverse=True)[:NEAREST_LINES]
    return {**Match.best(matches).features(), "several": fmean(nearest)}


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


def _of_call(
    features: Callable[[Call, Reading], Mapping[str, float]], readout: Callable[[Backend], Linear]
) -> Callable[[Noul, Reading, Constants], float]:
    """A question about the call that the state names; without a call it is a question like any other."""

    def probability(question: Noul, reading: Reading, constants: Constants) -> float:
        if reading.call is None:
            return _generic(question, reading, constants)
        backend = constants.of(vectors=reading.comparer is not None)
        return logistic(readout(backend).at(features(reading.call, reading)))

    return probability


def _violates(question: Noul, reading: Reading, constants: Constants) -> float:
    if reading.call is not None and not reading.call.rules:
        return NO_RULES
    return _of_call(weighed.violates, lambda backend: backend.violates)(question, reading, constants)


def _worded(pattern: re.Pattern[str]) -> Callable[[Noul], bool]:
    return lambda question: bool(pattern.search(question.instructions))


_UNREAD = "no readout is fitted for this wording, so the probability stays near one half"
_WEAK = "a weak readout, drawn towards one half; it compares words and meaning and does not understand a prohibition"
_FAIR = "a weak readout, drawn towards one half; the host's own check of the arguments is surer"

READOUTS = (
    NoulReadout("violates_restriction", _worded(_VIOLATES), _violates, _WEAK),
    NoulReadout(
        "missing_information",
        _worded(_MISSING),
        _of_call(weighed.missing, lambda backend: backend.missing),
        _FAIR,
    ),
    NoulReadout("matches_task", _worded(_MATCHES), _of_call(weighed.matches, lambda backend: backend.matches)),
    NoulReadout("relevance", _worded(_RELEVANCE), _relevance),
    NoulReadout("ask_first", _worded(_ASK_FIRST), _ask_first),
    NoulReadout("generic", lambda question: True, _generic, _UNREAD),
)
