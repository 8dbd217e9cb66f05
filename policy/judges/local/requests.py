"""What the judge refuses to answer, and the bytes that its token estimate counts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from policy.engine.failures import Failure, FailureCode, JudgeFailed
from policy.engine.judge import JudgeRequest
from policy.engine.questions import Choice, Noul, Question, Score

MAX_OPTIONS = 255
LEVELS = range(2, 11)


def checked_wire(request: JudgeRequest) -> bytes:
    """The request as UTF-8 JSON; raises `JudgeFailed` (BAD_REQUEST) naming the question, the cause and the mend."""
    if not request.questions:
        raise refused("The request has no questions; send at least one.")
    if not request.state:
        raise refused("The request has an empty state; send the task as text or JSON.")
    for name, question in request.questions.items():
        fault = _fault(question)
        if fault:
            raise refused(f"Question {name!r} {fault}.")
    try:
        return as_json(request.to_wire())
    except (TypeError, ValueError, RecursionError) as error:
        raise refused(f"The state or a question is not JSON text ({type(error).__name__}); send plain JSON.") from error


def as_json(value: Any) -> bytes:
    """Compact UTF-8 JSON, order kept; ValueError for NaN and for half of a surrogate pair."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def refused(message: str) -> JudgeFailed:
    return JudgeFailed(Failure(FailureCode.BAD_REQUEST, message))


def _fault(question: Question) -> str | None:
    if not isinstance(question, Noul | Choice | Score):
        return "is none of noul, choice and score; use one of these"
    if not all(isinstance(text, str) for text in _texts(question)):
        return "holds something other than text; write its instructions and criteria as text"
    if not question.instructions.strip():
        return "has no instructions; say what is asked"
    if isinstance(question, Choice) and not 1 <= len(question.criteria) <= MAX_OPTIONS:
        return f"offers {len(question.criteria)} options; offer 1 to {MAX_OPTIONS}"
    if isinstance(question, Score) and len(question.levels) not in LEVELS:
        return f"has {len(question.levels)} levels; give {LEVELS[0]} to {LEVELS[-1]}"
    return None


def _texts(question: Question) -> Iterator[object]:
    yield question.instructions
    match question:
        case Noul():
            yield from (text for text in (question.true, question.false) if text is not None)
        case Choice():
            yield from question.criteria
            yield from (text for text in question.criteria.values() if text is not None)
        case Score():
            yield from question.levels
