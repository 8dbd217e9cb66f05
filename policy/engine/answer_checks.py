"""One answer against its question: exact labels, finite numbers, a total of 1 within the band (seed 001)."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from operator import mul
from typing import Any, NamedTuple

from policy.engine.answers import Answer, ChoiceAnswer, NoulAnswer, ScoreAnswer
from policy.engine.failures import Violation
from policy.engine.questions import Choice, Noul, Question, Score
from policy.engine.shorten import shorten, shorten_name
from policy.engine.totals import FLOAT_SLACK, Totals, divided, in_band, is_one

CHOICE_BAND = 0.01
MAX_UNKNOWN_LISTED = 8

# Exact types first: they are what JSON gives, and looking them up costs least.
_OBJECT = (dict, Mapping)
_NUMBER = (float, int)
_TYPE_NAMES: dict[type[Any], str] = {Noul: "noul", Choice: "choice", Score: "score"}


class AnswerCheck(NamedTuple):
    """A valid answer without violations, or violations without an answer."""

    answer: Answer | None
    violations: tuple[Violation, ...] = ()


# The probabilities that add to 1 (None: not usable), and what the judge sent where the two differ.
_Distribution = tuple[Mapping[str, float] | None, Mapping[str, float] | None]
_UNUSABLE: _Distribution = (None, None)


def check_answer(path: str, question: Question, answer: object, *, totals: Totals = Totals.STRICT) -> AnswerCheck:
    """Validate one answer on its own; unknown fields are dropped, nothing is written to `answer`."""
    if not isinstance(answer, _OBJECT):
        return _refused(Violation(path, "an answer must be an object", shorten(answer)))
    expected = _TYPE_NAMES[type(question)]
    if answer.get("type") != expected:
        return _refused(Violation(f"{path}.type", f"the question is a {expected}", shorten(answer.get("type"))))
    match question:
        case Noul():
            return _noul(path, answer)
        case Choice():
            return _choice(path, question, answer, totals)
        case Score():
            return _score(path, question, answer, totals)


def _noul(path: str, answer: Mapping[Any, Any]) -> AnswerCheck:
    value: Any = answer.get("noul")
    if not is_number(value, 1):
        return _refused(Violation(f"{path}.noul", "must be a number in [0, 1]", shorten(value)))
    return AnswerCheck(NoulAnswer(float(value)))


def _choice(path: str, question: Choice, answer: Mapping[Any, Any], totals: Totals) -> AnswerCheck:
    chosen: Any = answer.get("choice")
    confidence: Any = answer.get("confidence")
    violations: list[Violation] = []
    known = isinstance(chosen, str) and chosen in question.criteria
    if not known:
        violations.append(Violation(f"{path}.choice", "is not one of the labels that were sent", shorten(chosen)))
    if not is_number(confidence, 1):
        violations.append(_no_confidence(path, confidence))
    values, raw = _distribution(path, question.criteria, answer, violations, totals, total_of_none=False)
    if known and values is not None:
        published = raw or values
        share, peak = published[chosen], max(published.values())
        if share < peak - CHOICE_BAND - FLOAT_SLACK:
            message = f"the chosen label has {share:g}, the most probable one {peak:g}"
            violations.append(Violation(f"{path}.choice", message, shorten(chosen)))
    if violations or values is None:
        return _refused(*violations)
    return AnswerCheck(ChoiceAnswer(chosen, values, float(confidence), raw))


def _score(path: str, question: Score, answer: Mapping[Any, Any], totals: Totals) -> AnswerCheck:
    score: Any = answer.get("score")
    confidence: Any = answer.get("confidence")
    legend = answer.get("legend")
    highest = len(question.levels) - 1
    violations: list[Violation] = []
    in_range = is_number(score, highest)
    if not in_range:
        violations.append(Violation(f"{path}.score", f"must be a number in [0, {highest}]", shorten(score)))
    if not is_number(confidence, 1):
        violations.append(_no_confidence(path, confidence))
    values, raw = _distribution(path, _levels(highest + 1), answer, violations, totals, total_of_none=True)
    if legend is not None and not isinstance(legend, _OBJECT):
        violations.append(Violation(f"{path}.legend", "must be an object", shorten(legend)))
    if in_range and values is not None:
        expected = math.fsum(map(mul, range(highest + 1), values.values()))
        if abs(score - expected) > 0.01 * highest + 0.01 + FLOAT_SLACK:
            message = f"is not the expectation of its distribution, which is {expected:.4g}"
            violations.append(Violation(f"{path}.score", message, shorten(score)))
    if violations or values is None:
        return _refused(*violations)
    return AnswerCheck(ScoreAnswer(float(score), values, float(confidence), raw))


def _no_confidence(path: str, value: object) -> Violation:
    return Violation(f"{path}.confidence", "must be a number in [0, 1]", shorten(value))


@cache
def _levels(count: int) -> tuple[str, ...]:
    return tuple(map(str, range(count)))


def _distribution(
    path: str,
    labels: Collection[str],
    answer: Mapping[Any, Any],
    violations: list[Violation],
    totals: Totals,
    *,
    total_of_none: bool,
) -> _Distribution:
    """Read the probabilities; appends what is wrong. Choices skip the total when no entry is a number."""
    sent = answer.get("probabilities")
    if not isinstance(sent, _OBJECT):
        message = "must be an object of label and probability"
        violations.append(Violation(f"{path}.probabilities", message, shorten(sent)))
        return _UNUSABLE
    values = _shares(labels, sent)
    total = math.nan if values is None else math.fsum(values.values())
    # NaN passes a minimum and a maximum, but not a sum.
    if values is None or math.isnan(total):
        values = {label: float(sent[label]) for label in labels if is_number(sent.get(label), 1)}
        violations.extend(_entry_violations(f"{path}.probabilities", labels, sent, values))
        total = math.fsum(values.values())
    complete, whole = len(values) == len(labels) == len(sent), is_one(total)
    if not whole and (values or total_of_none) and not in_band(total, len(labels), totals):
        message = f"adds to {total:.6g}, not to 1 within {totals.band(len(labels)):g}"
        violations.append(Violation(f"{path}.probabilities", message, shorten(total)))
        return _UNUSABLE
    if not complete:
        return _UNUSABLE
    if not whole:
        return divided(values), values
    raw = answer.get("rawProbabilities")
    return (values, None) if raw is None else _revalidated(path, values, raw, violations, totals)


def _shares(labels: Collection[str], sent: Mapping[Any, Any]) -> dict[str, float] | None:
    """The common case at once: exactly the labels, plain numbers in range or NaN; None asks for a closer look."""
    values: dict[str, Any] = {label: sent.get(label) for label in labels}
    numbers = values.values()
    kinds = set(map(type, numbers))
    if not kinds or len(sent) != len(labels) or not kinds.issubset(_NUMBER):
        return None
    if min(numbers) < 0 or max(numbers) > 1:
        return None
    return {label: float(value) for label, value in values.items()} if int in kinds else values


def _entry_violations(
    here: str, labels: Collection[str], sent: Mapping[Any, Any], values: Mapping[str, float]
) -> Iterator[Violation]:
    for label in labels:
        if label not in values:
            message = "must be a number in [0, 1]" if label in sent else "no probability for a label that was sent"
            yield Violation(f"{here}.{shorten_name(label)}", message, shorten(sent.get(label)))
    known = set(labels)
    unknown = [label for label in sent if label not in known]
    for label in unknown[:MAX_UNKNOWN_LISTED]:
        yield Violation(f"{here}.{shorten_name(label)}", "is not a label that was sent", shorten(sent[label]))
    if len(unknown) > MAX_UNKNOWN_LISTED:
        yield Violation(here, f"{len(unknown) - MAX_UNKNOWN_LISTED} more labels that were not sent")


def _revalidated(
    path: str, values: Mapping[str, float], raw: object, violations: list[Violation], totals: Totals
) -> _Distribution:
    """A total of 1: an audit field is kept only when it is exactly what our own division would have kept."""
    if isinstance(raw, _OBJECT) and raw.keys() == values.keys() and all(is_number(item, 1) for item in raw.values()):
        published = {label: float(raw[label]) for label in values}
        total = math.fsum(published.values())
        if in_band(total, len(values), totals) and not is_one(total) and divided(published) == values:
            return values, published
    violations.append(Violation(f"{path}.rawProbabilities", "Untrusted rawProbabilities", shorten(raw)))
    return _UNUSABLE


def is_number(value: object, highest: int) -> bool:
    """A finite number in [0, highest]; booleans and numeric strings are none."""
    return isinstance(value, _NUMBER) and not isinstance(value, bool) and 0 <= value <= highest


def _refused(*violations: Violation) -> AnswerCheck:
    return AnswerCheck(None, violations)
