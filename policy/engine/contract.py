"""The contract of a judge's reply (seed 001): each answer stands or falls alone, and nothing is repaired silently."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from policy.engine.answer_checks import AnswerCheck, check_answer
from policy.engine.answers import Answer
from policy.engine.bounds import sendable
from policy.engine.failures import Failure, FailureCode, Violation
from policy.engine.questions import Questions
from policy.engine.shorten import MAX_INTEGER, shorten, shorten_name
from policy.engine.totals import Totals

MAX_UNKNOWN_LISTED = 8
MAX_MODEL_CHARS = 200
# The exact type first: it is what JSON gives, and looking it up costs least.
_OBJECT = (dict, Mapping)


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one reply; None where the judge did not say, never 0 instead."""

    input_tokens: int | None = None
    output_tokens: int | None = None

    def to_json(self) -> dict[str, int | None] | None:
        if self.input_tokens is None and self.output_tokens is None:
            return None
        return {"input_tokens": self.input_tokens, "output_tokens": self.output_tokens}


@dataclass(frozen=True, slots=True)
class Validated:
    """What may be used of a reply: the valid answers, and every broken rule.

    `by_question` holds the violations of each sent question; `violations` holds those and the ones of the envelope.
    """

    model: str | None
    answers: Mapping[str, Answer]
    violations: tuple[Violation, ...] = ()
    by_question: Mapping[str, tuple[Violation, ...]] = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage)

    @property
    def failure(self) -> Failure | None:
        """The reply as a whole: `INVALID_RESPONSE` when any rule is broken; valid answers stay usable."""
        return invalid_reply(self.violations) if self.violations else None

    def to_json(self) -> dict[str, Any]:
        return {
            "model": self.model,
            "answers": {name: answer.to_json() for name, answer in self.answers.items()},
            "usage": self.usage.to_json(),
        }


def validate(body: object, questions: Questions, *, totals: Totals = Totals.STRICT) -> Validated:
    """Check a parsed reply against the questions that were sent; never raises and never writes to `body`.

    `totals` is the tolerance that the host grants this judge. Validating `to_json()` of the result changes nothing.
    """
    if not isinstance(body, _OBJECT):
        return _unusable(None, Usage(), Violation("", "reply must be an object", shorten(body)))
    model, envelope = _model(body.get("model"))
    usage, usage_violations = _usage(body.get("usage"))
    answers = body.get("answers")
    if not isinstance(answers, _OBJECT):
        return _unusable(model, usage, *envelope, Violation("answers", "answers must be an object", shorten(answers)))
    valid: dict[str, Answer] = {}
    by_question: dict[str, tuple[Violation, ...]] = {}
    for name, question in questions.items():
        path = f"answers.{name}"
        answer, broken = (
            check_answer(path, question, answers[name], totals=totals) if name in answers else _missing(path)
        )
        if answer is not None:
            valid[name] = answer
        if broken:
            by_question[name] = broken
    unsent = () if len(answers) == len(valid) else _unsent(answers, questions)
    violations = (*envelope, *chain.from_iterable(by_question.values()), *unsent, *usage_violations)
    return Validated(model, valid, violations, by_question, usage)


def invalid_reply(violations: tuple[Violation, ...]) -> Failure:
    """The failure that stands for broken rules of the contract."""
    count = len(violations)
    first = violations[0] if violations else Violation("", "no usable answer")
    where = first.path or "the reply"
    message = (
        f"the judge's reply breaks the contract in {count} place{'s' * (count != 1)}, first {where}: {first.message}"
    )
    return Failure(FailureCode.INVALID_RESPONSE, message, violations)


def _missing(path: str) -> AnswerCheck:
    return AnswerCheck(None, (Violation(path, "no answer to a question that was sent"),))


def _unsent(answers: Mapping[Any, Any], questions: Questions) -> Iterator[Violation]:
    unsent = [name for name in answers if name not in questions]
    for name in unsent[:MAX_UNKNOWN_LISTED]:
        path = f"answers.{shorten_name(name)}"
        yield Violation(path, "answer to a question that was not sent", shorten(answers[name]))
    if len(unsent) > MAX_UNKNOWN_LISTED:
        yield Violation("answers", f"{len(unsent) - MAX_UNKNOWN_LISTED} more answers to questions that were not sent")


def _unusable(model: str | None, usage: Usage, *violations: Violation) -> Validated:
    return Validated(model=model, answers={}, violations=violations, usage=usage)


def _model(value: object) -> tuple[str | None, tuple[Violation, ...]]:
    if isinstance(value, str) and value and len(value) <= MAX_MODEL_CHARS and sendable(value):
        return value, ()
    message = f"model must be a non-empty string of at most {MAX_MODEL_CHARS} characters that can be stored"
    return None, (Violation("model", message, shorten(value)),)


def _usage(value: object) -> tuple[Usage, tuple[Violation, ...]]:
    if value is None:
        return Usage(), ()
    if not isinstance(value, _OBJECT):
        return Usage(), (Violation("usage", "usage must be an object", shorten(value)),)
    sent, written = value.get("input_tokens"), value.get("output_tokens")
    if type(sent) is type(written) is int and 0 <= sent < MAX_INTEGER and 0 <= written < MAX_INTEGER:
        return Usage(sent, written), ()
    counts: dict[str, Any] = {"input_tokens": sent, "output_tokens": written}
    violations = tuple(
        Violation(f"usage.{key}", "a token count must be a whole number, 0 or more", shorten(count))
        for key, count in counts.items()
        if count is not None and not _is_count(count)
    )
    return Usage(**{key: int(count) for key, count in counts.items() if _is_count(count)}), violations


def _is_count(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return 0 <= value < MAX_INTEGER and value == math.floor(value)
