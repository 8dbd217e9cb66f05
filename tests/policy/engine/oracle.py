"""What surely breaks the contract of seed 001, read anew without the engine: the second opinion of the fuzz test."""

from __future__ import annotations

import math
from typing import Any

from policy.engine.questions import Choice, Noul, Question

BAND = 0.0101


def surely_broken(question: Question, answer: Any) -> bool:
    """True where no reading of the contract makes the answer valid; False says nothing."""
    if not isinstance(answer, dict):
        return True
    if isinstance(question, Noul):
        return answer.get("type") != "noul" or not _share(answer.get("noul"))
    labels = list(question.criteria) if isinstance(question, Choice) else [str(n) for n in range(len(question.levels))]
    shares: Any = answer.get("probabilities")
    if not _share(answer.get("confidence")) or not isinstance(shares, dict) or set(shares) != set(labels):
        return True
    if not all(map(_share, shares.values())) or abs(math.fsum(shares.values()) - 1) > BAND:
        return True
    if isinstance(question, Choice):
        chosen = answer.get("choice")
        if answer.get("type") != "choice" or not isinstance(chosen, str) or chosen not in labels:
            return True
        return bool(shares[chosen] < max(shares.values()) - BAND)
    score: Any = answer.get("score")
    if answer.get("type") != "score" or not _number(score) or not 0 <= score <= len(labels) - 1:
        return True
    mean = math.fsum(place * shares[label] for place, label in enumerate(labels))
    return bool(abs(score - mean) > (BAND + 0.001) * len(labels) + BAND * len(labels))


def surely_broken_reply(questions: dict[str, Question], body: Any) -> bool:
    """Whether one of these questions has no answer that could be valid."""
    answers = body.get("answers") if isinstance(body, dict) else None
    if not isinstance(answers, dict):
        return True
    return any(surely_broken(question, answers.get(name)) for name, question in questions.items())


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value == value


def _share(value: Any) -> bool:
    return _number(value) and 0 <= value <= 1
