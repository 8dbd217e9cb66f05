"""One answer against its question: exact labels, finite numbers, a total of 1 within the band (seed 001)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from policy.engine.answers import Answer, ChoiceAnswer, NoulAnswer, ScoreAnswer
from policy.engine.failures import Violation
from policy.engine.questions import Choice, Noul, Question, Score
from policy.engine.shorten import shorten, shorten_name

TOTAL_BAND = 0.01
CHOICE_BAND = 0.01
# Two-decimal values are not exact in binary; a total closer than this is the stated one.
FLOAT_SLACK = 1e-9
MAX_UNKNOWN_LISTED = 8

_TYPE_NAMES: dict[type[Any], str] = {Noul: "noul", Choice: "choice", Score: "score"}


@dataclass(frozen=True, slots=True)
class AnswerCheck:
    """A valid answer without violations, or violations without an answer."""

    answer: Answer | None
    violations: tuple[Violation, ...] = ()


@dataclass(frozen=True, slots=True)
class _Distribution:
    """`published` is what the judge sent; `values` adds to 1; `raw` is kept only where the two differ."""

    values: Mapping[str, float]
    published: Mapping[str, float]
    raw: Mapping[str, float] | None


def check_answer(path: str, question: Question, answer: object) -> AnswerCheck:
    """Validate one answer on its own; unknown fields are dropped, nothing is written to `answer`."""
    if not isinstance(answer, Mapping):
        return _refused(Violation(path, "an answer must be an object", shorten(answer)))
    expected = _TYPE_NAMES[type(question)]
    if answer.get("type") != expected:
        return _refused(Violation(f"{path}.type", f"the question is a {expected}", shorten(answer.get("type"))))
    match question:
        case Noul():
            return _noul(path, answer)
        case Choice():
            return _choice(path, question, answer)
        case Score():
            return _score(path, question, answer)


def _noul(path: str, answer: Mapping[Any, Any]) -> AnswerCheck:
    value: Any = answer.get("noul")
    if not is_number(value, 1):
        return _refused(Violation(f"{path}.noul", "must be a number in [0, 1]", shorten(value)))
    return AnswerCheck(NoulAnswer(float(value)))


def _choice(path: str, question: Choice, answer: Mapping[Any, Any]) -> AnswerCheck:
    chosen: Any = answer.get("choice")
    confidence: Any = answer.get("confidence")
    violations: list[Violation] = []
    known = isinstance(chosen, str) and chosen in question.criteria
    if not known:
        violations.append(Violation(f"{path}.choice", "is not one of the labels that were sent", shorten(chosen)))
    violations.extend(_confidence(path, confidence))
    distribution = _distribution(path, list(question.criteria), answer, violations, total_of_none=False)
    if known and distribution is not None:
        peak = max(distribution.published.values())
        if distribution.published[chosen] < peak - CHOICE_BAND - FLOAT_SLACK:
            message = f"the chosen label has {distribution.published[chosen]:g}, the most probable one {peak:g}"
            violations.append(Violation(f"{path}.choice", message, shorten(chosen)))
    if violations or distribution is None:
        return _refused(*violations)
    return AnswerCheck(ChoiceAnswer(str(chosen), distribution.values, float(confidence), distribution.raw))


def _score(path: str, question: Score, answer: Mapping[Any, Any]) -> AnswerCheck:
    score: Any = answer.get("score")
    confidence: Any = answer.get("confidence")
    legend = answer.get("legend")
    highest = len(question.levels) - 1
    violations: list[Violation] = []
    in_range = is_number(score, highest)
    if not in_range:
        violations.append(Violation(f"{path}.score", f"must be a number in [0, {highest}]", shorten(score)))
    violations.extend(_confidence(path, confidence))
    levels = [str(level) for level in range(len(question.levels))]
    distribution = _distribution(path, levels, answer, violations, total_of_none=True)
    if legend is not None and not isinstance(legend, Mapping):
        violations.append(Violation(f"{path}.legend", "must be an object", shorten(legend)))
    if in_range and distribution is not None:
        expected = math.fsum(int(level) * share for level, share in distribution.values.items())
        if abs(score - expected) > 0.01 * highest + 0.01 + FLOAT_SLACK:
            message = f"is not the expectation of its distribution, which is {expected:.4g}"
            violations.append(Violation(f"{path}.score", message, shorten(score)))
    if violations or distribution is None:
        return _refused(*violations)
    return AnswerCheck(ScoreAnswer(float(score), distribution.values, float(confidence), distribution.raw))


def _confidence(path: str, value: object) -> Iterator[Violation]:
    if not is_number(value, 1):
        yield Violation(f"{path}.confidence", "must be a number in [0, 1]", shorten(value))


def _distribution(
    path: str, labels: Sequence[str], answer: Mapping[Any, Any], violations: list[Violation], *, total_of_none: bool
) -> _Distribution | None:
    """Read the probabilities; appends what is wrong. Choices skip the total when no entry is a number."""
    here, sent = f"{path}.probabilities", answer.get("probabilities")
    if not isinstance(sent, Mapping):
        violations.append(Violation(here, "must be an object of label and probability", shorten(sent)))
        return None
    before = len(violations)
    values = {label: float(sent[label]) for label in labels if is_number(sent.get(label), 1)}
    violations.extend(_entry_violations(here, labels, sent, values))
    total = math.fsum(values.values())
    if (values or total_of_none) and not in_band(total):
        violations.append(Violation(here, f"adds to {total:.6g}, not to 1 within {TOTAL_BAND}", shorten(total)))
    if len(violations) > before:
        return None
    if abs(total - 1) > FLOAT_SLACK:
        return _Distribution(divided(values), values, values)
    return _revalidated(path, values, answer.get("rawProbabilities"), violations)


def _entry_violations(
    here: str, labels: Sequence[str], sent: Mapping[Any, Any], values: Mapping[str, float]
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
    path: str, values: Mapping[str, float], raw: object, violations: list[Violation]
) -> _Distribution | None:
    """A total of 1: an audit field is kept only when it is exactly what our own division would have kept."""
    if raw is None:
        return _Distribution(values, values, None)
    if isinstance(raw, Mapping) and raw.keys() == values.keys() and all(is_number(item, 1) for item in raw.values()):
        published = {label: float(raw[label]) for label in values}
        total = math.fsum(published.values())
        if in_band(total) and abs(total - 1) > FLOAT_SLACK and divided(published) == values:
            return _Distribution(values, published, published)
    violations.append(Violation(f"{path}.rawProbabilities", "Untrusted rawProbabilities", shorten(raw)))
    return None


def divided(values: Mapping[str, float]) -> dict[str, float]:
    """A copy that adds to 1."""
    total = math.fsum(values.values())
    return {label: value / total for label, value in values.items()}


def in_band(total: float) -> bool:
    """Totals of 0.99 and 1.01 are inside, whatever binary fractions make of them."""
    return abs(total - 1) <= TOTAL_BAND + FLOAT_SLACK


def is_number(value: object, highest: int) -> bool:
    """A finite number in [0, highest]; booleans and numeric strings are none."""
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= highest


def _refused(*violations: Violation) -> AnswerCheck:
    return AnswerCheck(None, violations)
